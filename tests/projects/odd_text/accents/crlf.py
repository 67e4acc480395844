def twice(value):
    # ends of lines as on Windows
    return value * 2
