"""The card that tells the reader of a guided round what to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games import guide
from games.words import lesson

from .answers import View


@dataclass(frozen=True, slots=True)
class Card:
    """What to do now, as a text and as the tile, the end or the button to use; ``step`` of
    ``steps`` answers are done."""

    text: str
    do: str
    tile: str
    arm: str
    step: int
    steps: int


def card(info: Mapping[str, Any], view: View) -> Card | None:
    """The card of a guided round; None in any other match, and for whoever watches: it names
    tiles of the reader's hand."""
    if not info.get("guided") or view["you"] != guide.READER:
        return None
    steps = len(guide.HINTS)
    if view["result"]:
        done = view["result"]["winner"] == guide.READER
        return Card(lesson("end" if done else "left"), "", "", "", steps, steps)
    turn = guide.turn_at(view["version"])
    step = guide.steps_before(view["version"])
    if turn is None or turn.seat != guide.READER:
        return Card(lesson("wait"), "", "", "", step, steps)
    return Card(lesson(turn.hint), turn.do, turn.tile, turn.arm, step, steps)
