import queue


def fetch(items):
    box = queue.Queue()
    for item in items:
        box.put(item)
    return [box.get() for _ in range(len(items))]
