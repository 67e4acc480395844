import threading

LOCK = threading.RLock()


def total(values):
    with LOCK:
        if not values:
            return 0
        return values[0] + total(values[1:])
