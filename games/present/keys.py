"""The keys of the match page, as its dialog lists them."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext as _


class KeyRow(NamedTuple):
    """What a key does; ``fixed`` are the keys that always do it, beside one that can be chosen."""

    action: str
    does: str
    fixed: tuple[str, ...] = ()


def key_rows() -> list[KeyRow]:
    """Every action, in the order of the dialog. The script knows their first keys."""
    return [
        KeyRow("left", _("Next tile or end to the left"), ("←",)),
        KeyRow("right", _("Next tile or end to the right"), ("→",)),
        KeyRow("up", _("The upper end; in the auction, five more"), ("↑",)),
        KeyRow("down", _("The lower end; in the auction, five less"), ("↓",)),
        KeyRow("lay", _("Pick up the tile, then lay it"), ("Enter",)),
        KeyRow("back", _("Put the tile back"), ("Esc",)),
        KeyRow("draw", _("Draw a tile")),
        KeyRow("ready", _("Start, or Continue")),
        KeyRow("bid", _("Bid the amount shown")),
        KeyRow("accept", _("Accept the bid")),
        KeyRow("decline", _("Decline to bid")),
        KeyRow("ends", _("Say the ends and the sum")),
        KeyRow("hand", _("Say your tiles")),
        KeyRow("moves", _("Say what you may do")),
        KeyRow("table", _("Say the table, arm by arm")),
        KeyRow("last", _("Say the last move")),
        KeyRow("why", _("Say why it scored or did not")),
        KeyRow("clocks", _("Say the clocks")),
        KeyRow("opponent", _("Say how the opponent stands")),
        KeyRow("boneyard", _("Say how many tiles the boneyard has")),
        KeyRow("mute", _("Sound on or off")),
        KeyRow("help", _("Show these keys")),
    ]
