_names = []


def register(name):
    _names.append(name)


def unregister(name):
    _names.remove(name)


def names():
    return list(_names)
