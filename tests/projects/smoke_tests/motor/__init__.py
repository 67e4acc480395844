def start(speed):
    if speed < 0:
        raise ValueError(speed)
    return speed * 2
