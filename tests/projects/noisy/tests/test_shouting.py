from shouting import report


def test_captured(capsys):
    report(1)
    assert "verdict" in capsys.readouterr().out


def test_captured_below(capfd):
    assert report(2) == 3
    assert "verdict" in capfd.readouterr().err


def test_loose():
    assert report(3) == 4
