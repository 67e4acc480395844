import accents
from accents.crlf import twice
from accents.latin import place


def test_größe():
    assert accents.größe(2, 2) == 4


def test_name():
    assert accents.name() == "→ñü→"


def test_twice():
    assert twice(3) == 6


def test_place():
    assert place() == "KölnZuerich"
