def test_put(vault):
    vault.put("gold")
    assert vault.items == ["gold"]


def test_put_twice(vault):
    vault.put("gold")
    vault.put("gold")
    assert len(vault.items) == 2
