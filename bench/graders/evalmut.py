"""Another tool's own suite, asked by that tool and by redhanded, row by row.

evalmut (the public repository egnaro9/evalmut) ships ``demos/dogfood_gradecore.py``: fourteen
kinds of gradecore's graders, with what each case declares. Its run is kept as it came out
(``theirs.json``: case, operator, outcome); so is redhanded's run on the same file, loaded by the
importer. The suite itself isn't kept here::

    evalmut run demos/dogfood_gradecore.py --json --all > rows.json
    python -m bench.graders compare demos/dogfood_gradecore.py --rows rows.json --commit REV
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bench.graders import records

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

NAME: Final = "evalmut-gradecore"
THEIRS: Final = "theirs.json"
ROWS: Final = "rows.json"
REASONS: Final = "reasons.toml"

SAME: Final[Mapping[str, tuple[str, ...]]] = {
    "truncate_before_answer": ("truncated-output",),
    "blank_output": ("blank-output",),
    "near_miss_number": ("outside-tolerance", "near-miss-number"),
    "garbage_answer": ("garbage-output",),
    "keyword_present_but_negated": ("negated-answer",),
    "spurious_cue_token_insert": ("keyword-without-answer",),
    "append_grader_directed_suffix": ("grader-instruction",),
    "comply_with_harm": ("compliance-for-refusal",),
    "over_refuse_benign": ("over-refusal",),
    "fabricate_over_abstain": ("fabrication",),
    "leak_injection": ("leaked-marker",),
    "json_value_type_flip": ("json-type-flip",),
    "json_value_corruption": ("json-value-change",),
    "drop_supporting_context": ("grounding-dropped-context",),
    "trajectory_drop_step": ("trajectory-dropped-call",),
    "inject_denylisted_tool": ("denied-tool",),
    "trailing_disclaimer": ("closing-disclaimer",),
    "whitespace_noise": ("white-space", "json-whitespace"),
    "json_code_fence": ("json-fence", "fenced-answer"),
    "case_variant": ("letter-case",),
    "identical_to_reference": ("identical-answer",),
    "malformed_structure": ("json-malformed",),
    "parser_accepted_variant": ("json-key-order", "json-whitespace"),
    "numeric_format_variant": ("number-format",),
    "leading_article_variant": ("leading-article",),
}
"""What plants the same there and here."""

CAUGHT: Final = frozenset({"caught", "confounded", "held"})
"""What the formula of evalmut counts as caught: it has no shams, so it credits ``confounded``."""
NOT_ASKED: Final = "n/a"


@dataclass(frozen=True)
class Row:
    """One row of theirs that was applied, and what stands in its place here."""

    case: str
    operator: str
    outcome: str
    """Theirs."""
    ours: tuple[str, ...]
    """Operators that were asked here."""
    outcomes: Mapping[str, int]
    """Variants by outcome."""
    codes: tuple[str, ...]
    """Why none was asked here, where none was."""

    @property
    def key(self) -> str:
        """As the reasons name it."""
        return f"{self.case} {self.operator}"

    @property
    def agrees(self) -> bool:
        """Caught there and every variant here, or missed there and some variant here."""
        if not self.outcomes:
            return False
        wrong = set(self.outcomes) - CAUGHT
        return not wrong if self.outcome == "caught" else "missed" in wrong


def keep_theirs(rows: Path, commit: str, versions: Mapping[str, str], folder: Path) -> None:
    """Keep what the other tool said: case, operator, outcome, and nothing else of it."""
    told = json.loads(rows.read_text(encoding="utf-8"))["results"]
    kept = {
        "repository": "egnaro9/evalmut",
        "suite": "demos/dogfood_gradecore.py",
        "commit": commit,
        "versions": dict(versions),
        "rows": [[one["case_name"], one["operator_id"], one["outcome"]] for one in told],
    }
    _write(folder / THEIRS, kept)


def keep_ours(rows: Iterable[Any], folder: Path) -> None:
    """Keep the outcome of each of our rows, but those for outputs of another kind."""
    kept = [
        [row.case, row.operator, row.variant, str(row.outcome), *([row.code] if row.code else [])]
        for row in rows
        if row.code != "needs_contract"
    ]
    _write(folder / ROWS, kept)


def _write(path: Path, data: Any) -> None:
    if isinstance(data, dict):
        head = {name: value for name, value in data.items() if name != "rows"}
        text = json.dumps(head, indent=1)[:-2] + f',\n "rows": {_lines(data["rows"])}\n}}'
    else:
        text = _lines(data)
    path.write_text(text + "\n", encoding="utf-8")


def _lines(rows: Iterable[Any]) -> str:
    return "[\n" + ",\n".join(f"  {json.dumps(one)}" for one in rows) + "\n ]"


def theirs(results: Path = records.RESULTS) -> Mapping[str, Any]:
    """What evalmut said."""
    found: Mapping[str, Any] = _read(results / NAME / THEIRS)
    return found


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise records.RecordError(f"{path.name}: {error}") from None


def rows(results: Path = records.RESULTS) -> list[Row]:
    """All rows that were applied there, in their order."""
    asked: dict[tuple[str, str], Counter[str]] = {}
    codes: dict[tuple[str, str], str] = {}
    for case, operator, _, outcome, *code in _read(results / NAME / ROWS):
        asked.setdefault((case, operator), Counter())[outcome] += 1
        if code:
            codes[case, operator] = code[0]
    found = []
    for case, operator, outcome in theirs(results)["rows"]:
        if outcome == "na":
            continue
        same = [(name, asked.get((case, name), Counter())) for name in SAME[operator]]
        mine = [name for name, one in same if set(one) - {NOT_ASKED}]
        together: Counter[str] = Counter()
        for _, one in same:
            together.update({word: n for word, n in one.items() if word != NOT_ASKED})
        why = tuple(codes[case, name] for name, _ in same if (case, name) in codes)
        found.append(Row(case, operator, outcome, tuple(mine), dict(sorted(together.items())), why))
    return found


def only_here(results: Path = records.RESULTS) -> int:
    """Rows that were not applicable there, and were asked here."""
    asked = {
        (case, operator)
        for case, operator, _, outcome, *_ in _read(results / NAME / ROWS)
        if outcome != NOT_ASKED
    }
    return sum(
        outcome == "na" and any((case, name) in asked for name in SAME[operator])
        for case, operator, outcome in theirs(results)["rows"]
    )


def reasons(results: Path = records.RESULTS) -> dict[str, str]:
    """Why a row differs, by ``case operator``."""
    path = results / NAME / REASONS
    data = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return {key: str(why) for key, why in data.items()}
