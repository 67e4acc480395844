import registry


def test_a_registers():
    registry.register("a")
    assert registry.names() == ["a"]
    registry.unregister("a")


def test_b_starts_from_nothing():
    assert registry.names() == []
    registry.register("b")
    registry.unregister("b")
