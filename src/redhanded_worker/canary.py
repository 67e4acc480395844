"""What canaries put in the place of the subject's work."""

from __future__ import annotations

from typing import Any


class CanaryError(Exception):
    """Raised by every function of a file under the raising canary."""


def sing() -> None:
    """Raise the canary's exception."""
    raise CanaryError("planted by redhanded: this function does not do its work")


class Sentinel:
    """A value that nobody expects, yet that lets the code which receives it go on.

    It answers to attributes, calls, iteration, arithmetic and conversion, so that what a test
    notices is the value and not merely its type; it equals nothing.
    """

    __slots__ = ("_truth",)
    __hash__ = object.__hash__

    def __init__(self, truth: bool = True) -> None:
        self._truth = truth

    def _same(self, *_: Any, **__: Any) -> Any:
        return self

    __call__ = __getitem__ = __enter__ = __round__ = __neg__ = __pos__ = __abs__ = _same
    __invert__ = __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _same
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = _same
    __pow__ = __rpow__ = __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = _same
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = _same

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return self

    def _false(self, *_: Any) -> bool:
        return False

    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = __exit__ = _false

    def __ne__(self, other: object) -> bool:
        return True

    def __bool__(self) -> bool:
        return self._truth

    def __iter__(self) -> Any:
        return iter(())

    def __await__(self) -> Any:
        yield from ()
        return self

    def __len__(self) -> int:
        return int(self._truth)

    def __int__(self) -> int:
        return 873_264_519

    __index__ = __int__

    def __float__(self) -> float:
        return 873_264_519.25

    def __repr__(self) -> str:
        return "<a value planted by redhanded>"
