"""Tasks and logs of Inspect: each sample with each scorer."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from redhanded.errors import UsageError
from redhanded.model.output import Message, Output, ToolCall
from redhanded.outputs import api
from redhanded.outputs.adapters.prepared import module
from redhanded.outputs.case import Case
from redhanded.outputs.importers.found import SAMPLE, Found, grader_name, spread

LINED: Final = ("choice", "answer")
"""Stock scorers that read a last line ``ANSWER: ...``."""
NO_TARGET: Final = "the sample has no target"


def is_task(thing: Any) -> bool:
    """Is it a task, or a function that makes one?"""
    info = getattr(thing, "__registry_info__", None)
    return getattr(info, "type", None) == "task" or any(
        base.__name__ == "Task" and base.__module__.startswith("inspect_ai.")
        for base in type(thing).__mro__
    )


def read_task(name: str, task: Any, folder: Path, most: int | None = None) -> Found:
    """The cases of a task: its dataset's targets, written as its scorers expect them.

    Args:
        name: Of the task: the ids begin with it.
        task: A task, or the function that makes one.
        folder: Where the task's file lies, from which its dataset is read.
        most: How many of its samples are taken.

    Raises:
        UsageError: The task can't be made.
    """
    with _within(folder):
        made = _made(name, task) if callable(task) else task
    samples = list(made.dataset)
    found = Found()
    scorers = _scorers(made.scorer)
    if not scorers:
        raise UsageError(f"{name}: expected a task with scorers, found none")
    taken = spread(list(enumerate(samples, 1)), most or SAMPLE)
    if len(taken) < len(samples):
        found.notes.append(
            f"{name}: {len(taken)} of {len(samples)} samples were taken, at even distances; "
            "--max-cases takes more"
        )
    for place, sample in taken:
        here = f"{name}:{place if sample.id is None else sample.id}"
        for scorer in scorers:
            label = f"{here}:{_short(scorer)}"
            lacking = _lacking(scorer, sample)
            if lacking is not None:
                found.leave(scorer, "no_reference", lacking, label)
                continue
            good = Output(text=_reference(scorer, sample))
            group = here if len(scorers) > 1 else None
            found.add(label, scorer, lambda: _case(label, group, scorer, sample, good))  # noqa: B023
    return found


def read_log(path: Path, most: int | None = None) -> Found:
    """The cases of a log: outputs that a model gave and a scorer marked correct.

    Raises:
        UsageError: It can't be read, or none of its scorers can be made again.
    """
    try:
        log = module("inspect_ai.log").read_eval_log(str(path))
    except Exception as error:
        raise UsageError(f"{path}: expected a log of Inspect, found: {error}") from None
    found = Found()
    name = str(log.eval.task).rpartition("/")[2]
    samples = list(log.samples or ())
    plain: list[str] = []
    for spec in log.eval.scorers or ():
        scorer = _again(found, log, spec)
        if scorer is None:
            continue
        right = [one for one in samples if _correct((one.scores or {}).get(_last(spec.name)))]
        if not right:
            found.leave(scorer, "no_reference", "no sample of the log was marked correct")
        for sample in spread(right, most or SAMPLE):
            label = f"{name}:{sample.id}:{_last(spec.name)}"
            if sample.epoch > 1:
                label += f":{sample.epoch}"
            if not _texts(sample.target):
                found.leave(scorer, "no_reference", NO_TARGET, label)
                continue
            found.add(label, scorer, lambda: _logged(plain, label, scorer, sample))  # noqa: B023
    if not (log.eval.scorers or ()):
        raise UsageError(f"{path}: expected a log with scorers, found none")
    if plain:
        found.notes.append(
            f"{name}: the target alone is the reference in {len(plain)} of {len(found.cases)} "
            f"cases, such as {plain[0]}: no contract that can be derived judges what the model "
            "wrote there"
        )
    return found


def _logged(plain: list[str], name: str, scorer: Any, sample: Any) -> Case:
    """A case of what a model gave; of the target where no contract can judge the model's words."""
    try:
        return _case(name, None, scorer, sample, output_of(sample))
    except UsageError:
        if _lacking(scorer, sample) is not None:
            raise
    made = _case(name, None, scorer, sample, Output(text=_reference(scorer, sample)))
    plain.append(name)
    return made


def output_of(sample: Any) -> Output:
    """What the model gave for a sample of a log."""
    results = {one.tool_call_id: one for one in sample.messages if one.role == "tool"}
    known = {
        call.id
        for one in sample.messages
        if one.role == "assistant"
        for call in one.tool_calls or ()
    }
    messages = tuple(
        Message(one.role, one.text, tuple(_call(call, results) for call in _calls(one)))
        for one in sample.messages
        if not (one.role == "tool" and one.tool_call_id in known)
    )
    text = sample.output.completion
    # A conversation of a question and an answer says nothing more than both.
    several = len(messages) > 2 or any(one.tool_calls for one in messages)
    return Output(text=text, messages=messages if several else ())


def _calls(message: Any) -> Sequence[Any]:
    return (message.tool_calls or ()) if message.role == "assistant" else ()


def _call(call: Any, results: dict[str, Any]) -> ToolCall:
    result = results.get(call.id)
    failed = None if result is None or result.error is None else str(result.error.message)
    said = None if result is None or failed is not None else result.text
    return ToolCall(call.function, dict(call.arguments), said, failed, call.id)


def _made(name: str, task: Any) -> Any:
    try:
        return task()
    except (Exception, SystemExit) as error:
        raise UsageError(
            f"{name}: the task can't be made: {type(error).__name__}: {error}",
            hint="It is made without arguments; give those it needs a default.",
        ) from None


def _scorers(given: Any) -> list[Any]:
    if given is None:
        return []
    return list(given) if isinstance(given, (list, tuple)) else [given]


def _short(scorer: Any) -> str:
    return grader_name(scorer).rpartition("/")[2]


def _last(name: str) -> str:
    return name.rpartition("/")[2]


def _texts(target: Any) -> list[str]:
    given = target if isinstance(target, (list, tuple)) else [target]
    return [str(one) for one in given if str(one).strip()]


def _lacking(scorer: Any, sample: Any) -> str | None:
    """Why no reference can be made of a sample's target, if so."""
    texts = _texts(sample.target)
    if not texts:
        return NO_TARGET
    settings = getattr(scorer, "__registry_params__", {})
    sought = settings.get("pattern") if _short(scorer) == "pattern" else None
    if isinstance(sought, str) and re.search(sought, texts[0]) is None:
        return (
            f"its answer stands in a frame, {sought}, that the target doesn't have. Write the "
            "case by hand: rh.case(pattern(...), good=<an answer in its frame>, target=..., "
            "right=rh.pattern(...)), or give the log of a run"
        )
    return None


def _reference(scorer: Any, sample: Any) -> str:
    """A right answer, written as the scorer's own solver has the model write it."""
    texts = _texts(sample.target)
    if _short(scorer) in LINED:
        letters = ",".join(texts) if _short(scorer) == "choice" else texts[0]
        return f"ANSWER: {letters}"
    return texts[0]


def _case(name: str, group: str | None, scorer: Any, sample: Any, good: Output) -> Case:
    texts = _texts(sample.target)
    hints: dict[str, Any] = {}
    if sample.choices:
        hints["choices"] = list(sample.choices)
    if sample.metadata:
        hints["metadata"] = dict(sample.metadata)
    given = sample.input
    return api.case(
        scorer,
        good=good,
        target=texts[0] if len(texts) == 1 else texts,
        input=given if isinstance(given, str) else [_message(one) for one in given],
        id=name,
        group=group,
        hints=hints,
    )


def _message(message: Any) -> dict[str, str]:
    return {"role": str(message.role), "content": str(message.text)}


def _correct(score: Any) -> bool:
    return _full_marks(getattr(score, "value", None))


def _full_marks(value: Any) -> bool:
    if isinstance(value, Mapping):
        return bool(value) and all(map(_full_marks, value.values()))
    return value in ("C", "yes", "true") or (not isinstance(value, str) and value in (1, 1.0))


def _again(found: Found, log: Any, spec: Any) -> Any:
    """The scorer that a log names, made once more."""
    scorer = module("inspect_ai.scorer")
    loader = module("inspect_ai._eval.loader")
    file = None if log.eval.task_file is None else Path(log.eval.task_file)
    try:
        make = getattr(scorer, "ScorerSpec", None) or loader.ScorerSpec
        return loader.scorer_from_spec(make(scorer=spec.name), file, **(spec.options or {}))
    except Exception as error:
        found.leave(
            _last(spec.name),
            "not_loaded",
            f"the scorer can't be made again: {type(error).__name__}: {error}. Run this where the "
            "task's file is, or give the task instead of its log.",
        )
        return None


@contextlib.contextmanager
def _within(folder: Path) -> Iterator[None]:
    """Stand in a folder, as Inspect does while it makes a task."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
