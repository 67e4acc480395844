def record(names, name):
    names.append(name)
    names.sort()
    return names


def check(name):
    if not name:
        raise ValueError("no name")
