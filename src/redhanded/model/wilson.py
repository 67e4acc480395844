"""Wilson's interval for a share, at 95%."""

from __future__ import annotations

from math import sqrt
from typing import Final

Z: Final = 1.959963984540054
"""The normal quantile that leaves 2.5% above it."""


def interval(k: int, n: int) -> tuple[float, float]:
    """The interval for k of n.

    Raises:
        ValueError: n is 0: of nothing nothing is known.
    """
    if n <= 0:
        raise ValueError("expected a population, found none: there is no interval over 0")
    share = k / n
    middle = share + Z * Z / (2 * n)
    spread = Z * sqrt(share * (1 - share) / n + Z * Z / (4 * n * n))
    scale = 1 + Z * Z / n
    low = 0.0 if k == 0 else (middle - spread) / scale
    high = 1.0 if k == n else (middle + spread) / scale
    return max(0.0, low), min(1.0, high)
