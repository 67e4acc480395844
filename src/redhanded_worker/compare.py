"""Code objects compared by what they do: line tables and positions aside.

Trivial compiler equivalence: a mutant that compiles to the original's code is equivalent, two
that compile to the same code are duplicates (Papadakis et al., ICSE 2015).
"""

from __future__ import annotations

import dis
import hashlib
from types import CodeType

_FIRST_LINE = "__firstlineno__"
"""From 3.13 a class body stores its own first line under this name: a position, not a deed."""


def digest(code: CodeType) -> str:
    """Stands for all that a code object does, nested code included."""
    consts = [_constant(value) for value in code.co_consts]
    if _FIRST_LINE in code.co_names:
        for index in _first_line_constants(code):
            consts[index] = "first line"
    parts = (
        code.co_name,
        getattr(code, "co_qualname", ""),
        code.co_argcount,
        code.co_posonlyargcount,
        code.co_kwonlyargcount,
        code.co_flags,
        code.co_stacksize,
        code.co_names,
        code.co_varnames,
        code.co_freevars,
        code.co_cellvars,
        code.co_code,
        getattr(code, "co_exceptiontable", b""),
        consts,
    )
    return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()


def same(one: CodeType, other: CodeType) -> bool:
    """Do two code objects do the same?"""
    return digest(one) == digest(other)


def _constant(value: object) -> str:
    """A constant by type and value: 1, 1.0 and True differ, and so do 0.0 and -0.0."""
    if isinstance(value, CodeType):
        return "code:" + digest(value)
    kind = type(value).__name__
    if isinstance(value, tuple):
        return f"{kind}:(" + ",".join(map(_constant, value)) + ")"
    if isinstance(value, frozenset):
        return f"{kind}:(" + ",".join(sorted(map(_constant, value))) + ")"
    # Decimal digits of very long integers are refused.
    return f"{kind}:{value:x}" if type(value) is int else f"{kind}:{value!r}"


def _first_line_constants(code: CodeType) -> set[int]:
    """The constants that are stored as the class's first line, and are nothing else."""
    stored: set[int] = set()
    others: set[int] = set()
    loads: int | None = None
    for instruction in dis.get_instructions(code):
        if loads is not None:
            is_line = instruction.opname == "STORE_NAME" and instruction.argval == _FIRST_LINE
            (stored if is_line else others).add(loads)
        loads = instruction.arg if instruction.opname == "LOAD_CONST" else None
    return stored - others
