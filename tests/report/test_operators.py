"""The operators as a person reads them."""

from __future__ import annotations

from redhanded.report.operators import render_operators
from tests.report.pictures import paper, text_of

LISTED = [
    {
        "name": "compare-boundary",
        "family": "comparison",
        "description": "A comparison takes in its boundary, or leaves it out.",
        "string_only": False,
        "examples": [
            ("a < b", "a <= b"),
            ("if a:\n    return b > c\n", "if a:\n    return b >= c\n"),
        ],
        "tools": ["cosmic-ray", "mutmut"],
    },
    {
        "name": "call-deleted",
        "family": "statements",
        "description": "A call is left out.",
        "string_only": False,
        "examples": [("a()\nb(\n  1)\nc()\n", "a()\nc()\n")],
        "tools": [],
    },
]


def test_operators() -> None:
    console = paper()
    render_operators(LISTED, console)
    assert text_of(console).splitlines() == [
        "2 operators in 2 families. Choose some by name or family: --operators A,B",
        "",
        "comparison",
        "  compare-boundary  A comparison takes in its boundary, or leaves it out.",
        "    a < b → a <= b",
        "    return b > c → return b >= c",
        "    also in cosmic-ray, mutmut",
        "",
        "statements",
        "  call-deleted  A call is left out.",
        "    b( ⏎ 1) → (nothing)",
    ]
