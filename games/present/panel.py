"""The panel: everything that is no laying of tiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from games import words
from games.words import People

from .answers import Entries, View, can
from .auction import auction_panel
from .table import COUNTER, key
from .veil import is_covered, on_device, veil_panel


@dataclass(frozen=True, slots=True)
class Face:
    """A tile to draw: its symbol's key, such as ``"65"``, and its name in words."""

    key: str
    name: str


def panel(view: View, people: People, log: Entries) -> dict[str, Any] | None:
    """The panel of this phase, or None while tiles are laid."""
    builders = {
        "new": _new_panel,
        "auction": auction_panel,
        "round_over": _round_over_panel,
        "match_over": _match_over_panel,
    }
    if is_covered(view):
        return {"kind": "veil", **veil_panel(view, people)}
    builder = builders.get(view["phase"])
    if builder is None:
        return None
    return {"kind": view["phase"], **builder(view, people, log)}


def _pressed(view: View, people: People) -> list[dict[str, Any]]:
    if on_device(view):  # one press is for both
        return []
    return [
        {"name": people.label(seat), "ready": view["ready"][seat], "you": people.is_you(seat)}
        for seat in (0, 1)
    ]


def _due(view: View) -> str:
    due = view["clock"].get("due")
    return "" if due is None else words.minutes(due)


def _new_panel(view: View, people: People, _log: Entries) -> dict[str, Any]:
    return {
        "pressed": _pressed(view, people),
        "can": can(view, "ready"),
        "due": _due(view),
    }


def _hands(view: View) -> list[list[str]]:
    """Both hands as they stood when the round ended."""
    return view.get("hands") or [[], []]


def _sum(hand: list[str]) -> int:
    return sum(sum(words.halves(tile)) for tile in hand)


def sums(view: View) -> tuple[int, int]:
    """The pips of both hands as they stood when the round ended."""
    first, second = _hands(view)
    return _sum(first), _sum(second)


def hands_shown(view: View, people: People) -> list[dict[str, Any]]:
    """Both hands, the viewer's last as on the rest of the page, and their sums."""
    order = (1 - people.you, people.you) if people.you is not None else (1, 0)
    return [
        {
            "name": people.label(seat),
            "sum": _sum(_hands(view)[seat]),
            "tiles": [
                Face(key(tile), words.tile_name(tile))
                for tile in sorted(_hands(view)[seat], key=words.halves, reverse=True)
            ],
        }
        for seat in order
    ]


def _round_over_panel(view: View, people: People, _log: Entries) -> dict[str, Any]:
    jockey = view["jockey"]
    if jockey is None:
        told = words.block_sentence(sums(view), people)
        told.append(_("There is no auction: the highest double opens the next round."))
        title = _("Round %(round)s: blocked")
    else:
        count = view["count"]
        told = [words.went_out(jockey, people), words.count_sentence(view["ends"], count)]
        if count and count % COUNTER == 0:
            paid = {"from": 1 - jockey, "to": jockey, "points": count}
            told.append(words.payment(paid, people))
        else:
            told.append(_("Nothing is paid."))
        told.append(_("An auction decides who opens the next round."))
        title = (
            _("Round %(round)s: you went out")
            if people.is_you(jockey)
            else _("Round %(round)s: %(name)s went out")
        )
        title = title.replace("%(name)s", people.name(jockey).replace("%", "%%"))
    return {
        "title": title % {"round": view["round"]},
        "told": told,
        "hands": hands_shown(view, people),
        "pressed": _pressed(view, people),
        "can": can(view, "ready"),
        "due": _due(view),
    }


def _match_over_panel(view: View, people: People, log: Entries) -> dict[str, Any]:
    result, last = view["result"], log[-1] if log else {}
    void = result["winner"] is None
    title = _("The match is void") if void else words.winner_sentence(result, people)
    if void and last.get("do") == "void":
        told = [words.void_sentence(last.get("reason"), last.get("span"))]
        if last.get("span"):  # it stands in place of a result
            title = told.pop()
        told.append(_("There is no winner, and no rating changes."))
    else:
        told = [words.end_sentence(result, people)]
    if not void and (transfer := view["transfer"]) and transfer["points"]:
        told.insert(0, words.payment_of(last, people) if last else words.payment(transfer, people))
    return {
        "title": title,
        "told": told,
        "hands": hands_shown(view, people) if any(_hands(view)) else [],
        "score": _("%(one)s %(first)s, %(two)s %(second)s")
        % {
            "one": people.label(0),
            "first": view["chips"][0],
            "two": people.label(1),
            "second": view["chips"][1],
        },
    }
