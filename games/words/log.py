"""What happened: a sentence or two for each line of the story."""

from __future__ import annotations

from django.utils.translation import gettext as _

from .ends import void_sentence, went_out, winner_sentence
from .payments import Entry, payment_of
from .people import People
from .tiles import count_sentence, tile_name


def log_sentence(entry: Entry, people: People) -> str:
    """An entry of the log in whole sentences; empty for one that tells a reader nothing."""
    teller = _TELLERS.get(entry["do"])
    text = teller(entry, people) if teller else ""
    if text and entry.get("result") and entry["do"] != "void":
        return f"{text} {winner_sentence(entry['result'], people)}"
    return text


def _deal(entry: Entry, _people: People) -> str:
    return _("Round %(round)s") % {"round": entry["round"]}


def _bid(entry: Entry, people: People) -> str:
    values = {"name": people.name(entry["seat"]), "points": entry["points"]}
    if people.is_you(entry["seat"]):
        return _("You bid %(points)s.") % values
    return _("%(name)s bids %(points)s.") % values


def _accept(entry: Entry, people: People) -> str:
    seat, auto = entry["seat"], bool(entry.get("auto"))
    values = {"name": people.name(seat)}
    if people.is_you(seat):
        told = _("You cannot raise and so accept.") if auto else _("You accept.")
    elif auto:
        told = _("%(name)s cannot raise and so accepts.") % values
    else:
        told = _("%(name)s accepts.") % values
    return f"{told} {payment_of(entry, people)} {_opens(1 - seat, people, entry)}".rstrip()


def _decline(entry: Entry, people: People) -> str:
    seat, auto = entry["seat"], bool(entry.get("auto"))
    values = {"name": people.name(seat)}
    if people.is_you(seat):
        told = _("You cannot afford a bid.") if auto else _("You decline to bid.")
    elif auto:
        told = _("%(name)s cannot afford a bid.") % values
    else:
        told = _("%(name)s declines to bid.") % values
    return f"{told} {_opens(1 - seat, people, entry)}".rstrip()


def _opens(seat: int, people: People, entry: Entry) -> str:
    if entry.get("result"):
        return ""
    if people.is_you(seat):
        return _("You open with any tile.")
    return _("%(name)s opens with any tile.") % {"name": people.name(seat)}


def _play(entry: Entry, people: People) -> str:
    parts = [
        laid_sentence(entry["seat"], entry["tile"], entry["arm"], people),
        count_sentence(entry["ends"], entry["count"]),
        payment_of(entry, people),
    ]
    if entry.get("phase") == "round_over":
        parts.append(went_out(entry["seat"], people))
    return " ".join(parts)


def laid_sentence(seat: int, tile: str, arm: str, people: People) -> str:
    """Who laid what and where."""
    values = {"name": people.name(seat), "tile": tile_name(tile)}
    yours = {
        "open": _("You open with %(tile)s."),
        "left": _("You lay %(tile)s left."),
        "right": _("You lay %(tile)s right."),
        "up": _("You lay %(tile)s up."),
        "down": _("You lay %(tile)s down."),
    }
    theirs = {
        "open": _("%(name)s opens with %(tile)s."),
        "left": _("%(name)s lays %(tile)s left."),
        "right": _("%(name)s lays %(tile)s right."),
        "up": _("%(name)s lays %(tile)s up."),
        "down": _("%(name)s lays %(tile)s down."),
    }
    return (yours if people.is_you(seat) else theirs)[arm] % values


def _draw(entry: Entry, people: People) -> str:
    if people.is_you(entry["seat"]):
        if entry.get("tile"):
            return _("You draw %(tile)s.") % {"tile": tile_name(entry["tile"])}
        return _("You draw a tile.")
    values = {"name": people.name(entry["seat"])}
    if entry.get("tile"):  # everything is public once the match is over
        return _("%(name)s draws %(tile)s.") % {**values, "tile": tile_name(entry["tile"])}
    return _("%(name)s draws a tile.") % values


def _pass(entry: Entry, people: People) -> str:
    if people.is_you(entry["seat"]):
        told = _("You pass: nothing fits and the boneyard is empty.")
    else:
        told = _("%(name)s passes: nothing fits and the boneyard is empty.") % {
            "name": people.name(entry["seat"])
        }
    transfer = entry.get("transfer")
    if entry.get("phase") in ("round_over", "match_over") or transfer:
        return " ".join((told, _("The round is blocked."), payment_of(entry, people)))
    return told


def _resign(entry: Entry, people: People) -> str:
    if people.is_you(entry["seat"]):
        return _("You resign.")
    return _("%(name)s resigns.") % {"name": people.name(entry["seat"])}


def _timeout(entry: Entry, people: People) -> str:
    if people.is_you(entry["seat"]):
        return _("Your time has run out.")
    return _("The time of %(name)s has run out.") % {"name": people.name(entry["seat"])}


def _void(entry: Entry, _people: People) -> str:
    return void_sentence(entry.get("reason"), entry.get("span"))


_TELLERS = {
    "deal": _deal,
    "bid": _bid,
    "accept": _accept,
    "decline": _decline,
    "play": _play,
    "draw": _draw,
    "pass": _pass,
    "resign": _resign,
    "timeout": _timeout,
    "void": _void,
}


#: The events a reader is told about.
TOLD = frozenset(_TELLERS) - {"deal"}
