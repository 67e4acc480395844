import startup


def test_kind():
    assert startup.KIND == "plain"


def test_box():
    assert startup.BOX.size == 2
