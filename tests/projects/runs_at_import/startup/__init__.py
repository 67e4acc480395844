def known(kind):
    if kind not in ("plain", "fancy"):
        raise ValueError(kind)
    return kind


def width(text):
    return len(text)


class Box:
    def __init__(self, size=0):
        self.size = size

    def __reduce__(self):
        return Box, ()


KIND = known("plain")
BOX = Box(width("ab"))
