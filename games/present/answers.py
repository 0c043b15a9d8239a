"""What the viewer may do, as the view lists it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

View = Mapping[str, Any]
Entries = Sequence[Mapping[str, Any]]

ARMS = ("open", "left", "up", "down", "right")  # as the buttons stand beside the hand


def answers(view: View, do: str) -> list[Mapping[str, Any]]:
    return [answer for answer in view["legal"] if answer["do"] == do]


def can(view: View, do: str) -> bool:
    return bool(answers(view, do))


def legal_arms(view: View) -> dict[str, tuple[str, ...]]:
    """For each tile the viewer may lay now, the ends it may be laid on."""
    arms: dict[str, list[str]] = {}
    for answer in answers(view, "play"):
        arms.setdefault(answer["tile"], []).append(answer["arm"])
    return {tile: tuple(sorted(ends, key=ARMS.index)) for tile, ends in arms.items()}


def drawn_tile(view: View, log: Entries) -> str | None:
    """The tile this viewer has just drawn and must answer for."""
    if not log or not view["legal"] or view["phase"] != "play":
        return None
    last = log[-1]
    mine = last["do"] == "draw" and last["seat"] == view["you"]
    return last.get("tile") if mine else None
