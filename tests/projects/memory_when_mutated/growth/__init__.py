def padded(text, width):
    while len(text) < width:
        text += text
    return text


def many(item, count):
    items = []
    while len(items) < count:
        items.append(item)
    return items
