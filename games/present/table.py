"""The drawn table, and the table in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import words
from games.board import FRAMES, Frame, Layout, Placed, lay_out
from games.rules.tiles import ALL_TILES
from games.words import People

from .answers import View, can

# What screens really leave to the table: a phone upright, with many tiles in hand, and on its side.
# Beside the wide frame of a window, the last one is also the shape of a large screen.
DRAWN = FRAMES | {"tall": Frame(390, 450), "mid": Frame(390, 330), "low": Frame(510, 270)}


COUNTER = 5


TILE_SET = tuple(
    {"key": f"{tile.high}{tile.low}", "high": tile.high, "low": tile.low} for tile in ALL_TILES
)


UNIT = 4  # parts of a half tile; every place on the table is a whole number of them


@dataclass(frozen=True, slots=True)
class Plan:
    """The table for one frame in a few bytes for each tile; the page's script draws it.

    ``text`` is ``viewbox;tiles;ends``. The viewbox is in half tiles. A tile is ``x,y,quarters``,
    in the order of play; an end is ``arm,x,y,quarters,end x,end y,heading``: where its next tile
    will lie and where its count is written. Places are counted in :data:`UNIT` parts of a half
    tile, turns and headings in quarters.
    """

    frame: str
    text: str


@dataclass(frozen=True, slots=True)
class Mark:
    """Something drawn at a place of the table: a target or a count."""

    what: str
    transform: str


@dataclass(frozen=True, slots=True)
class Tile:
    """A laid tile: its symbol's key and its place, on a sheet that is turned as a whole."""

    key: str
    x: str
    y: str
    last: bool


@dataclass(frozen=True, slots=True)
class Sheet:
    """The laid tiles that lie turned alike; naming the turn once keeps a view small."""

    turn: int
    tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Drawing:
    """The table drawn for one frame."""

    frame: str
    viewbox: str
    sheets: tuple[Sheet, ...]
    targets: tuple[Mark, ...]
    ends: tuple[Mark, ...]


def key(tile: str) -> str:
    """The key of a tile's symbol: ``"65"`` for ``"6-5"``."""
    return tile.replace("-", "")


def drawings(view: View) -> list[Drawing]:
    """The table for each frame; the page's style shows the one that suits."""
    plays = [(laid["tile"], laid["arm"]) for laid in view["table"]]
    return [drawing(name, lay_out(plays, frame), view) for name, frame in DRAWN.items()]


def plans(view: View) -> list[Plan]:
    """The table for each frame, as short as it can be."""
    plays = [(laid["tile"], laid["arm"]) for laid in view["table"]]
    return [_plan(name, lay_out(plays, frame)) for name, frame in DRAWN.items()]


def _plan(name: str, layout: Layout) -> Plan:
    box = " ".join(_number(edge) for edge in layout.viewbox)
    tiles = " ".join(_numbers(tile.x, tile.y, turn=tile.turn) for tile in layout.tiles)
    ends = " ".join(
        f"{arm},{_numbers(end.x, end.y, turn=end.turn)}"
        f",{_numbers(end.end_x, end.end_y, turn=end.heading)}"
        for arm, end in layout.targets.items()
    )
    return Plan(name, f"{box};{tiles};{ends}")


def _numbers(x: float, y: float, *, turn: int) -> str:
    return f"{round(x * UNIT)},{round(y * UNIT)},{turn // 90}"


def counted(view: View) -> dict[str, int]:
    """What each end counts, as it is written beside it; a side arm nobody has used has nothing."""
    used = {laid["arm"] for laid in view["table"]} | {"left", "right"}
    return {arm: end["count"] for arm, end in view["ends"].items() if arm in used}


def ends_short(view: View) -> str:
    """Each open end as ``arm,value,count``, what it joins and what is written beside it; a side
    arm nobody has used has no count there."""
    counts = counted(view)
    return " ".join(
        f"{arm},{end['value']},{counts.get(arm, '')}" for arm, end in view["ends"].items()
    )


def drawing(name: str, layout: Layout, view: View) -> Drawing:
    """A table as it is laid out for one frame."""
    counts = counted(view)
    targets = layout.targets if can(view, "play") else {}
    return Drawing(
        name,
        " ".join(_number(edge) for edge in layout.viewbox),
        tuple(_sheets(layout)),
        tuple(Mark(arm, place(target.x, target.y, target.turn)) for arm, target in targets.items()),
        tuple(
            Mark(str(counts[arm]), place(target.end_x, target.end_y))
            for arm, target in layout.targets.items()
            if arm in counts
        ),
    )


def _sheets(layout: Layout) -> Iterator[Sheet]:
    for turn in sorted({placed.turn for placed in layout.tiles}):
        yield Sheet(
            turn,
            tuple(
                _laid(placed, last=placed is layout.tiles[-1])
                for placed in layout.tiles
                if placed.turn == turn
            ),
        )


def _laid(placed: Placed, *, last: bool) -> Tile:
    x, y = placed.x, placed.y
    left, top = {0: (x, y), 90: (y, -x), 180: (-x, -y), 270: (-y, x)}[placed.turn]
    return Tile(key(placed.tile), _number(left) if left else "", _number(top) if top else "", last)


def place(x: float, y: float, turn: int = 0) -> str:
    """A transform attribute, as short as it can be."""
    moved = f"translate({_number(x)} {_number(y)})" if x or y else ""
    return moved + (f"rotate({turn})" if turn else "")


def _number(value: float) -> str:
    return f"{round(value, 2):g}".replace("0.", ".") if abs(value) < 1 else f"{round(value, 2):g}"


def table_text(view: View) -> str:
    """The table in words, for those who do not see it."""
    if not view["table"]:
        return _("The table is empty.")
    tiles = len(view["table"])
    told = [
        ngettext("The table has %(n)s tile.", "The table has %(n)s tiles.", tiles) % {"n": tiles}
    ]
    spinner = next(
        (laid["tile"] for laid in view["table"] if len(set(words.halves(laid["tile"]))) == 1), None
    )
    if spinner:
        told.append(_("The spinner is %(tile)s.") % {"tile": words.tile_name(spinner)})
    for arm, end in view["ends"].items():
        told.append(
            _("%(arm)s: joins %(value)s, counts %(count)s.")
            % {
                "arm": words.arm_name(arm),
                "value": words.number_word(end["value"]),
                "count": end["count"],
            }
        )
    told.append(_("The count is %(count)s.") % {"count": view["count"]})
    return " ".join(told)


def count_shown(view: View, people: People) -> dict[str, Any] | None:
    """The sum in view term by term, and what it paid or why it paid nothing."""
    if not view["table"]:
        return None
    count, transfer = view["count"], view["transfer"]
    terms = [
        {"arm": arm, "points": points}
        for arm in ("left", "right", "up", "down")
        if arm in view["ends"]
        for points, _words in words.end_terms({arm: view["ends"][arm]})
    ]
    if transfer and transfer["points"] and transfer["for"] == "ends":
        values = {"points": transfer["points"], "name": people.name(transfer["to"])}
        paid = (
            _("+%(points)s to you")
            if people.is_you(transfer["to"])
            else _("+%(points)s to %(name)s")
        ) % values
    elif count and count % COUNTER == 0:
        paid = _("paid")
    elif count:
        paid = _("no multiple of five")
    else:
        paid = _("pays nothing")
    return {
        "terms": terms if len(terms) > 1 else [],
        "sum": str(count),
        "paid": paid,
        "pays": "pays" if count and count % COUNTER == 0 else "",
    }
