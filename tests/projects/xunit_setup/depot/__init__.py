_settings = {}


def configure(rate):
    _settings["rate"] = rate * 10


def rate():
    return _settings["rate"]


def stock(count):
    return list(range(count))
