"""The two seats, their points and their clocks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils.translation import ngettext

from games import words
from games.rules.clock import DELAY
from games.words import People

from .answers import View
from .table import COUNTER
from .veil import sides

LOW_BANK = 20_000  # ms; below it a clock warns
LAST_BANK = 10_000  # ms; below it a clock warns more loudly


class Rating(NamedTuple):
    """A rating as a match began; a provisional one is marked."""

    points: int
    provisional: bool


@dataclass(frozen=True, slots=True)
class Clock:
    """A seat's clock as it stood when this was rendered.

    ``delay`` is in whole seconds, rounded up, and ``share`` what is left of it, in hundredths; the
    bank is ``low``, and in the end ``last``.
    """

    bank: str
    delay: int | None
    running: bool
    low: bool
    last: bool
    share: int


@dataclass(frozen=True, slots=True)
class SeatView:
    """One of the two, at the top or at the bottom of the page."""

    seat: int
    name: str
    you: bool
    side: str
    points: int
    counters: int
    clock: Clock
    held: int
    held_text: str
    jockey: bool
    rating: Rating | None


def seat_view(view: View, people: People, seat: int, info: Mapping[str, Any]) -> SeatView:
    held = view["hand_sizes"][seat]
    return SeatView(
        seat=seat,
        name=people.name(seat),
        you=people.is_you(seat),
        side=sides(info, view)[seat],
        points=view["chips"][seat],
        counters=view["chips"][seat] // COUNTER,
        clock=_clock(view, seat),
        held=held,
        held_text=ngettext("%(n)s tile", "%(n)s tiles", held) % {"n": held},
        jockey=view["jockey"] == seat and view["phase"] in ("auction", "opening", "round_over"),
        rating=rating_of(info, seat),
    )


def rating_of(info: Mapping[str, Any], seat: int) -> Rating | None:
    """A player's rating as the match began, where it is known."""
    points, provisional = (info.get("ratings") or [(None, True)] * 2)[seat]
    return None if points is None else Rating(points, provisional)


def bank_now(view: View, seat: int) -> int:
    """A seat's bank at the moment of the view, the running decision included."""
    clock = view["clock"]
    if clock["running"] != seat:
        return int(clock["bank"][seat])
    return int(max(0, clock["left"] - clock["delay_left"]))


def _clock(view: View, seat: int) -> Clock:
    bank = bank_now(view, seat)
    running = view["clock"]["running"] == seat
    delay = -(-view["clock"]["delay_left"] // 1000) if running else None
    # A running clock that has reached nothing has not been judged yet.
    shown = max(1, bank) if running else bank
    share = -(-view["clock"]["delay_left"] * 100 // DELAY) if running else 0
    return Clock(
        words.minutes(shown), delay, running, bank <= LOW_BANK, bank <= LAST_BANK, min(share, 100)
    )
