import time


def stamp():
    return int(time.time())
