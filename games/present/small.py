"""A match at a glance, for those who are not at its page: a card in a list, and a small table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.board import Frame, lay_out
from games.words import People

from .answers import Entries, View
from .panel import panel
from .seats import LOW_BANK, Rating, bank_now, rating_of, seat_view
from .story import said, todo
from .table import Drawing, count_shown, drawing, table_text

FRAME = Frame(480, 300)  # what a card, and the home page, leave to the table


@dataclass(frozen=True, slots=True)
class Player:
    """One of the two on a card."""

    name: str
    rating: Rating | None
    points: int


@dataclass(frozen=True, slots=True)
class Card:
    """A live match in a list; ``watching`` is None where nobody can tell."""

    id: str
    rated: bool
    players: tuple[Player, Player]
    round: int
    drawing: Drawing
    now: str
    watching: int | None


def card(info: Mapping[str, Any], view: View, watching: int | None) -> Card:
    """What a spectator may see of a match, in a few words."""
    people = People((info["players"][0], info["players"][1]))
    first, second = (
        Player(people.name(seat), rating_of(info, seat), view["chips"][seat]) for seat in (0, 1)
    )
    return Card(
        id=info["id"],
        rated=info["rated"],
        players=(first, second),
        round=view["round"],
        drawing=drawn(view),
        now=todo(view, people, None),
        watching=watching,
    )


def drawn(view: View) -> Drawing:
    """The table in the frame of a card."""
    plays = [(laid["tile"], laid["arm"]) for laid in view["table"]]
    return drawing("small", lay_out(plays, FRAME), view)


def small_context(
    info: Mapping[str, Any], view: View, log: Entries, *, full: bool
) -> dict[str, Any]:
    """The context of ``watch/_best.html`` and ``watch/_small.html``: a spectator's view.

    Raises ``ValueError`` where it is anybody else's: what is shown to all holds no hand.
    """
    if view["you"] is not None or view["hand"] is not None:
        raise ValueError("a small table is for spectators")
    people = People((info["players"][0], info["players"][1]))
    return {
        "info": info,
        "view": view,
        "seats": [seat_view(view, people, seat, info) for seat in (1, 0)],
        "drawing": drawn(view),
        "table_text": table_text(view),
        "count": count_shown(view, people),
        "note": _note(panel(view, people, log)),
        "said": said(log, people, full=full),
        "todo": todo(view, people, None),
        "state": _figures(view),
    }


def _note(shown: Mapping[str, Any] | None) -> dict[str, str] | None:
    """What stands in place of moves: the auction's bid, how the round or the match ended."""
    if shown is None or shown["kind"] == "new":
        return None
    if shown["kind"] == "auction":
        return {"kind": "auction", "title": "", "text": shown["standing"] or shown["about"]}
    text = shown.get("score", "")
    return {"kind": shown["kind"], "title": shown["title"], "text": text}


def _figures(view: View) -> dict[str, Any]:
    """The figures that the script counts on with."""
    clock = view["clock"]
    running = clock["running"]
    return {
        "running": "" if running is None else running,
        "left": "" if running is None else clock["left"],
        "delay": "" if running is None else clock["delay_left"],
        "banks": " ".join(str(bank_now(view, seat)) for seat in (0, 1)),
        "low": LOW_BANK,
    }
