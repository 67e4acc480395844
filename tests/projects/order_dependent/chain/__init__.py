_state = {}


def begin():
    _state["step"] = 1


def step():
    return _state["step"] + 1


def twice(value):
    return value * 2
