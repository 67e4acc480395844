"""What one operator makes of a text."""

from __future__ import annotations

import textwrap

from redhanded_worker.operators.base import Operator, Source


def changes(operator: Operator, text: str) -> list[str]:
    """The text after each of the operator's edits, in the order of the source.

    Texts are dedented. Each result is compiled, so that no operator makes what can't run.
    """
    text = textwrap.dedent(text)
    source = Source(text)
    edits = [
        edit
        for node in source.walk()
        if isinstance(node, operator.node_types)
        for edit in operator.edits(node, source)
    ]
    found = [edit.apply(text) for edit in sorted(edits, key=lambda e: (e.start, e.end))]
    for each in found:
        compile(each, "<mutant>", "exec", dont_inherit=True)
        assert each != text
    assert len(set(found)) == len(found)
    return found


def change(operator: Operator, text: str) -> str:
    """The text after the operator's only edit."""
    (only,) = changes(operator, text)
    return only


def parts(operator: Operator, line: str) -> list[str]:
    """As :func:`changes`, of one line without its end."""
    return [each.removesuffix("\n") for each in changes(operator, line + "\n")]
