"""Figures as the templates show them: drawn like the live table, summed and told by the rules."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import words
from games.board import FRAMES, Frame, Layout, lay_out
from games.present.answers import View
from games.present.table import COUNTER, Drawing, Mark, drawing, key, place, table_text
from games.rules.auction import DISCOUNT
from games.rules.match import POINTS, State
from games.rules.sight import view_for
from games.words.tiles import arms_list

from . import played
from .positions import BALANCES, BIDS, BLOCKS, DECISIONS, POSITIONS, ROUNDINGS, STORIES

HALF = 36  # px of a half tile in a figure that has room
EDGE = 0.55  # half tiles kept free around what is drawn
LABEL = 0.36  # radius of an end's count, in half tiles
LONG = 8  # tiles laid, above which the order of play is no longer told

FRAME = {"wide": FRAMES["wide"], "tall": Frame(390, 450)}

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Face:
    """A tile of a hand: its symbol's key and its name in words."""

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class Held:
    """A hand and its pips."""

    tiles: tuple[Face, ...]
    sum: int


@dataclass(frozen=True, slots=True)
class Figure:
    """A table: ``view`` is a spectator's, ``width`` and ``height`` are px at full size."""

    drawing: Drawing
    width: int
    height: int
    view: View

    @property
    def count(self) -> int:
        """The sum over the open ends."""
        count: int = self.view["count"]
        return count

    @property
    def paid(self) -> int:
        """The points that the last tile moved."""
        transfer = self.view["transfer"]
        return transfer["points"] if transfer and transfer["for"] == "ends" else 0

    @property
    def terms(self) -> str:
        """The sum, term by term: ``5 + 5``."""
        return " + ".join(str(points) for points, _words in words.end_terms(self.view["ends"]))

    @property
    def told(self) -> str:
        """The sum, and what is paid for it or why nothing is."""
        values = {"terms": self.terms, "sum": self.count, "points": self.paid}
        if self.paid:
            return _("%(terms)s = %(sum)s: the opponent pays %(points)s points.") % values
        if self.count == 0:
            return _("%(terms)s = %(sum)s: zero pays nothing.") % values
        return _("%(terms)s = %(sum)s: no multiple of five, so nothing is paid.") % values

    @property
    def alt(self) -> str:
        """The picture in words."""
        laid = self.view["table"]
        if len(laid) > LONG:
            return table_text(self.view)
        order = "; ".join(
            _("%(tile)s, %(arm)s")
            % {"tile": words.tile_name(one["tile"]), "arm": arms_list((one["arm"],))}
            for one in laid
        )
        told = _("Laid in this order: %(tiles)s.") % {"tiles": order}
        return f"{told} {table_text(self.view)}"

    @property
    def hands(self) -> list[Held]:
        """What both players still hold where the round is over."""
        return [held(hand) for hand in self.view.get("hands", ())]


def held(hand: list[str]) -> Held:
    """A hand of tiles written as in the record."""
    faces = tuple(Face(key(tile), words.tile_name(tile)) for tile in hand)
    return Held(faces, sum(sum(words.halves(tile)) for tile in hand))


@cache
def figure(name: str) -> Figure:
    """The table of a position; ``KeyError`` for a name that is not in ``POSITIONS``."""
    position = POSITIONS[name]
    view = view_for(played.play(position), None)
    layout = lay_out(
        [(str(tile), arm) for tile, arm in played.plays(position)], FRAME[position.frame]
    )
    drawn = drawing("drawn", layout, view)
    # Unlike at a match, side arms that nobody used show what they count: nothing.
    ends = tuple(
        Mark(str(view["ends"][arm]["count"]), place(target.end_x, target.end_y))
        for arm, target in layout.targets.items()
        if arm in view["ends"]
    )
    left, top, width, height = _cropped(layout)
    viewbox = " ".join(f"{edge:g}" for edge in (left, top, width, height))
    return Figure(
        replace(drawn, viewbox=viewbox, ends=ends),
        round(width * HALF),
        round(height * HALF),
        view,
    )


def _cropped(layout: Layout) -> Box:
    """The part of the plane that a figure shows: left, top, width, height in half tiles."""
    boxes: list[Box] = []
    for tile in layout.tiles:
        wide, high = (1.0, 0.5) if tile.turn % 180 == 0 else (0.5, 1.0)
        boxes.append((tile.x - wide, tile.y - high, tile.x + wide, tile.y + high))
    for end in layout.targets.values():
        x, y = end.end_x, end.end_y
        boxes.append((x - LABEL, y - LABEL, x + LABEL, y + LABEL))
    left, top = (min(box[edge] for box in boxes) - EDGE for edge in (0, 1))
    right, bottom = (max(box[edge] for box in boxes) + EDGE for edge in (2, 3))
    return round(left, 2), round(top, 2), round(right - left, 2), round(bottom - top, 2)


@dataclass(frozen=True, slots=True)
class Blocked:
    """A blocked round: both hands, the sum that is rounded, and what it pays."""

    hands: tuple[Held, Held]
    paid: int

    @property
    def told(self) -> str:
        """Who receives what, and why."""
        low, high = sorted(hand.sum for hand in self.hands)
        if low == high:
            return _("%(low)s and %(high)s are equal: nothing is paid.") % {
                "low": low,
                "high": high,
            }
        return _(
            "%(low)s is smaller than %(high)s. The %(high)s are rounded to %(points)s, and the "
            "smaller hand receives %(points)s points. Its own %(low)s are not taken off."
        ) % {"low": low, "high": high, "points": self.paid}


def blocked(state: State) -> Blocked:
    """A round that both players' passes have ended."""
    first, second = ([str(tile) for tile in hand] for hand in state.hands)
    points = state.transfer.points if state.transfer else 0
    return Blocked((held(first), held(second)), points)


@dataclass(frozen=True, slots=True)
class Told:
    """A step of an auction in words; ``price`` is empty where no bid stands."""

    who: str
    said: str
    price: str


@dataclass(frozen=True, slots=True)
class Story:
    """An auction, step by step, and both balances after it."""

    steps: tuple[Told, ...]
    jockey: int
    opponent: int
    end: str


def story(name: str) -> Story:
    """One of the ``STORIES``."""
    steps, state = played.auctioned(STORIES[name])
    jockey, opponent = state.chips
    return Story(tuple(_step(step) for step in steps), jockey, opponent, _end(state))


def _step(step: played.Step) -> Told:
    said = {
        "bid": _("bids %(points)s"),
        "accept": _("accepts"),
        "decline": _("declines to bid"),
    }[step.do] % {"points": step.points}
    who = _("Jockey") if step.seat == 0 else _("Opponent")
    return Told(who, said, "" if step.price is None else str(step.price))


def _end(state: State) -> str:
    jockey, opponent = state.chips
    values = {"jockey": jockey, "opponent": opponent, "points": abs(jockey - POINTS)}
    if jockey == opponent:
        return _("The jockey opens and pays nothing.")
    if state.to_act == 0:
        return (
            _(
                "The jockey pays %(points)s and opens. "
                "Jockey %(jockey)s points, opponent %(opponent)s."
            )
            % values
        )
    return (
        _(
            "The opponent pays %(points)s and opens. "
            "Jockey %(jockey)s points, opponent %(opponent)s."
        )
        % values
    )


@dataclass(frozen=True, slots=True)
class Price:
    """What a winning bid costs either player."""

    bid: int
    jockey: int
    opponent: int

    @property
    def sum(self) -> str:
        """How the jockey's price comes about."""
        return f"{self.bid} − {DISCOUNT} = {self.jockey}"


@dataclass(frozen=True, slots=True)
class Room:
    """The bids that a balance allows, in words."""

    balance: int
    opponent: str
    jockey: str


def rooms() -> list[Room]:
    """What either player may bid with different balances."""
    return [
        Room(balance, _bids(first, _("must decline")), _bids(raised, _("must accept")))
        for balance in BALANCES
        for first, raised in (played.bids(balance),)
    ]


def _bids(allowed: tuple[int, int] | None, otherwise: str) -> str:
    if allowed is None:
        return otherwise
    least, greatest = allowed
    if least == greatest:
        return _("%(points)s only") % {"points": least}
    return _("%(least)s to %(greatest)s") % {"least": least, "greatest": greatest}


def seconds(number: int) -> str:
    """A number of seconds in words."""
    return ngettext("%(n)s second", "%(n)s seconds", number) % {"n": number}


def context() -> dict[str, Any]:
    """What the templates of the rules need."""
    return {
        "figures": {name: figure(name) for name in POSITIONS},
        "blocks": {
            "real": blocked(played.play(POSITIONS["blocked"])),
            **{
                name: blocked(played.block((played.tiles(first), played.tiles(second))))
                for name, (first, second) in BLOCKS.items()
            },
        },
        "roundings": [(pips, played.rounded(pips)) for pips in ROUNDINGS],
        "stories": {name: story(name) for name in STORIES},
        "prices": [Price(bid, *played.prices(bid)) for bid in BIDS],
        "rooms": rooms(),
        "decisions": [(seconds(length), seconds(played.spent(length))) for length in DECISIONS],
        "counter_rows": counters(),
    }


def counters() -> list[tuple[int, int, int]]:
    """The balances before and after the figure of four arms, and the first one's counters."""
    after = POINTS + figure("four_arms").paid
    return [(one, 2 * POINTS - one, one // COUNTER) for one in (POINTS, after)]
