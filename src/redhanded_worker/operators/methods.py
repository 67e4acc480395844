"""Methods and functions of the standard types replaced by their counterpart.

What a name stands for is told from the module's own text: a builtin that the module binds itself,
a method that one of its classes defines without the counterpart, or an attribute of an imported
module is not what it looks like here, and is left alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from redhanded_worker.operators._names import Names, names_of
from redhanded_worker.operators._shared import attribute_name, outside_call
from redhanded_worker.operators.base import Edit, Example, Operator, Source, needs_parentheses

_TYPES = frozenset({"str", "bytes", "bytearray", "list", "dict", "set", "frozenset", "deque"})

_STRING_METHODS: Mapping[str, tuple[str, ...]] = {
    "startswith": ("endswith",),
    "endswith": ("startswith",),
    "lower": ("upper",),
    "upper": ("lower",),
    "casefold": ("upper",),
    "title": ("capitalize",),
    "capitalize": ("title",),
    "strip": ("lstrip", "rstrip"),
    "lstrip": ("rstrip",),
    "rstrip": ("lstrip",),
    "find": ("rfind",),
    "rfind": ("find",),
    # Not the other way about: lists have an index and no rindex.
    "rindex": ("index",),
    "split": ("rsplit",),
    "rsplit": ("split",),
    "partition": ("rpartition",),
    "rpartition": ("partition",),
    "removeprefix": ("removesuffix",),
    "removesuffix": ("removeprefix",),
    "ljust": ("rjust",),
    "rjust": ("ljust",),
    "center": ("ljust",),
    "islower": ("isupper",),
    "isupper": ("islower",),
    "isdigit": ("isalnum",),
    "isdecimal": ("isalnum",),
    "isnumeric": ("isalnum",),
    "isalpha": ("isalnum",),
    "isalnum": ("isalpha",),
}

_COLLECTION_METHODS: Mapping[str, tuple[str, ...]] = {
    "union": ("intersection",),
    "intersection": ("union",),
    "difference": ("intersection",),
    "symmetric_difference": ("union",),
    "intersection_update": ("update",),
    "difference_update": ("intersection_update",),
    "issubset": ("issuperset",),
    "issuperset": ("issubset",),
    "keys": ("values",),
    "values": ("keys",),
    "setdefault": ("get",),
    "extend": ("append",),
    # Not the other way about: lists have no appendleft.
    "appendleft": ("append",),
    "extendleft": ("extend",),
    "popleft": ("pop",),
}

_BUILTINS: Mapping[str, str] = {"any": "all", "all": "any", "min": "max", "max": "min"}

_DROPPED_BUILTINS: Mapping[str, str] = {
    "sorted": "list",
    "reversed": "iter",
    "abs": "",
    "repr": "str",
}

_LIBRARY: Mapping[str, str] = {
    "math.floor": "ceil",
    "math.ceil": "floor",
    "math.log2": "log10",
    "math.log10": "log2",
    "math.sin": "cos",
    "math.cos": "sin",
    "bisect.bisect": "bisect_left",
    "bisect.bisect_left": "bisect_right",
    "bisect.bisect_right": "bisect_left",
    "bisect.insort": "insort_left",
    "bisect.insort_left": "insort_right",
    "bisect.insort_right": "insort_left",
    "heapq.nlargest": "nsmallest",
    "heapq.nsmallest": "nlargest",
    "itertools.takewhile": "dropwhile",
    "itertools.dropwhile": "takewhile",
    "itertools.permutations": "combinations",
    "itertools.combinations": "permutations",
    "copy.deepcopy": "copy",
    "re.match": "search",
    "re.search": "match",
    "re.fullmatch": "match",
    "os.path.dirname": "basename",
    "os.path.basename": "dirname",
    "os.path.isfile": "isdir",
    "os.path.isdir": "isfile",
    "operator.lt": "le",
    "operator.le": "lt",
    "operator.gt": "ge",
    "operator.ge": "gt",
    "operator.eq": "ne",
    "operator.ne": "eq",
    "operator.add": "sub",
    "operator.sub": "add",
    "operator.mul": "add",
    "statistics.median_low": "median_high",
    "statistics.median_high": "median_low",
}


class StringMethod(Operator):
    """``s.lower()`` is ``s.upper()``."""

    name = "string-method"
    family = "methods"
    description = "A method of strings is replaced by its counterpart: startswith by endswith."
    shared_with = ("mutmut", "Stryker")
    examples = (
        Example("y = s.lower()\n", "y = s.upper()\n"),
        Example("y = f(\n    s\n    .strip(c)\n)\n", "y = f(\n    s\n    .rstrip(c)\n)\n"),
        Example("a, b = s.split(c, n), s.split(c)\n", "a, b = s.rsplit(c, n), s.split(c)\n"),
        Example("y = map(str.islower, xs)\n", "y = map(str.isupper, xs)\n"),
    )
    node_types = (ast.Attribute,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Rename the method."""
        assert isinstance(node, ast.Attribute)
        if node.attr in ("split", "rsplit") and not _is_limited(source.parent(node)):
            # Without a limit the two are the same.
            return
        yield from _renamed(node, _STRING_METHODS, source)


class CollectionMethod(Operator):
    """``a.union(b)`` is ``a.intersection(b)``."""

    name = "collection-method"
    family = "methods"
    description = (
        "A method of sets, dictionaries, lists or deques is replaced by its counterpart: "
        "union by intersection, keys by values."
    )
    shared_with = ()
    examples = (
        Example("y = a.union(b)\n", "y = a.intersection(b)\n"),
        Example("for k in d.keys(): f(k)\n", "for k in d.values(): f(k)\n"),
        Example("xs.extend(\n    ys)\n", "xs.append(\n    ys)\n"),
    )
    node_types = (ast.Attribute,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Rename the method."""
        assert isinstance(node, ast.Attribute)
        yield from _renamed(node, _COLLECTION_METHODS, source)


class CopyDropped(Operator):
    """``xs.copy()`` is ``xs`` itself."""

    name = "copy-dropped"
    family = "methods"
    description = "A copy is not made: x.copy() becomes x."
    shared_with = ()
    examples = (
        Example("y = x.copy()\n", "y = x\n"),
        Example("y = (\n    f(x)  # all\n    .copy()\n)\n", "y = (\n    f(x)\n)\n"),
    )
    node_types = (ast.Call,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Remove the call and leave what it is called on."""
        assert isinstance(node, ast.Call)
        function = node.func
        if (
            isinstance(function, ast.Attribute)
            and function.attr == "copy"
            and not (node.args or node.keywords)
            and _is_standard(function, "copy", "copy", source)
        ):
            yield outside_call(node, function.value, source)


class BuiltinSwapped(Operator):
    """``any(xs)`` is ``all(xs)``."""

    name = "builtin-swapped"
    family = "methods"
    description = "any becomes all, min becomes max, and the other way about."
    shared_with = ("Stryker",)
    examples = (
        Example("y = any(xs)\n", "y = all(xs)\n"),
        Example("y = reduce(max, xs)\n", "y = reduce(min, xs)\n"),
    )
    node_types = (ast.Name,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Rename the builtin, called or handed over."""
        assert isinstance(node, ast.Name)
        other = _BUILTINS.get(node.id)
        names = names_of(source)
        if other and isinstance(node.ctx, ast.Load) and not names.bound & {node.id, other}:
            yield source.edit(node, other)


class BuiltinDropped(Operator):
    """``sorted(xs)`` doesn't sort."""

    name = "builtin-dropped"
    family = "methods"
    description = (
        "A builtin does nothing of note: sorted becomes list, reversed becomes iter, "
        "repr becomes str, abs(x) becomes x."
    )
    shared_with = ("Stryker",)
    examples = (
        Example("y = sorted(xs, key=f)\n", "y = list(xs)\n"),
        Example("for x in reversed(xs): f(x)\n", "for x in iter(xs): f(x)\n"),
        Example("y = abs(a - b) * abs(c)\n", "y = (a - b) * abs(c)\n"),
        Example("y = abs(a - b) * abs(c)\n", "y = abs(a - b) * c\n"),
        Example("y = f(repr(x))\n", "y = f(str(x))\n"),
    )
    node_types = (ast.Call,)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Call what does less, on the one argument."""
        assert isinstance(node, ast.Call)
        function = node.func
        if not isinstance(function, ast.Name) or len(node.args) != 1:
            return
        other = _DROPPED_BUILTINS.get(function.id)
        if other is None or names_of(source).bound & {function.id, other}:
            return
        if isinstance(node.args[0], ast.Starred):
            return
        if function.id == "repr" and isinstance(source.enclosing_statement(node), ast.Raise):
            # How a message quotes a value is nobody's business.
            return
        argument = source.text_of(node.args[0])
        if not other:
            loose = needs_parentheses(node.args[0]) or "\n" in argument
            yield source.edit(node, f"({argument})" if loose else argument)
        elif not node.keywords:
            yield source.edit(function, other)
        elif function.id == "sorted":
            yield source.edit(node, f"{other}({argument})")


class LibraryFunction(Operator):
    """``math.floor(x)`` is ``math.ceil(x)``."""

    name = "library-function"
    family = "methods"
    description = (
        "A function of the standard library is replaced by its counterpart: "
        "math.floor by math.ceil, re.match by re.search, copy.deepcopy by copy.copy."
    )
    shared_with = ("mutmut",)
    examples = (
        Example("import math\ny = math.floor(x)\n", "import math\ny = math.ceil(x)\n"),
        Example(
            "import os.path as p\ny = p.dirname(x)\n", "import os.path as p\ny = p.basename(x)\n"
        ),
        Example(
            "from bisect import bisect_left, bisect_right as br\ny = br(xs, x)\n",
            "from bisect import bisect_left, bisect_right as br\ny = bisect_left(xs, x)\n",
        ),
    )
    node_types = (ast.Attribute, ast.Name)

    def edits(self, node: ast.AST, source: Source) -> Iterator[Edit]:
        """Name the counterpart, where the module has it within reach."""
        assert isinstance(node, (ast.Attribute, ast.Name))
        if not isinstance(node.ctx, ast.Load):
            return
        names = names_of(source)
        qualified = names.qualified(node)
        other = _LIBRARY.get(qualified or "")
        if qualified is None or other is None:
            return
        if isinstance(node, ast.Attribute):
            yield Edit(*attribute_name(node, source), other)
        else:
            module = qualified.rpartition(".")[0]
            within_reach = names.imported_as(f"{module}.{other}")
            if within_reach is not None:
                yield source.edit(node, within_reach)


def _renamed(
    node: ast.Attribute, table: Mapping[str, tuple[str, ...]], source: Source
) -> Iterator[Edit]:
    for other in table.get(node.attr, ()):
        if _is_used_as_method(node, source) and _is_standard(node, node.attr, other, source):
            yield Edit(*attribute_name(node, source), other)


def _is_used_as_method(node: ast.Attribute, source: Source) -> bool:
    """Whether the attribute is called, or is a standard type's: ``str.lower``."""
    parent = source.parent(node)
    if isinstance(parent, ast.Call) and parent.func is node:
        return True
    return isinstance(node.value, ast.Name) and node.value.id in _TYPES


def _is_standard(node: ast.Attribute, method: str, other: str, source: Source) -> bool:
    """Whether the receiver may be of a standard type."""
    names: Names = names_of(source)
    if method in names.methods or other in names.methods:
        # A class of this module's: then it must have both.
        if not {method, other} <= names.methods:
            return False
    elif _is_own_instance(node.value):
        return False
    receiver = node.value
    if isinstance(receiver, ast.Name) and receiver.id not in _TYPES:
        return not receiver.id[:1].isupper() and names.qualified(receiver) is None
    return names.qualified(receiver) is None


def _is_own_instance(receiver: ast.expr) -> bool:
    if isinstance(receiver, ast.Call):
        return isinstance(receiver.func, ast.Name) and receiver.func.id == "super"
    return isinstance(receiver, ast.Name) and receiver.id in ("self", "cls")


def _is_limited(call: ast.AST | None) -> bool:
    if not isinstance(call, ast.Call):
        return False
    return len(call.args) > 1 or any(keyword.arg == "maxsplit" for keyword in call.keywords)


OPERATORS = (
    StringMethod(),
    CollectionMethod(),
    CopyDropped(),
    BuiltinSwapped(),
    BuiltinDropped(),
    LibraryFunction(),
)
