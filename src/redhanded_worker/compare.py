"""Code objects compared by what they do: line tables and positions aside.

Trivial compiler equivalence: a mutant that compiles to the original's code is equivalent, two
that compile to the same code are duplicates (Papadakis et al., ICSE 2015).
"""

from __future__ import annotations

import hashlib
from types import CodeType


def _constant(value: object) -> str:
    """A constant by type and value: 1, 1.0 and True differ, and so do 0.0 and -0.0."""
    if isinstance(value, CodeType):
        return "code:" + digest(value)
    kind = type(value).__name__
    if isinstance(value, tuple):
        return f"{kind}:(" + ",".join(map(_constant, value)) + ")"
    if isinstance(value, frozenset):
        return f"{kind}:(" + ",".join(sorted(map(_constant, value))) + ")"
    return f"{kind}:{value!r}"


def digest(code: CodeType) -> str:
    """Stands for all that a code object does, nested code included."""
    consts = list(code.co_consts)
    if "__firstlineno__" in code.co_names:
        # From 3.13 a class body stores its own first line: a position, not a deed.
        consts = [None if type(c) is int and c == code.co_firstlineno else c for c in consts]
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
        tuple(map(_constant, consts)),
    )
    return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()


def same(one: CodeType, other: CodeType) -> bool:
    """Do two code objects do the same?"""
    return digest(one) == digest(other)
