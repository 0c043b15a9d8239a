"""The viewer's tiles and the ends they may be laid on."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games import words

from .answers import ARMS, View, can, legal_arms
from .table import key


@dataclass(frozen=True, slots=True)
class HandTile:
    """A tile of the viewer's hand; ``arms`` are the ends it may be laid on now."""

    tile: str
    key: str
    arms: tuple[str, ...]
    label: str
    drawn: bool


def hand_tiles(view: View, drawn: str | None) -> list[HandTile] | None:
    if view["hand"] is None:
        return None
    arms = legal_arms(view)
    asked = bool(arms) or can(view, "draw")
    return [
        HandTile(
            tile,
            key(tile),
            arms.get(tile, ()),
            words.tile_label(tile, arms.get(tile, ()), asked=asked),
            tile == drawn,
        )
        for tile in sorted(view["hand"], key=words.halves, reverse=True)
    ]


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
