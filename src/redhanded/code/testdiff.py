"""Which tests a change left as they were.

A test is unchanged when its own text is, and everything that its control loaded or opened. In a
file that the change touched, the other tests' texts don't count, nor do imports that were added for
them: adding a test leaves its neighbours unchanged. (An added import that loads a file of the suite
still counts, since the control loads that file.)
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from redhanded.code.change import Change, End
from redhanded.code.classify import same_pytest_tables

_DEFS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class _Place:
    """A definition that tests lie in: its text without the definitions inside, and those."""

    residue: str
    inner: Mapping[str, _Place]
    whole: str


def _dump(node: ast.AST) -> str:
    return ast.dump(node)


def _is_test_name(name: str) -> bool:
    return name.startswith(("test", "Test")) or name.endswith(("Test", "Tests", "TestCase"))


def _place(body: list[ast.stmt], head: str) -> _Place:
    inner: dict[str, _Place] = {}
    rest: list[str] = [head]
    for node in body:
        if isinstance(node, _DEFS) and (_is_test_name(node.name) or isinstance(node, ast.ClassDef)):
            if isinstance(node, ast.ClassDef):
                top = "".join(map(_dump, [*node.bases, *node.keywords, *node.decorator_list]))
                inner[node.name] = _place(node.body, f"class {node.name} {top}")
            else:
                text = _dump(node)
                inner[node.name] = _Place(text, {}, text)
        else:
            rest.append(_dump(node))
    residue = "\n".join(rest)
    return _Place(residue, inner, residue + "\n".join(place.whole for place in inner.values()))


def _imports(node: ast.stmt) -> dict[str, str | None]:
    """What an import statement imports: the name that each import binds, None for any."""
    if isinstance(node, ast.Import):
        return {
            f"import {each.name} as {each.asname}": each.asname or each.name.split(".")[0]
            for each in node.names
        }
    if not isinstance(node, ast.ImportFrom):
        return {}
    source = "." * node.level + (node.module or "")
    return {
        f"from {source} import {each.name} as {each.asname}": None
        if each.name == "*" or source == "__future__"
        else each.asname or each.name
        for each in node.names
    }


class TestTexts:
    """The texts of one test file's tests."""

    __test__ = False

    def __init__(self, source: bytes) -> None:
        """Read a file.

        Args:
            source: Its content; where it doesn't parse, all of it counts for every test.
        """
        self._root: _Place | None = None
        self._all = hashlib.sha256(source).hexdigest()
        self.imports: dict[str, str | None] = {}
        """The file's own imports, and the name that each binds."""
        try:
            body = ast.parse(source).body
        except (SyntaxError, ValueError):
            return
        for node in body:
            self.imports |= _imports(node)
        self._root = _place([node for node in body if not _imports(node)], "")
        self._helpers = dict(self._root.inner)

    def digest(self, node_id: str, added: Iterable[str] = ()) -> str:
        """Stands for all text in this file that a test's verdict can depend on.

        Args:
            node_id: pytest's id; what precedes the first ``::`` is ignored.
            added: Imports that count only where what was read names what they bind.
        """
        if self._root is None:
            return self._all
        names = [part.split("[", 1)[0] for part in node_id.split("::")[1:]]
        texts = [self._root.residue]
        place = self._root
        for at, name in enumerate(names):
            below = place.inner.get(name)
            if below is None:
                # Inherited, generated or named otherwise: the whole of what is known counts.
                texts.append(place.whole if at else self._root.whole)
                break
            texts.append(below.residue)
            place = below
        else:
            if place.inner:
                texts.append(place.whole)
        told = "\0".join(texts)
        told += self._mentioned(told, names)
        unused = {
            each for each in added if (bound := self.imports[each]) and f"'{bound}'" not in told
        }
        told += "\0".join(sorted(self.imports.keys() - unused))
        return hashlib.sha256(told.encode()).hexdigest()

    def _mentioned(self, told: str, own: list[str]) -> str:
        """Texts of other definitions of the file that are named in what was read, transitively."""
        found: dict[str, str] = {}
        queue = [told]
        while queue:
            text = queue.pop()
            for name, place in self._helpers.items():
                if name not in found and name not in own[:1] and f"'{name}'" in text:
                    found[name] = place.whole
                    queue.append(place.whole)
        return "\0".join(found[name] for name in sorted(found))


def unchanged(
    node_id: str,
    files: frozenset[str],
    changed: frozenset[str],
    read: Callable[[End, str], bytes | None],
    texts: dict[tuple[str, str], TestTexts],
) -> bool:
    """Is a test that both sides have the same on both?

    Args:
        node_id: The test.
        files: What its control loaded or opened in the tree.
        changed: Test-side files that differ between base and head.
        read: Content of a file at ``base`` or ``head``; None where it doesn't exist there.
        texts: A cache, by side and file.
    """
    own = node_id.split("::", 1)[0]
    if (files - {own}) & changed:
        return False
    if own not in changed:
        return True
    found = []
    ends: tuple[End, End] = ("base", "head")
    for side in ends:
        key = (side, own)
        if key not in texts:
            content = read(side, own)
            if content is None:
                return False
            texts[key] = TestTexts(content)
        found.append(texts[key])
    base, head = found
    added = head.imports.keys() - base.imports.keys()
    return base.digest(node_id) == head.digest(node_id, added)


class TestDiff:
    """What a change left of the tests; reads each file once."""

    __test__ = False

    def __init__(self, change: Change) -> None:
        self._change = change
        self._texts: dict[tuple[str, str], TestTexts] = {}

    def same(self, node_id: str, files: frozenset[str]) -> bool:
        """Whether a test is unchanged.

        Args:
            node_id: The test.
            files: What its control loaded or opened.
        """
        return unchanged(node_id, files, self._touched, self._change.read, self._texts)

    def surely_new(self, tests: Sequence[str]) -> list[int]:
        """Places of the tests that base doesn't have, or not with the same text."""
        return [
            index
            for index, name in enumerate(tests)
            if not self.same(name, frozenset({name.split("::", 1)[0]}))
        ]

    @cached_property
    def _touched(self) -> frozenset[str]:
        """Test-side files that differ, configuration that says nothing about pytest aside."""
        change = self._change
        same = same_pytest_tables(
            lambda name: change.read("base", name), lambda name: change.read("head", name)
        )
        return frozenset(
            path
            for path in change.test_side_differences()
            if not (same and change.category(path) == "config")
        )
