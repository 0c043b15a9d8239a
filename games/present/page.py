"""The whole context."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _

from games import words
from games.rules.tiles import ALL_TILES
from games.words import People

from .answers import Entries, View, can, drawn_tile
from .hand import HandTile, arm_buttons, hand_size, hand_tiles
from .keys import key_rows
from .lesson import card
from .panel import Face, panel
from .seats import bank_now, seat_view
from .story import dated, line, more_said, said, title, todo, why
from .table import TILE_SET, count_shown, drawings, ends_short, key, plans, table_text
from .veil import at_the_bottom, is_covered, kept, on_device, sides, veiled


def page_context(
    info: Mapping[str, Any], view: View, log: Entries, *, full: bool | None = None
) -> dict[str, Any]:
    """The context of ``match.html`` and ``_live.html``.

    ``log`` holds every entry when ``full``, else the new ones; unless told it is full when
    the view has no events of its own, as on connect.
    """
    view = veiled(view)
    log = [dated(entry, info, view["clock"]["now"]) for entry in log]
    first, second = info["players"]
    people = People((first, second), view["you"])
    readers = People((first, second)) if on_device(view) else people
    if full is None:
        full = not view["events"]
    bottom = at_the_bottom(view)
    colours = sides(info, view)
    device, covered = on_device(view), is_covered(view)
    drawn = drawn_tile(view, log)
    hand = hand_tiles(view, drawn)
    return {
        "info": info,
        "symbols": TILE_SET,
        "view": view,
        "you": view["you"],
        "plays": view["you"] is not None or device,
        "device": device,
        "covered": covered,
        "full": full,
        "seats": [seat_view(view, people, seat, info) for seat in (1 - bottom, bottom)],
        "drawings": SimpleLazyObject(lambda: drawings(view)),  # the page alone has them
        "plans": plans(view),
        "ends": ends_short(view),
        "table_text": _("The table is covered.") if covered else table_text(view),
        "count": count_shown(view, people),
        "hand": hand,
        "hand_size": hand_size(len(hand) if hand else view["hand_sizes"][bottom]),
        "backs": "" if view["hand"] is not None or covered else "x" * view["hand_sizes"][bottom],
        "arms": arm_buttons(view),
        "must_draw": can(view, "draw"),
        "panel": panel(view, people, log),
        "card": card(info, view),
        "lines": [told for entry in log if (told := line(kept(entry, view), readers, colours))],
        "said": said(log, people, full=full),
        "todo": todo(view, people, drawn),
        "tile_names": _tile_names,
        "key_rows": key_rows,
        "state": _state(view, people, hand, asked=bool(view["legal"]) and not covered),
    }


def _state(
    view: View, people: People, hand: list[HandTile] | None, *, asked: bool
) -> dict[str, Any]:
    """The figures the page's script counts on with."""
    clock = view["clock"]
    playable = [tile for tile in hand or [] if tile.arms]
    return {
        "title": title(view, people),
        "asked": asked,
        "from": view["version"] - len(view["events"]),
        "running": "" if clock["running"] is None else clock["running"],
        "left": _or_empty(clock.get("left")),
        "delay": _or_empty(clock.get("delay_left")),
        "due": _or_empty(clock.get("due")),
        "banks": " ".join(str(bank_now(view, seat)) for seat in (0, 1)),
        # The only tile that can be laid is taken up at once; laying it is the player's.
        "only": playable[0].tile if len(playable) == 1 else "",
        "ends": words.ends_told(view["ends"], view["count"]) if view["table"] else "",
        "why": why(view, people),
        "more": more_said(view, people),
    }


def _tile_names() -> list[Face]:
    """All tiles of the set in words; the page alone has them."""
    return [Face(key(str(tile)), words.tile_name(str(tile))) for tile in ALL_TILES]


def _or_empty(value: int | None) -> int | str:
    return "" if value is None else value
