from pathlib import Path

from pair import add, multiply

COUNTER = Path(__file__).with_name("counter.txt")


def test_add():
    assert add(1, 2) == 3


def test_every_other_run():
    run = int(COUNTER.read_text()) if COUNTER.exists() else 0
    COUNTER.write_text(str(run + 1))
    assert multiply(2, 3) == 6
    assert add(1, 1) == 2
    assert run % 2 == 0
