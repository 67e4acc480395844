"""Other words that look like the answer's: longer, shorter, in another order, with other marks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from redhanded.outputs.case import Case
from redhanded.outputs.contract.text import same
from redhanded.outputs.operators.base import Decline, Provenance, Variant
from redhanded.outputs.operators.build import Answer, Planter, answer_of, rewritten
from redhanded.outputs.operators.truncation import half

NOT_A_WORD: Final = Decline("answer_not_a_word", "give an answer that is a word of four letters")
NOT_TEXT: Final = Decline("answer_not_words", "declare rh.exact(...), rh.one_of(...), rh.answer()")
_SAME_WITH_UN: Final = frozenset(["boned", "loosed", "loosened", "raveled", "ravelled", "thawed"])
_OPPOSITE_WITH_DIS: Final = frozenset(
    [
        "able",
        "agreed",
        "allowed",
        "approved",
        "connected",
        "honest",
        "loyal",
        "qualified",
        "similar",
    ]
)
_LISTS: Final = re.compile(r"[,;/&|]|\b(?:and|or|und|et|y|with|plus)\b", re.I)
PUNCTUATION: Final = (
    (r"(?<=C)\+\+", "#", "another_language"),
    (r"(?<=C)#", "++", "another_language"),
    (r"(?<=[CF])(?:\+\+|#)", "", "mark_dropped"),
    (r"(?<=\w)\+(?!\w|\+)", "", "plus_dropped"),
    (r"(?<=\w)\+(?!\w|\+)", "-", "minus_for_plus"),
    (r"(?<=[A-Z])-(?!\w)", "+", "plus_for_minus"),
    (r"\$(?=\d)", "€", "another_currency"),
    ("€(?=\\d)", "$", "another_currency"),
    ("£(?=\\d)", "$", "another_currency"),
    (r"(?<=\d)%", "", "percent_dropped"),
    (r"(?<![\w.,])-(?=\d)", "", "minus_dropped"),
    (r"(?<=\d)\.(?=\d)", "", "point_dropped"),
    (">=", "<=", "turned"),
    ("<=", ">=", "turned"),
    ("!=", "==", "turned"),
    ("==", "!=", "turned"),
    ("<(?!=)", ">", "turned"),
)
"""What is replaced by what: the marks that change what a text is about."""


_TOLD_BY_ALL: Final = frozenset(
    ["another_language", "mark_dropped", "another_currency", "minus_dropped", "point_dropped"]
)
"""Those that no reader lets pass, whatever the contract; a percent sign may go without saying."""


def _words(case: Case) -> Answer | Decline:
    answer = answer_of(case)
    if isinstance(answer, Answer) and answer.contract.kind in ("number", "math", "choice"):
        return NOT_TEXT
    return answer


def _put(case: Case, answer: Answer, name: str, other: str, why: str) -> list[Variant]:
    text = answer.put(other)
    if text is None:
        return []
    return [Variant(name, rewritten(case.good, text), constructed=answer.meant, why=why)]


def _superstring(case: Case) -> Iterable[Variant] | Decline:
    answer = _words(case)
    if isinstance(answer, Decline):
        return answer
    word = answer.text
    if not word.isalpha() or not word.isascii() or len(word) < 4:
        return NOT_A_WORD
    why = "it is another word that holds the answer's letters"
    if word[0].isupper():
        return [
            *_put(case, answer, "suffix", f"{word}ville", why),
            *_put(case, answer, "prefix", f"Neo{word.lower()}", why),
            *_put(case, answer, "prefix_same_case", f"Xo{word}", why),
        ]
    found = _put(case, answer, "suffix", f"{word}proof", why)
    if re.search(r"(?:ed|able)$", word) and word not in _SAME_WITH_UN:
        found += _put(case, answer, "prefix", f"un{word}", why)
    if word in _OPPOSITE_WITH_DIS:
        found += _put(case, answer, "prefix_dis", f"dis{word}", why)
    return found


def _substring(case: Case) -> Iterable[Variant] | Decline:
    answer = _words(case)
    if isinstance(answer, Decline):
        return answer
    if answer.contract.kind not in ("exact", "one_of"):
        # A part may be a short form of the whole: photo, Chris, Beth.
        return Decline("part_may_be_right", "declare rh.exact(...) or rh.one_of(...)")
    kept = half(answer)
    if kept is None:
        return NOT_A_WORD
    why = "it is no more than a part of the answer's letters"
    rest = answer.text[-len(kept) :]
    return [
        *_put(case, answer, "first_half", kept, why),
        *(_put(case, answer, "last_half", rest, why) if " " not in answer.text else ()),
    ]


def _order(case: Case) -> Iterable[Variant] | Decline:
    answer = _words(case)
    if isinstance(answer, Decline):
        return answer
    if answer.contract.kind != "exact":
        return Decline("needs_exact", "declare rh.exact(...), where the order of words counts")
    body = answer.text.rstrip(".!")
    words = body.split()
    bare = [word.strip(".,;:!?") for word in words]
    if len(words) < 2 or len({word.casefold() for word in bare}) < 2:
        return Decline("one_word", "give an answer of several words")
    names = len(words) < 4 and all(word[:1].isupper() for word in words)
    if names or _LISTS.search(answer.text) or "\n" in answer.text:
        return Decline("order_may_be_free", "give an answer that is no name and no list")
    why = "its words are in another order"
    swapped = [words[-1], *words[1:-1], words[0]]
    ignore = frozenset({"case", "whitespace"})
    orders = {"reversed": words[::-1], "ends_swapped": swapped, "rotated": words[1:] + words[:1]}
    taken: set[str] = set()
    found: list[Variant] = []
    for name, order in orders.items():
        text = " ".join(order) + answer.text[len(body) :]
        if same(text, ignore) not in taken:
            taken.add(same(text, ignore))
            found += _put(case, answer, name, text, why)
    return found


def _punctuation(case: Case) -> Iterable[Variant] | Decline:
    answer = _words(case)
    if isinstance(answer, Decline):
        return answer
    found: list[Variant] = []
    for pattern, instead, name in PUNCTUATION:
        other = re.sub(pattern, instead, answer.text, count=1)
        told = answer.contract.kind == "exact" or name in _TOLD_BY_ALL
        if told and other != answer.text and other.strip():
            found += _put(case, answer, name, other, "a mark that carries the meaning is another")
    return found or Decline("no_telling_mark", "give an answer such as C++, $5 or -5")


OPERATORS: Final = (
    Planter(
        "superstring-answer",
        "defect",
        "superstring",
        "Another word that holds the answer's letters, such as disapproved",
        (
            Provenance(
                "Short keys that were looked for as bare substrings matched inside longer names.",
                "odysseus-dev/odysseus#2120",
            ),
            Provenance(
                "A grader's alias for clear weather also fired inside unclear.",
                "raullenchai/Rapid-MLX#3071",
            ),
        ),
        _superstring,
    ),
    Planter(
        "substring-answer",
        "defect",
        "substring",
        "A part of the answer's letters",
        (
            Provenance(
                "An answer that merely began like an accepted pattern was graded correct.",
                "LQDJudge/online-judge#286",
            ),
            Provenance(
                "A containment test with its sides swapped accepted whatever is part of an option.",
                "open-compass/VLMEvalKit#1701",
            ),
        ),
        _substring,
    ),
    Planter(
        "word-order",
        "defect",
        "word-order",
        "The answer's words in another order",
        (
            Provenance(
                "A scorer for exact matches compared sets of words, so that 'world hello' was "
                "'hello world'.",
                "UKGovernmentBEIS/inspect_ai#4618",
            ),
        ),
        _order,
    ),
    Planter(
        "meaningful-punctuation",
        "defect",
        "punctuation",
        "Another mark where marks carry the meaning: C# for C++, euros for dollars",
        (
            Provenance(
                "A text path stripped punctuation from the target -5, and with it the sign.",
                "UKGovernmentBEIS/inspect_ai#3916",
            ),
            Provenance(
                "Comparison marks at a number's edge were to be stripped as punctuation.",
                "UKGovernmentBEIS/inspect_ai#4744",
            ),
        ),
        _punctuation,
    ),
)
