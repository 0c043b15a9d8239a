"""The viewer's tiles and the ends they may be laid on."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games import words
from games.rules.table import Table
from games.rules.tiles import parse_tile

from .answers import ARMS, View, answers, can, legal_arms
from .table import COUNTER, key


@dataclass(frozen=True, slots=True)
class HandTile:
    """A tile of the viewer's hand; ``arms`` are the ends it may be laid on now, ``pays`` the points
    that each of them would pay, and ``told`` those in words, where they pay anything."""

    tile: str
    key: str
    arms: tuple[str, ...]
    pays: tuple[int, ...]
    label: str
    told: str
    drawn: bool


def hand_tiles(view: View, drawn: str | None) -> list[HandTile] | None:
    if view["hand"] is None:
        return None
    arms = legal_arms(view)
    paid = pays(view)
    asked = bool(arms) or can(view, "draw")
    return [
        HandTile(
            tile,
            key(tile),
            arms.get(tile, ()),
            tuple(paid[tile, arm] for arm in arms.get(tile, ())),
            words.tile_label(
                tile, arms.get(tile, ()), asked=asked, place=(number, len(view["hand"]))
            ),
            words.pays_sentences([(arm, paid[tile, arm]) for arm in arms.get(tile, ())]),
            tile == drawn,
        )
        for number, tile in enumerate(sorted(view["hand"], key=words.halves, reverse=True), 1)
    ]


def pays(view: View) -> dict[tuple[str, str], int]:
    """The points that the viewer would be paid now for each tile and end that may be laid.

    A count that is a positive multiple of five pays (R5.5), at most what the payer has (R1.4).
    """
    plays = answers(view, "play")
    if not plays:
        return {}
    table = Table()
    for laid in view["table"]:
        table = table.lay(parse_tile(laid["tile"]), laid["arm"])
    has = view["chips"][1 - view["you"]]
    paid = {}
    for play in plays:
        count = table.lay(parse_tile(play["tile"]), play["arm"]).count
        paid[play["tile"], play["arm"]] = 0 if count % COUNTER else min(count, has)
    return paid


def hand_size(tiles: int) -> str:
    return "few" if tiles <= 8 else "many" if tiles <= 16 else "most"


def arm_buttons(view: View) -> list[dict[str, str]]:
    arms = {arm for ends in legal_arms(view).values() for arm in ends}
    if arms and arms != {"open"}:
        arms = set(view["ends"])
    return [
        {
            "arm": arm,
            "name": _("Lay it") if arm == "open" else words.arm_name(arm),
            "icon": {"left": "←", "right": "→", "up": "↑", "down": "↓"}.get(arm, ""),
        }
        for arm in ARMS
        if arm in arms
    ]
