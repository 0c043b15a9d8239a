"""One device for two: who has it, and what is covered until the next player has it (R8.5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from games.words import People

from .answers import View


def on_device(view: View) -> bool:
    """Whether both seats are played on the device that this view is for."""
    return "covered" in view


def is_covered(view: View) -> bool:
    """Whether table and tiles are covered on this device."""
    return bool(view.get("covered"))


def veiled(view: View) -> View:
    """A covered view without anything that lies on the table, so that nobody thinks while the
    clocks stand; any other one as it is."""
    if not is_covered(view):
        return view
    hidden = {"table": [], "ends": {}, "count": 0, "bid": None, "round": 0}
    return {**view, **hidden, "boneyard": 0}


def kept(entry: Mapping[str, Any], view: View) -> Mapping[str, Any]:
    """An entry as the log keeps it. What a shared device keeps the other player reads too: the
    tile that was drawn is told beside the hand alone, while its turn lasts."""
    if not on_device(view) or entry["do"] != "draw":
        return entry
    return {key: value for key, value in entry.items() if key != "tile"}


def at_the_bottom(view: View) -> int:
    """The seat at the bottom of the page: the viewer's own; on a shared device whoever has it."""
    if view["you"] is not None:
        return int(view["you"])
    return int(view["to_act"] or 0) if on_device(view) else 0


def sides(info: Mapping[str, Any], view: View) -> tuple[str, str]:
    """The colour of each seat: the viewer's own, or the one at the bottom, is ``me``. On a shared
    device, where that changes with every turn, each player keeps a colour for the whole match."""
    low = 1 if info.get("shared") else at_the_bottom(view)
    return ("me", "opp") if low == 0 else ("opp", "me")


def veil_panel(view: View, people: People) -> dict[str, str]:
    """The panel that covers a turn: before it is revealed, and where a page has been loaded anew
    while it runs."""
    name = {"name": people.name(view["to_act"])}
    if view["phase"] == "handover":
        title = _("Pass the device to %(name)s") % name
        text = _("The clocks stand still until %(name)s shows the tiles.") % name
    else:
        title = _("It is the turn of %(name)s") % name
        text = _("The tiles are covered, and the clock of %(name)s is running.") % name
    return {"title": title, "text": text, "button": _("I am %(name)s: show my tiles") % name}
