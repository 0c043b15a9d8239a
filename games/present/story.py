"""The log, what has just happened, and what to do now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.html import format_html_join
from django.utils.translation import gettext as _

from games import words
from games.rules.auction import Bid, price
from games.words import People

from .answers import Entries, View, answers, can, legal_arms
from .panel import sums
from .table import key
from .veil import is_covered, on_device


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the log; ``head`` starts a round.

    ``do``, ``seat``, ``tile`` and ``arm`` are for the page's script, which tells turns from them;
    ``tile`` is the key of a tile that was laid, such as ``"65"``.
    """

    n: int
    text: str
    head: bool
    gain: str
    side: str
    do: str
    seat: int | str
    tile: str
    arm: str


def dated(entry: Mapping[str, Any], info: Mapping[str, Any], now: int) -> Mapping[str, Any]:
    """A void entry with its stretch of time by the clock; ``now`` is when it is read."""
    if entry.get("from") is None or entry.get("to") is None:
        return entry
    begin, end = info["epoch"] + entry["from"], info["epoch"] + entry["to"]
    return {**entry, "span": words.Span(begin, end, now)}


def line(
    entry: Mapping[str, Any], people: People, colours: tuple[str, str] = ("me", "opp")
) -> Line | None:
    text = words.log_sentence(entry, people)
    if not text:
        return None
    gain = words.gain(entry)
    laid = entry["do"] == "play"
    return Line(
        n=entry["n"],
        text=text,
        head=entry["do"] == "deal",
        gain=f"+{gain[1]}" if gain else "",
        side=colours[gain[0]] if gain else "",
        do=entry["do"],
        seat=entry.get("seat", ""),
        tile=key(entry["tile"]) if laid else "",
        arm=entry["arm"] if laid else "",
    )


def said(log: Entries, people: People, *, full: bool) -> str:
    """What has just happened: the new entries, or on a full render the newest one."""
    told = [
        text
        for entry in log
        if entry["do"] != "deal" and (text := words.log_sentence(entry, people))
    ]
    if full and log:
        deal = max((entry["n"] for entry in log if entry["do"] == "deal"), default=0)
        newest = log[-1]["n"] > deal
        return told[-1] if told and newest and _since(log, deal) else ""
    return format_html_join(" ", "{}", ((text,) for text in told))


def _since(log: Entries, n: int) -> bool:
    """Whether anything worth telling happened after event ``n``."""
    return any(entry["n"] > n and entry["do"] in words.TOLD for entry in log)


def todo(view: View, people: People, drawn: str | None) -> str:
    """What the viewer is to do now, or what is waited for."""
    phase = view["phase"]
    if phase in ("new", "round_over"):
        return _todo_between(view, people)
    if phase == "match_over":
        return _("The match is over.")
    if phase == "dealt":
        return _("The tiles are dealt.")
    if phase == "handover":
        return _("The device goes to %(name)s.") % {"name": people.name(view["to_act"])}
    if not view["legal"] or is_covered(view):
        return _todo_other(phase, people.name(view["to_act"]))
    if phase == "auction":
        return (
            _("A bid stands: accept it or raise it.")
            if view["bid"]
            else _("Your turn: bid, or decline.")
        )
    return _todo_lay(view, drawn)


def _todo_between(view: View, people: People) -> str:
    new = view["phase"] == "new"
    if can(view, "ready"):
        return _("Press Start when you are ready.") if new else _("Press Continue.")
    if people.you is None:
        return _("Waiting for both players.")
    return _("Waiting for %(name)s.") % {"name": people.name(1 - people.you)}


def _todo_other(phase: str, name: str) -> str:
    told = {
        "auction": _("%(name)s is deciding in the auction."),
        "opening": _("%(name)s is opening."),
    }
    return told.get(phase, _("%(name)s is to move.")) % {"name": name}


def _choice_in_auction(view: View) -> str:
    """What the viewer may answer, with the points it brings or costs."""
    you, jockey = view["you"], view["jockey"]
    received = price(Bid(**view["bid"]), jockey) if view["bid"] else None
    bids = answers(view, "bid")
    least = None
    if bids:
        points = bids[0]["min"]
        least = {"points": points, "price": price(Bid(you, points), jockey)}
    return words.auction_choice(received, least)


def more_said(view: View, people: People) -> str:
    """What is said aloud after the newest lines of the log: a block's hands, the new balances,
    and what an answer in the auction is worth."""
    told = []
    if view["phase"] == "round_over":
        told.append(_("The round is over."))
        if view["jockey"] is None:
            told += words.block_sentence(sums(view), people)[1:]
    if view["transfer"] and view["transfer"]["points"]:
        told.append(words.balances(view["chips"], people))
    if view["phase"] == "auction" and view["legal"]:
        told.append(_choice_in_auction(view))
    return " ".join(told)


def why(view: View, people: People) -> str:
    """Why the last score was what it was."""
    if view["phase"] == "round_over" and view["jockey"] is None:
        return " ".join(words.block_sentence(sums(view), people))
    if not view["table"]:
        return ""
    return words.why_paid(view["count"])


def _todo_lay(view: View, drawn: str | None) -> str:
    arms = legal_arms(view)
    if not arms:
        return _("It does not fit: draw again.") if drawn else _("No tile fits: draw.")
    if drawn:
        return _("It fits: lay %(tile)s.") % {"tile": words.tile_name(drawn)}
    if view["phase"] == "opening":
        if len(arms) == 1 and len(view["hand"]) > 1:
            return _("You must open with %(tile)s.") % {"tile": words.tile_name(next(iter(arms)))}
        return _("You open: lay any tile.")
    if len(arms) == 1:
        return _("Your turn: only %(tile)s fits.") % {"tile": words.tile_name(next(iter(arms)))}
    return _("Your turn: choose a tile.")


def title(view: View, people: People) -> str:
    between = view["phase"] in ("new", "round_over")
    if view["phase"] == "match_over":
        return words.winner_sentence(view["result"], people)
    if between and can(view, "ready"):
        return _("Start") if view["phase"] == "new" else _("Continue")
    if view["phase"] == "handover" and on_device(view):
        return _("Pass the device to %(name)s") % {"name": people.name(view["to_act"])}
    if not between and view["legal"] and not is_covered(view):
        return _("● Your turn")
    return _("%(one)s – %(two)s") % {"one": people.names[0], "two": people.names[1]}
