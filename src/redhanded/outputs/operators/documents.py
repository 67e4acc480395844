"""A reference's JSON document, edited in place: what isn't changed keeps its very characters."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

import msgspec

from redhanded.model.output import Message, Output
from redhanded.outputs.case import Case
from redhanded.outputs.contract.base import Ruling, find
from redhanded.outputs.contract.document import (
    FENCED,
    NoJsonError,
    UndecidedError,
    joined,
    plain,
    resolve,
    same,
    tokens,
)
from redhanded.outputs.contract.structured import Json
from redhanded.outputs.operators.base import Decline, Variant

_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"')
_SPACE: Final = re.compile(r"[ \t\r\n]*")
_LITERAL: Final = re.compile(r"[^\s,\]}]+")
ROOT: Final = "document"
"""How the whole document is called in names: its pointer is empty, and all others start with /."""
NEEDS_JSON: Final = Decline(
    "needs_contract", "right=rh.json(schema=...) or rh.json(values={'': ...}), by pointer"
)


@dataclass(frozen=True)
class Span:
    """Where a value stands in a text."""

    start: int
    end: int
    member: int
    """Where its key begins; the value itself in an array."""


def spans(text: str, offset: int = 0) -> dict[str, Span]:
    """Where each value of a JSON text stands, by pointer."""
    found: dict[str, Span] = {}

    def skip(place: int) -> int:
        match = _SPACE.match(text, place)
        return match.end() if match else place

    def string(place: int) -> int:
        match = _STRING.match(text, place)
        return match.end() if match else len(text)

    def value(place: int, pointer: str, member: int | None = None) -> int:
        start = place
        found[pointer] = Span(start, start, start)  # keeps outer values before inner ones
        if text[place] == "{":
            place = members(place, pointer)
        elif text[place] == "[":
            place = items(place, pointer)
        elif text[place] == '"':
            place = string(place)
        else:
            literal = _LITERAL.match(text, place)
            place = literal.end() if literal else place + 1
        found[pointer] = Span(start, place, start if member is None else member)
        return place

    def members(place: int, pointer: str) -> int:
        place = skip(place + 1)
        while text[place] != "}":
            after = string(place)
            key = json.loads(text[place:after])
            colon = skip(after)
            after = value(skip(colon + 1), joined(pointer, key), place)
            place = skip(after)
            if text[place] == ",":
                place = skip(place + 1)
        return place + 1

    def items(place: int, pointer: str) -> int:
        place, index = skip(place + 1), 0
        while text[place] != "]":
            place = skip(value(place, joined(pointer, index)))
            index += 1
            if text[place] == ",":
                place = skip(place + 1)
        return place + 1

    value(skip(offset), "")
    return found


def dumped(value: Any) -> str:
    """A value as JSON on one line."""
    return json.dumps(value, ensure_ascii=False)


@dataclass(frozen=True)
class Document:
    """The reference's answer as JSON."""

    good: Output
    contract: Json
    data: Any
    text: str | None
    """The JSON text, without its fence; None where the answer is given as data only."""
    around: tuple[str, str] = ("", "")
    """The fence."""

    def places(self) -> dict[str, Span]:
        """Where each value stands in the text."""
        return spans(self.text or "")

    def put(self, pointer: str, value: Any) -> Output:
        """The reference with another value at a pointer."""
        text = None
        if self.text is not None:
            place = self.places()[pointer]
            text = self.text[: place.start] + dumped(value) + self.text[place.end :]
        return self.output(text, _put(self.data, tokens(pointer), value))

    def drop(self, pointer: str) -> Output:
        """The reference without the member or item at a pointer."""
        parts = tokens(pointer)
        data = copy.deepcopy(self.data)
        holder = resolve(data, parts[:-1])
        names = list(holder) if isinstance(holder, dict) else [str(at) for at in range(len(holder))]
        del holder[parts[-1] if isinstance(holder, dict) else int(parts[-1])]
        text = None
        if self.text is not None:
            parent = pointer.rpartition("/")[0]
            here, own = self.places(), names.index(parts[-1])
            start, end = here[pointer].member, here[pointer].end
            if own + 1 < len(names):
                end = here[joined(parent, names[own + 1])].member
            elif own:
                start = here[joined(parent, names[own - 1])].end
            text = self.text[:start] + self.text[end:]
        return self.output(text, data)

    def add(self, pointer: str, key: str, value: Any, *, first: bool = False) -> Output:
        """The reference with one more key in the object at a pointer."""
        holder = resolve(self.data, tokens(pointer))
        grown = {key: value, **holder} if first else {**holder, key: value}
        text = None
        if self.text is not None:
            text = self.with_member(pointer, f"{dumped(key)}: {dumped(value)}", first=first)
        return self.output(text, _put(self.data, tokens(pointer), grown))

    def with_member(self, pointer: str, member: str, *, first: bool = False) -> str:
        """The text with one more member in the object at a pointer, laid out as the others."""
        assert self.text is not None
        here, keys = self.places(), list(resolve(self.data, tokens(pointer)))
        own = here[pointer]
        if not keys:
            return self.text[: own.start] + "{" + member + "}" + self.text[own.end :]
        before = self.text[own.start + 1 : here[joined(pointer, keys[0])].member]
        place = here[joined(pointer, keys[0])].member if first else here[
            joined(pointer, keys[-1])
        ].end  # fmt: skip
        gap = before or " "
        new = member + "," + gap if first else "," + gap + member
        return self.text[:place] + new + self.text[place:]

    def raw(self, pointer: str, literal: str) -> str:
        """The text with any characters in a value's place."""
        assert self.text is not None
        place = self.places()[pointer]
        return self.text[: place.start] + literal + self.text[place.end :]

    def output(self, text: str | None, data: Any) -> Output:
        """The reference with another document, as text and as data."""
        found = self.good
        if text is not None:
            found = said(found, self.around[0] + text + self.around[1])
        return msgspec.structs.replace(found, value=data) if found.has_value else found

    def written(self, text: str) -> Output:
        """The reference with another text, where the text is all there is."""
        return said(self.good, self.around[0] + text + self.around[1])


def said(good: Output, text: str) -> Output:
    """An output that says something else; its last message too, where that said the same."""
    messages = good.messages
    if messages and messages[-1].role == "assistant" and messages[-1].content == good.text:
        last = messages[-1]
        messages = (*messages[:-1], Message("assistant", text, last.tool_calls))
    return msgspec.structs.replace(good, text=text, messages=messages)


def _put(data: Any, parts: Sequence[str], value: Any) -> Any:
    if not parts:
        return value
    changed = copy.deepcopy(data)
    holder = resolve(changed, parts[:-1])
    holder[parts[-1] if isinstance(holder, dict) else int(parts[-1])] = value
    return changed


def document(case: Case) -> Document | Decline:
    """The reference's answer as JSON, where the contract speaks of it."""
    contract = cast("Json | None", find(case.right, "json"))
    if contract is None:
        return NEEDS_JSON
    good = case.good
    try:
        text: str | None = good.text if good.text.strip() else None
        around, inner = ("", ""), text
        fence = FENCED.fullmatch(text) if text is not None else None
        if text is not None and fence is not None and contract.fence:
            inner = fence[2]
            around = (text[: fence.start(2)], text[fence.end(2) :])
        data = plain(good.value) if good.has_value else contract.read(good.text)
        if inner is not None and good.has_value and not same(contract.read(good.text), data):
            return Decline("text_and_value", "good= whose text is its value as JSON, or is empty")
    except NoJsonError:
        return Decline("text_and_value", "good= whose text is its value as JSON, or is empty")
    except UndecidedError:
        return Decline("no_json", "good= as a JSON document that all parsers read alike")
    return Document(good, contract, data, inner, around)


def chosen(
    case: Case, variants: Sequence[Variant], decline: Decline, ruling: Ruling = Ruling.WRONG
) -> Sequence[Variant] | Decline:
    """Those variants that the contract decides as wanted; the decline where there are none.

    What the contract leaves open is not worth a row for each place in the document.
    """
    kept: list[Variant] = []
    seen = {repr(case.good)}
    for variant in variants:
        whole = repr(variant.output)  # == would take true for 1, and 1.0 for 1
        if whole not in seen and case.right.rule(variant.output).ruling is ruling:
            kept.append(variant)
        seen.add(whole)
    return kept or decline


def at_most(pointers: Sequence[str], limit: int) -> list[str]:
    """Some of many pointers: evenly spread, always the same ones."""
    if len(pointers) <= limit:
        return list(pointers)
    step = len(pointers) / limit
    return [pointers[int(index * step)] for index in range(limit)]


Build = Callable[[Document, str, Any], "list[tuple[str, Any]]"]
"""New values for the one at a pointer, each with a name."""
