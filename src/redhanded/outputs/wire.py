"""What passes between a run and the process that asks a grader."""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec

from redhanded.model.graded import Answer, Entry, Lack, Phase, WitnessKind

Canary = Literal["raises", "inverted"]


class Open(msgspec.Struct, frozen=True, tag=True):
    """Make the case's grader ready, and say what it is."""


class Fresh(msgspec.Struct, frozen=True, tag=True):
    """What follows is asked of a process that has asked nothing yet."""


class Ask(msgspec.Struct, frozen=True, tag=True):
    """One call of the grader."""

    phase: Phase
    output: int
    """Which of the plan's outputs."""
    row: str | None = None
    repeat: int = 0
    canary: Canary | None = None


class Opened(msgspec.Struct, frozen=True, tag=True):
    """A grader made ready."""

    name: str = ""
    state: Literal["fresh", "forked", "shared"] = "shared"
    witness: WitnessKind = WitnessKind.ENTERED
    watched: tuple[str, ...] = ()
    has_upstream: bool = False
    checked: bool = False
    """Each verdict is compared with what the upstream returned."""
    unwatchable: tuple[str, ...] = ()
    claim: tuple[str, ...] | None = None
    claim_where: str | None = None
    error: str | None = None
    """Why it can't be made ready."""
    code: str = ""


class Said(msgspec.Struct, frozen=True):
    """One verdict."""

    answer: Answer
    score: float | None = None
    why: str = ""
    lack: Lack | None = None
    """Why this verdict is no evidence."""


class Entered(msgspec.Struct, frozen=True, tag=True):
    """The watched code was entered; sent at once, since the call may never come back."""

    entry: Entry


class Reply(msgspec.Struct, frozen=True, tag=True):
    """What came of one call."""

    verdicts: dict[str, Said]
    raw: Any = None
    error: str | None = None
    entries: tuple[Entry, ...] = ()
    witness: WitnessKind = WitnessKind.ENTERED
    stray: int = 0
    seconds: float = 0.0
    inverted: int = 0
    uninvertible: str | None = None


Question = Open | Ask
Message = Opened | Entered | Reply

encode: Final = msgspec.msgpack.Encoder().encode
decode_question: Final = msgspec.msgpack.Decoder(Question).decode
decode_message: Final = msgspec.msgpack.Decoder(Message).decode


def framed(message: Question | Message) -> bytes:
    """A message with its length before it."""
    body = encode(message)
    return len(body).to_bytes(4, "big") + body


class Buffer:
    """Takes bytes as they come; gives whole messages."""

    def __init__(self) -> None:
        self._held = bytearray()

    def feed(self, data: bytes) -> list[Message]:
        """The messages that are complete with these bytes."""
        self._held += data
        found: list[Message] = []
        while len(self._held) >= 4:
            length = int.from_bytes(self._held[:4], "big")
            if len(self._held) < 4 + length:
                break
            found.append(decode_message(bytes(self._held[4 : 4 + length])))
            del self._held[: 4 + length]
        return found


def failed(error: str, *, entries: tuple[Entry, ...] = (), lack: Lack | None = None) -> Reply:
    """A call from which nothing came back."""
    said = Said(Answer.ERROR, why=error, lack=lack)
    return Reply(verdicts={"": said}, error=error, entries=entries)
