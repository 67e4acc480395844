def width(text):
    return len(text) * 2
