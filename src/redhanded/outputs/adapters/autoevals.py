"""Scorers of autoevals: ``eval(output, expected, input=...) -> Score``."""

from __future__ import annotations

import inspect
from typing import Any, Final

from redhanded.errors import UsageError
from redhanded.model.output import Output
from redhanded.outputs.adapters import claims, project, reading, upstream
from redhanded.outputs.adapters.base import Asked, Watched
from redhanded.outputs.adapters.prepared import Prepared, call_text, own_copy
from redhanded.outputs.case import Case

ONLINE: Final = ("autoevals.llm", "autoevals.ragas", "autoevals.moderation")
"""Modules whose scorers ask a model."""


class Autoevals:
    """Scorers of autoevals.

    The output is its value where it has one, else its text (``hints={"parse": "json"}`` has it
    parsed first); ``expected`` is the case's target, ``input`` its input. A score becomes a
    verdict by ``pass_at`` alone: autoevals has no bar of its own. Each call asks a copy of the
    scorer.
    """

    framework = "autoevals"

    def knows(self, grader: Any) -> bool:
        """Is it a scorer, a scorer's class, or a method of one?"""
        return kind_of(grader) is not None

    def open(self, case: Case) -> Asked:
        """Make a scorer ready."""
        grader = _made(case)
        offline(case, grader, type(grader).__name__)
        name = _named(grader)
        settings = {**settings_of(grader), **partial_of(grader)}
        stock = type(grader).__module__.partition(".")[0] == "autoevals"

        def read(raw: Any) -> dict[str, Any]:
            return reading.read(raw, case.pass_at)

        def make(scorer: Any, rebuild: Any) -> Prepared:
            def ask(output: Output) -> Any:
                given = {} if case.input is None else {"input": own_copy(case.input)}
                evaluate = getattr(scorer, entry)
                return evaluate(project.data_of(output, case), own_copy(case.target), **given)

            inner = Watched(_inner(scorer), "upstream", instance=scorer, via=read)
            entry = "eval" if inner.function.__name__ == "_run_eval_sync" else "eval_async"
            outer = inspect.unwrap(getattr(type(scorer), entry))
            if stock:
                watched = [Watched(outer, "grader", instance=scorer), inner]
            else:
                watched = [Watched(inner.function, "grader", instance=scorer)]
            return Prepared(
                name=name,
                watched=[*watched, *upstream.declared(case.upstream)],
                ask=ask,
                read=read,
                claim=claims.claim("autoevals", type(grader).__name__, settings) if stock else None,
                rebuild=rebuild,
            )

        if own_copy(grader) is grader:
            return make(grader, None)
        return make(grader, lambda: make(own_copy(grader), None))


def kind_of(grader: Any) -> type | None:
    """The scorer's class, where a grader is one, is made of one or is bound to one."""
    owner = grader.__self__ if inspect.ismethod(grader) else grader
    kind = owner if isinstance(owner, type) else type(owner)
    for base in kind.__mro__:
        if base.__module__ == "autoevals.score" and base.__name__ == "Scorer":
            return kind
    return None


def _made(case: Case) -> Any:
    grader = case.grader
    grader = grader.__self__ if inspect.ismethod(grader) else grader
    if not isinstance(grader, type):
        return grader
    try:
        return grader()
    except TypeError as error:
        raise UsageError(
            f"{case.id}: {grader.__name__} can't be made without arguments: {error}",
            hint=f"Give a made one: {grader.__name__}(...).",
        ) from None


def offline(case: Case, scorer: Any, top: str) -> None:
    """Refuse scorers that ask a model, also where another scorer uses them.

    Raises:
        UsageError: It does; says how to allow it.
    """
    kinds = type(scorer).__mro__
    asks = any(one.__module__ in ONLINE or one.__name__ == "EmbeddingSimilarity" for one in kinds)
    if asks and not case.hints.get("online"):
        raise UsageError(
            f"{case.id}: {top} asks a model"
            + ("" if type(scorer).__name__ == top else f" (through {type(scorer).__name__})"),
            hint="Graders that ask a model run with hints={'online': True} only.",
        )
    for part in vars(scorer).values():
        if kind_of(part) is not None and not isinstance(part, type):
            offline(case, part, top)


def _inner(scorer: Any) -> Any:
    """The method of the scorer's class that gives the verdict; the async one where it has one."""
    kind = type(scorer)
    for base in kind.__mro__:
        if "_run_eval_async" in vars(base):
            if base.__module__ == "autoevals.score":
                break
            return inspect.unwrap(vars(base)["_run_eval_async"])
    return inspect.unwrap(kind._run_eval_sync)


def settings_of(scorer: Any) -> dict[str, Any]:
    """The constructor's arguments, as the scorer keeps them."""
    try:
        parameters = inspect.signature(type(scorer).__init__).parameters
    except (TypeError, ValueError):
        return {}
    held = vars(scorer)
    return {
        name: held[name]
        for name in parameters
        if name in held and held[name] is not None and kind_of(held[name]) is None
    }


def partial_of(scorer: Any) -> dict[str, Any]:
    """What ``partial`` was given."""
    given = getattr(type(scorer), "_partial_args", None)
    return dict(given()) if given is not None else {}


def _named(scorer: Any) -> str:
    kind = type(scorer)
    try:
        signature = inspect.signature(kind.__init__)
    except (TypeError, ValueError):
        signature = None
    text = call_text(kind.__name__, settings_of(scorer), signature)
    partial = partial_of(scorer)
    if partial:
        text = call_text(f"{kind.__name__}.partial", partial, None) + "()"
    return f"autoevals:{text}"
