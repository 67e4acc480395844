"""Entries, as they come: which call they belong to, whose they are, what came back."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any, Final

from redhanded.model.graded import Entry
from redhanded.outputs.witness.data import as_data, error_text
from redhanded.outputs.witness.target import Target
from redhanded.outputs.witness.token import TOKEN, Token

UNSEEN: Final = "an exception"
"""Of an exception that left a function and whose type can't be known."""


@dataclass(eq=False)
class Opened:
    """One entry of a watched code object."""

    target: Target
    token: Token | None
    own: bool
    parent: Opened | None
    outermost: bool
    by_exclusivity: bool = False
    done: bool = False
    returned: Any = None
    raised: str | None = None

    def same(self, other: Opened) -> bool:
        """Is it one and the same entry, in another role?"""
        return self.target.code is other.target.code and self.target.role != other.target.role

    def entry(self) -> Entry:
        """As it is stored."""
        return Entry(
            target=self.target.label,
            role=self.target.role,
            instance=None if self.target.instance is None else "own" if self.own else "other",
            returned=as_data(self.returned),
            raised=self.raised if self.done else self.raised or "didn't come back",
            outermost=self.outermost,
            by_exclusivity=self.by_exclusivity,
        )


@dataclass
class Seen:
    """What was seen during one call."""

    opened: list[Opened] = field(default_factory=list)
    stray: int = 0
    """Entries that belong to no known call."""

    def outermost(self, role: str, *, own: bool = True) -> list[Opened]:
        """Entries that no other of their role encloses, of the grader's own instance or others."""
        return [
            one
            for one in self.opened
            if one.target.role == role and one.outermost and one.own is own
        ]


_INSIDE: Final[ContextVar[Opened | None]] = ContextVar("redhanded_inside", default=None)


class Recorder:
    """Keeps the entries of the calls in flight.

    The two ways to watch (:mod:`.monitoring`, :mod:`.profiling`) tell it of frames; it knows
    nothing of how.
    """

    def __init__(self, entered: Callable[[], None] | None = None) -> None:
        self.fault: Callable[[Opened], None] | None = None
        """Called at each own entry; what it raises is raised in the watched code (a canary)."""
        self._entered = entered
        self._targets: dict[CodeType, list[Target]] = {}
        self._frames: dict[FrameType, list[Opened]] = {}
        self._calls: dict[Token, Seen] = {}
        self._threads: frozenset[int | None] = frozenset()
        # A collection may run a destructor here that enters watched code.
        self._lock = threading.RLock()

    def watch(self, targets: Iterable[Target]) -> None:
        """Watch these callables, and no others."""
        found: dict[CodeType, list[Target]] = {}
        for target in targets:
            found.setdefault(target.code, []).append(target)
        self._targets = found

    @property
    def codes(self) -> frozenset[CodeType]:
        """The code objects that are watched."""
        return frozenset(self._targets)

    def begin(self, token: Token) -> None:
        """A call begins."""
        with self._lock:
            self._threads = frozenset(thread.ident for thread in threading.enumerate())
            self._calls[token] = Seen()

    def end(self, token: Token) -> Seen:
        """A call is over: what was seen during it."""
        with self._lock:
            seen = self._calls.pop(token)
            for frame in [at for at, (one, *_) in self._frames.items() if one.token is token]:
                del self._frames[frame]
            return seen

    def watches(self, code: CodeType) -> bool:
        """Is this code watched?"""
        return code in self._targets

    def start(self, frame: FrameType) -> None:
        """A watched function was entered."""
        with self._lock:
            opened = self._open(frame)
        if not opened:
            return
        if self._entered is not None:
            self._entered()
        if self.fault is not None:
            for one in opened:
                if one.own:
                    self.fault(one)

    def _open(self, frame: FrameType) -> list[Opened]:
        token = TOKEN.get()
        alone = False
        if token is None and len(self._calls) == 1:
            # Nobody else is asked: what a thread does that was begun for this call is its doing.
            alone = threading.get_ident() not in self._threads
            token = next(iter(self._calls)) if alone else None
        seen = None if token is None else self._calls.get(token)
        if seen is None:
            for call in self._calls.values():
                call.stray += 1
            return []
        opened = []
        for target, own in self._meant(frame):
            opened.append(self._entry(target, token, own=own, alone=alone))
            _INSIDE.set(opened[-1])
        seen.opened += opened
        self._frames[frame] = opened
        return opened

    def _meant(self, frame: FrameType) -> list[tuple[Target, bool]]:
        """Whose entry this is: a grader that is its own library is both."""
        targets = self._targets[frame.f_code]
        own = [target for target in targets if target.owns(frame)]
        meant = {target.role: (target, bool(own)) for target in reversed(own or targets)}
        return [meant[role] for role in ("grader", "upstream") if role in meant]

    def _entry(self, target: Target, token: Token | None, *, own: bool, alone: bool) -> Opened:
        inside = _INSIDE.get()
        parent = inside if inside is not None and inside.token is token else None
        enclosing = parent
        while enclosing is not None and (enclosing.done or enclosing.target.role != target.role):
            enclosing = enclosing.parent
        return Opened(target, token, own, parent, enclosing is None, alone)

    def known(self, frame: FrameType) -> bool:
        """Was this very frame seen to start?"""
        return frame in self._frames

    def finish(self, frame: FrameType, returned: Any) -> None:
        """It came back."""
        for opened in self._close(frame):
            opened.returned = returned

    def unwind(self, frame: FrameType, error: BaseException | None) -> None:
        """An exception left it; None where its type can't be known."""
        for opened in self._close(frame):
            opened.raised = UNSEEN if error is None else error_text(error)

    def _close(self, frame: FrameType) -> list[Opened]:
        with self._lock:
            closed = self._frames.pop(frame, [])
        for opened in reversed(closed):
            opened.done = True
            if _INSIDE.get() is opened:
                _INSIDE.set(opened.parent)
        return closed

    def name_errors(self, error: BaseException) -> None:
        """Name exceptions that reached us, for the entries that they left unnamed."""
        for seen in self._calls.values():
            for opened in seen.opened:
                if opened.raised == UNSEEN and _top(opened):
                    opened.raised = error_text(error)


def _top(opened: Opened) -> bool:
    """Is nothing of the call's around it, but itself in its other role?"""
    return opened.parent is None or (opened.parent.parent is None and opened.parent.same(opened))
