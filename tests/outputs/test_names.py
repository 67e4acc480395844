"""The names that suites are written with."""

from __future__ import annotations

from pathlib import Path

import pytest

import redhanded as rh


@pytest.mark.parametrize("name", sorted(set(rh.__all__) - {"__version__"}))
def test_no_module_of_ours_takes_its_place(name: str) -> None:
    """A submodule becomes an attribute of the package once anything imports it."""
    root = Path(rh.__file__).parent
    assert not (root / f"{name}.py").exists()
    assert not (root / name).exists()
    assert callable(getattr(rh, name))


def test_all_of_them_are_listed() -> None:
    assert set(rh.__all__) <= set(dir(rh))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        rh.nothing  # type: ignore[attr-defined]  # noqa: B018
