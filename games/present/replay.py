"""A finished match, one moment of it: what the page shows that steps through it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games import words
from games.words import People

from .answers import Entries, View
from .page import page_context
from .panel import hands_shown


def replay_context(
    info: Mapping[str, Any], view: View, log: Entries, hands: list[list[str]]
) -> dict[str, Any]:
    """The context of ``games/replay.html``: ``view`` is a spectator's, after one event of ``log``,
    which holds them all; ``hands`` are both players' tiles then."""
    stops = _stops(log)
    now = view["version"]
    so_far = [entry for entry in log if entry["n"] <= now]
    people = People((info["players"][0], info["players"][1]))
    context = page_context(info, view, so_far, full=True)
    before = [n for n in stops if n < now]
    after = [n for n in stops if n > now]
    newest = so_far[-1] if so_far else None
    return context | {
        "panel": {"hands": hands_shown({**view, "hands": hands}, people)},
        "told": words.log_sentence(newest, people) if newest else "",
        "step": len(before) + 1,
        "steps": len(stops),
        "ways": {
            "first": before[0] if before else None,
            "previous": before[-1] if before else None,
            "next": after[0] if after else None,
            "last": after[-1] if after else None,
        },
    }


def nearest_stop(log: Entries, n: int) -> int:
    """The newest event up to ``n`` that tells a reader anything, else the first one that does;
    0 where none does."""
    stops = _stops(log)
    return max((stop for stop in stops if stop <= n), default=stops[0] if stops else 0)


def _stops(log: Entries) -> list[int]:
    return [entry["n"] for entry in log if entry["do"] in words.TOLD or entry["do"] == "deal"]
