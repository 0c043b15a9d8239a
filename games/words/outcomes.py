"""How a match ended for a player, in a word or two, for lists."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import pgettext


def outcome(won: bool | None) -> str:
    """Won, lost, or neither."""
    if won is None:
        return pgettext("a match", "Void")
    return pgettext("a match", "Won") if won else pgettext("a match", "Lost")


def manner(reason: str, void_reason: str = "") -> str:
    """What decided a match, or why it is void; empty where nothing is known."""
    manners = {
        "chips": _("all points"),
        "time": _("time"),
        "resignation": _("resignation"),
        "service_failure": _("time was not measured"),
        "no_show": _("not started"),
        "abandoned": _("left"),
        "staff": _("ended by staff"),
    }
    return manners.get(void_reason or reason, "")
