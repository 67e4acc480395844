PARTS = 2


class InvalidVersion(ValueError):
    pass


class Version:
    def __init__(self, text):
        parts = str(text).split(".")[:PARTS]
        if not all(part.isdigit() for part in parts):
            raise InvalidVersion(text)
        self.release = tuple(int(part) for part in parts)

    def __lt__(self, other):
        return self.release < other.release

    def __gt__(self, other):
        return self.release > other.release
