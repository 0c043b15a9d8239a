"""The events of a match, one frozen type for each line of the record.

``at`` is whole milliseconds since the match was created. ``auto`` marks the only answer
made by the server (Readings 5); the rules treat it like any other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .tiles import Tile

Hand = tuple[Tile, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Seated(Timed):
    """An event of one seat, 0 or 1."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(Seated):
    """An event that may be the only answer of its seat."""

    auto: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready(Seated):
    do: ClassVar[str] = "ready"


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """Two hands of seven and a boneyard of fourteen, the next tile to be drawn first."""

    do: ClassVar[str] = "deal"
    hands: tuple[Hand, Hand]
    boneyard: Hand


@dataclass(frozen=True, slots=True, kw_only=True)
class Start(Timed):
    do: ClassVar[str] = "start"


@dataclass(frozen=True, slots=True, kw_only=True)
class Continue(Timed):
    do: ClassVar[str] = "continue"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reveal(Seated):
    do: ClassVar[str] = "reveal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bid(Seated):
    """A first bid or a raise, in points before any discount."""

    do: ClassVar[str] = "bid"
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Accept(Answer):
    do: ClassVar[str] = "accept"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decline(Answer):
    do: ClassVar[str] = "decline"


@dataclass(frozen=True, slots=True, kw_only=True)
class Play(Seated):
    """A tile laid on ``open`` (the opening tile), ``left``, ``right``, ``up`` or ``down``."""

    do: ClassVar[str] = "play"
    tile: Tile
    arm: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw(Seated):
    do: ClassVar[str] = "draw"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass(Answer):
    do: ClassVar[str] = "pass"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resign(Seated):
    do: ClassVar[str] = "resign"


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeout(Seated):
    do: ClassVar[str] = "timeout"


@dataclass(frozen=True, slots=True, kw_only=True)
class Void(Timed):
    """No winner, no rating change (R8.8); ``begin`` and ``end`` are the unmeasured time."""

    do: ClassVar[str] = "void"
    reason: str
    begin: int | None = None
    end: int | None = None


VOID_REASONS = ("service_failure", "no_show", "abandoned", "staff")

Event = (
    Ready
    | Deal
    | Start
    | Continue
    | Reveal
    | Bid
    | Accept
    | Decline
    | Play
    | Draw
    | Pass
    | Resign
    | Timeout
    | Void
)
