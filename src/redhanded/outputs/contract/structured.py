"""The contract of a JSON answer: a schema, values by pointer, and what may vary."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from redhanded.errors import UsageError
from redhanded.model.graded import Basis
from redhanded.model.output import Output, Part
from redhanded.outputs.contract.base import Finding, Ruling
from redhanded.outputs.contract.comparing import Difference, Rules, differences
from redhanded.outputs.contract.document import (
    MISSING,
    NoJsonError,
    UndecidedError,
    joined,
    named,
    plain,
    read,
    resolve,
    shown,
    tokens,
    unfenced,
)


@dataclass(frozen=True)
class Json:
    """The answer is one JSON document that a schema and declared values describe.

    It judges :attr:`Output.value` where there is one, else the text. A text must be the document
    and nothing else; duplicate keys, ``NaN`` and ``Infinity`` are refused, true is not 1.
    """

    schema: Any = None
    """A JSON Schema, or a class with ``model_json_schema``."""
    values: Mapping[str, Any] | None = None
    """Expected values by JSON pointer; ``""`` is the whole document."""
    order: bool | Mapping[str, bool] = True
    """Does the order of expected arrays matter? By pointer, where it differs."""
    extra_keys: bool | None = None
    """May objects have keys that nothing names? None: as the schema says, and not in an object
    that is itself an expected value."""
    fence: bool = False
    """The text may stand in a code fence."""
    exact_numbers: bool = False
    """1.0 is not 1."""
    kind: str = field(default="json", init=False)
    basis: Basis = field(default=Basis.ORACLE, init=False)

    def __post_init__(self) -> None:
        make = getattr(self.schema, "model_json_schema", None)
        if make is not None:
            object.__setattr__(self, "schema", make())
        if self.schema is not None:
            _check_schema(self.schema)
        pointers = [*(self.values or {}), *(self.order if isinstance(self.order, Mapping) else ())]
        try:
            for pointer in pointers:
                tokens(pointer)
            for value in (self.values or {}).values():
                plain(value)
        except ValueError as error:
            raise UsageError(f"rh.json: {error}") from None

    @property
    def varies(self) -> frozenset[str]:
        """Whitespace and the order of keys always; more as declared."""
        free = {"whitespace", "key_order"}
        free |= set() if self.exact_numbers else {"number_format"}
        free |= {"fence"} if self.fence else set()
        return frozenset(free | (set() if self.order is True else {"order"}))

    @property
    def parts(self) -> frozenset[Part]:
        """The answer, as text or as data."""
        return frozenset({"text", "value"})

    def rule(self, output: Output) -> Finding:
        """Judge the value, where there is one, else the text."""
        part: Part = "value" if output.has_value else "text"
        try:
            data = plain(output.value) if output.has_value else self.read(output.text)
            found = [*self._broken(data), *self._differing(data), *self._extra(data)]
        except NoJsonError as error:
            return Finding(Ruling.WRONG, str(error), part, kinds=(error.kind,))
        except UndecidedError as error:
            return Finding(Ruling.UNKNOWN, str(error), part)
        if not found:
            return Finding(Ruling.RIGHT, "as the schema and the values say", part)
        bars = {one.bar for one in found}
        kinds = tuple(dict.fromkeys(kind for one in found for kind in one.kinds))
        why = "; ".join(dict.fromkeys(one.why for one in found))
        return Finding(Ruling.WRONG, why, part, bars.pop() if len(bars) == 1 else None, kinds)

    def read(self, text: str) -> Any:
        """Parse a text, out of its fence where one is allowed."""
        inside = unfenced(text) if self.fence else None
        return read(text if inside is None else inside)

    @cached_property
    def _validator(self) -> Any:
        import referencing
        from jsonschema.validators import (  # type: ignore[import-untyped]
            Draft202012Validator,
            validator_for,
        )

        # An empty registry, so that no reference is ever fetched from the network.
        kind = validator_for(self.schema, default=Draft202012Validator)
        return kind(self.schema, registry=referencing.Registry())

    def _broken(self, data: Any) -> list[Difference]:
        if self.schema is None:
            return []
        try:
            errors = sorted(self._validator.iter_errors(data), key=lambda one: str(one.json_path))
        except Exception as error:  # what a schema can't be evaluated for is open-ended
            message = f"the schema can't be evaluated: {type(error).__name__}: {error}"
            raise UndecidedError(message) from None
        return [_violation(error) for error in errors]

    def _differing(self, data: Any) -> list[Difference]:
        found: list[Difference] = []
        rules = Rules(self.ordered, bool(self.extra_keys), self.exact_numbers)
        for pointer, expected in (self.values or {}).items():
            parts = tokens(pointer)
            self._free_on_the_way(data, parts)
            actual = resolve(data, parts)
            if actual is MISSING:
                why = f"{pointer}: expected {shown(expected)}, found nothing"
                found.append(Difference(why, ("json.keys", "json.values")))
            else:
                found += differences(plain(expected), actual, rules, pointer)
        return found

    def ordered(self, pointer: str) -> bool:
        """Does the order of the array at a pointer matter?"""
        if isinstance(self.order, bool):
            return self.order
        return self.order.get(pointer, True)

    def _free_on_the_way(self, data: Any, parts: list[str]) -> None:
        pointer = ""
        for part in parts:
            if isinstance(data, list) and not self.ordered(pointer):
                raise UndecidedError(
                    f"values= names item {part} of {pointer or 'the document'}, whose order is "
                    "free: name the whole array instead"
                )
            data = resolve(data, [part])
            pointer = joined(pointer, part)

    def _extra(self, data: Any) -> list[Difference]:
        """Keys that neither the schema nor the values name, where these are not allowed."""
        if self.extra_keys is not False:
            return []
        named_by_values = [tokens(pointer) for pointer in self.values or {}]
        found: list[Difference] = []
        self._extra_at(data, [], [self.schema], named_by_values, found)
        return found

    def _extra_at(
        self,
        data: Any,
        path: list[str],
        schemas: list[Any],
        pinned: list[list[str]],
        found: list[Difference],
    ) -> None:
        if path in pinned:
            return  # compared as a whole
        under = [one for one in pinned if one[: len(path)] == path]
        spread = _spread(schemas, self.schema)
        if isinstance(data, list):
            items = [one["items"] for one in spread if isinstance(one.get("items"), dict)]
            for index, item in enumerate(data):
                self._extra_at(item, [*path, str(index)], items, pinned, found)
        if not isinstance(data, dict):
            return
        known = {key for one in spread for key in one.get("properties", {})}
        known |= {one[len(path)] for one in under}
        patterns = [key for one in spread for key in one.get("patternProperties", {})]
        open_ = any(isinstance(one.get("additionalProperties"), dict) for one in spread)
        for key, value in data.items():
            matched = any(re.search(pattern, key) for pattern in patterns)
            if known and not open_ and key not in known and not matched:
                where = "/" + "/".join(path) if path else "the document"
                why = f"{where}: the key {shown(key)} is not expected"
                found.append(Difference(why, ("json.keys",), "extras"))
            inner = [one["properties"][key] for one in spread if key in one.get("properties", {})]
            self._extra_at(value, [*path, key], inner, pinned, found)

    def code(self) -> str:
        """``rh.json(...)``."""
        said: list[str] = []
        if self.schema is not None:
            said.append(f"schema={self.schema!r}")
        if self.values is not None:
            said.append(f"values={dict(self.values)!r}")
        if self.order is not True:
            said.append(f"order={self.order!r}")
        if self.extra_keys is not None:
            said.append(f"extra_keys={self.extra_keys}")
        said += [f"{name}=True" for name in ("fence", "exact_numbers") if getattr(self, name)]
        return f"rh.json({', '.join(said)})"


def _check_schema(schema: Any) -> None:
    from jsonschema.exceptions import SchemaError  # type: ignore[import-untyped]
    from jsonschema.validators import Draft202012Validator, validator_for

    if not isinstance(schema, (dict, bool)):
        raise UsageError(
            f"rh.json: expected a JSON Schema as a dict, found {type(schema).__name__}. "
            "Give the dict, or a class that has model_json_schema()."
        )
    try:
        validator_for(schema, default=Draft202012Validator).check_schema(schema)
    except SchemaError as error:
        raise UsageError(f"rh.json: the schema is no JSON Schema: {error.message}") from None


_ABOUT_KEYS: Final = frozenset(
    {
        "required",
        "dependentRequired",
        "minProperties",
        "maxProperties",
        "additionalProperties",
        "unevaluatedProperties",
        "propertyNames",
    }
)


def _violation(error: Any) -> Difference:
    kinds = ["json.schema"]
    where = "/".join(["", *(str(part) for part in error.absolute_path)]) or "the document"
    if error.validator in _ABOUT_KEYS:
        kinds.append("json.keys")
    elif error.validator == "type" and not error.absolute_path:
        kinds.append("json.type")
    message = error.message if len(error.message) < 160 else error.message[:157] + "..."
    if error.validator == "type":
        message = f"expected {error.validator_value}, found the {named(error.instance)} " + shown(
            error.instance
        )
    return Difference(f"{where}: {message}", tuple(kinds))


def _spread(schemas: list[Any], root: Any) -> list[dict[str, Any]]:
    """Schemas and all that they refer to or combine, as far as that is in the same document."""
    found: list[dict[str, Any]] = []
    waiting = list(schemas)
    while waiting:
        one = waiting.pop()
        if not isinstance(one, dict) or any(one is other for other in found):
            continue
        found.append(one)
        reference = one.get("$ref")
        if isinstance(reference, str) and re.match(r"#(/|$)", reference):
            target = resolve(root, tokens(reference[1:]))
            waiting.append(None if target is MISSING else target)
        for word in ("allOf", "anyOf", "oneOf"):
            waiting += one.get(word, [])
        waiting += [one.get(word) for word in ("if", "then", "else")]
    return found


def json_contract(
    schema: Any = None,
    values: Mapping[str, Any] | None = None,
    *,
    order: bool | Mapping[str, bool] = True,
    extra_keys: bool | None = None,
    fence: bool = False,
    exact_numbers: bool = False,
) -> Json:
    """The answer is one JSON document; see :class:`Json`."""
    return Json(schema, values, order, extra_keys, fence, exact_numbers)
