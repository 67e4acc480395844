import json


def pair(a, b):
    return (a, b)


def encode(data):
    return json.dumps(data)


def size(items):
    return len(items)


def apply(function, value):
    return function(value)


def safe(value):
    assert value >= 0, "negative"
    return value
