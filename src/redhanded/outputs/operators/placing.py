"""Numbers in a reference, and others in their place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from redhanded.outputs.case import Case
from redhanded.outputs.contract import literals
from redhanded.outputs.contract.number import Number
from redhanded.outputs.operators.base import Decline, Variant
from redhanded.outputs.operators.build import Answer, answer_of, rewritten, write

NO_NUMBER: Final = Decline("no_number", "declare the number: rh.number(...), or rh.math(...)")
NOT_ALONE: Final = Decline(
    "several_numbers", 'give a reference with one plain number, or rh.number(..., which="last")'
)
ZERO: Final = Decline("zero", "give a number other than zero")


@dataclass(frozen=True)
class Placed:
    """A number in a reference, and the means to put another in its place."""

    case: Case
    answer: Answer
    literal: literals.Literal
    locale: str

    def text(self, numeral: str) -> str:
        """The reference's text with another numeral."""
        good = self.answer.good
        return good[: self.literal.start] + numeral + good[self.literal.end :]

    def variant(self, name: str, numeral: str | None, why: str) -> Iterator[Variant]:
        """The reference with another numeral, where there is one."""
        if numeral is not None:
            yield Variant(
                name,
                rewritten(self.case.good, self.text(numeral)),
                constructed=self.answer.meant,
                why=why,
            )

    def written(self, value: Fraction, places: int | None = None) -> str | None:
        """A value in the style of the reference's numeral."""
        return write(self.literal, value, self.locale, places)


def placed(case: Case) -> Placed | Decline:
    """The number of a case, be it a number by its contract or a text that is one."""
    answer = answer_of(case)
    if isinstance(answer, Decline):
        return answer
    if answer.literal is not None and isinstance(answer.contract, Number):
        if not answer.literal.clean:
            return NOT_ALONE
        return Placed(case, answer, answer.literal, answer.contract.locale)
    if answer.contract.kind in ("choice", "math") or answer.start < 0:
        return NO_NUMBER
    inside = literals.scan(answer.text)
    if not inside or len(inside) > 1 or (inside[0].first, inside[0].last) != (0, len(answer.text)):
        return NO_NUMBER
    # The answer is a text that is a number: other digits make it another.
    found = literals.scan(answer.good) or []
    literal = next((one for one in found if one.first == answer.start), None)
    return Placed(case, answer, literal, "en") if literal and literal.clean else NOT_ALONE
