"""Every sentence about a match: refusals, the log, what to do now, why it ended.

Whole sentences, so that they translate. The rules know codes and numbers only; the page's
names are the players', and "you" for the viewer's own seat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

Entry = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class People:
    """The two players as one viewer sees them: ``you`` is the viewer's seat, or None."""

    names: tuple[str, str]
    you: int | None = None

    def is_you(self, seat: int) -> bool:
        return seat == self.you

    def name(self, seat: int) -> str:
        return self.names[seat]

    def label(self, seat: int) -> str:
        """The name a table of the two shows: "You" for the viewer."""
        return _("You") if self.is_you(seat) else self.names[seat]


# Tiles and ends


def number_word(value: int) -> str:
    """The number of pips of a half, in a word."""
    words = (
        pgettext("pips", "blank"),
        pgettext("pips", "one"),
        pgettext("pips", "two"),
        pgettext("pips", "three"),
        pgettext("pips", "four"),
        pgettext("pips", "five"),
        pgettext("pips", "six"),
    )
    return words[value]


def halves(tile: str) -> tuple[int, int]:
    """The two halves of a tile written as in the record, such as ``"6-5"``."""
    high, low = tile.split("-")
    return int(high), int(low)


def tile_name(tile: str) -> str:
    """A tile in words: "six-five", "double five", "five-blank"."""
    high, low = halves(tile)
    if high == low:
        return _("double %(value)s") % {"value": number_word(high)}
    return pgettext("a tile", "%(high)s-%(low)s") % {
        "high": number_word(high),
        "low": number_word(low),
    }


def sentence_case(text: str) -> str:
    """The text with a capital first letter, the rest as it is."""
    return text[:1].upper() + text[1:]


def arm_name(arm: str) -> str:
    """The name of an end, as on a button."""
    names = {
        "open": pgettext("end of the table", "Middle"),
        "left": pgettext("end of the table", "Left"),
        "right": pgettext("end of the table", "Right"),
        "up": pgettext("end of the table", "Up"),
        "down": pgettext("end of the table", "Down"),
    }
    return names[arm]


def arms_list(arms: Sequence[str]) -> str:
    """Names of ends inside a sentence: "left, right"."""
    names = {
        "open": pgettext("end, in a sentence", "middle"),
        "left": pgettext("end, in a sentence", "left"),
        "right": pgettext("end, in a sentence", "right"),
        "up": pgettext("end, in a sentence", "up"),
        "down": pgettext("end, in a sentence", "down"),
    }
    return ", ".join(names[arm] for arm in arms)


def tile_label(tile: str, arms: Sequence[str], *, asked: bool) -> str:
    """What a tile of the hand says of itself; ``asked`` while a tile is to be laid."""
    name = sentence_case(tile_name(tile))
    if not asked:
        return _("%(tile)s.") % {"tile": name}
    if not arms:
        return _("%(tile)s. Cannot be laid now.") % {"tile": name}
    if tuple(arms) == ("open",):
        return _("%(tile)s. You may open with it.") % {"tile": name}
    return _("%(tile)s. Fits %(arms)s.") % {"tile": name, "arms": arms_list(arms)}


def end_terms(ends: Mapping[str, Mapping[str, int]]) -> list[tuple[int, str]]:
    """Each open end that counts, or is blank: what it counts, and that in words.

    A side arm nobody has used counts nothing and is left out.
    """
    terms: list[tuple[int, str]] = []
    for arm in ("left", "right", "up", "down"):
        end = ends.get(arm)
        if end is None or (end["count"] == 0 and (end["value"] or arm in ("up", "down"))):
            continue
        value, count = end["value"], end["count"]
        both = value > 0 and count == 2 * value
        terms.append((count, _("double %(value)s") % {"value": value} if both else str(count)))
    return terms


def count_sentence(ends: Mapping[str, Mapping[str, int]], count: int) -> str:
    """The count term by term: "Ends 4, 2, double 6: 18." """
    terms = [words for _count, words in end_terms(ends)]
    if not terms:
        return _("No end counts: 0.")
    return ngettext("End %(terms)s: %(count)s.", "Ends %(terms)s: %(count)s.", len(terms)) % {
        "terms": ", ".join(terms),
        "count": count,
    }


# Payments


def payment(transfer: Mapping[str, Any], people: People) -> str:
    """Who paid whom."""
    payer, payee, points = transfer["from"], transfer["to"], transfer["points"]
    values = {"points": points, "payer": people.name(payer), "payee": people.name(payee)}
    if people.is_you(payer):
        return _("You pay %(payee)s %(points)s.") % values
    if people.is_you(payee):
        return _("%(payer)s pays you %(points)s.") % values
    return _("%(payer)s pays %(payee)s %(points)s.") % values


def _payment_of(entry: Entry, people: People) -> str:
    transfer = entry.get("transfer")
    if not transfer or not transfer["points"]:
        return _("Nothing is paid.")
    due = entry.get("due")
    if due and due > transfer["points"]:
        return (
            _("%(due)s are due, but no more is left.") % {"due": due}
            + " "
            + payment(transfer, people)
        )
    return payment(transfer, people)


def gain(entry: Entry) -> tuple[int, int] | None:
    """The seat that received points in this entry, and how many."""
    transfer = entry.get("transfer")
    if not transfer or not transfer["points"]:
        return None
    return transfer["to"], transfer["points"]


# The log


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
    return f"{told} {_payment_of(entry, people)} {_opens(1 - seat, people, entry)}".rstrip()


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
        _payment_of(entry, people),
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
        return " ".join((told, _("The round is blocked."), _payment_of(entry, people)))
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
    return void_sentence(entry.get("reason"), entry.get("from"), entry.get("to"))


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


# Ends of rounds and matches


def went_out(seat: int, people: People) -> str:
    """Somebody laid the last tile."""
    if people.is_you(seat):
        return _("You go out and are the jockey of the next round.")
    return _("%(name)s goes out and is the jockey of the next round.") % {"name": people.name(seat)}


def block_sentence(sums: tuple[int, int], people: People) -> list[str]:
    """A blocked round: the two hands, the rounding, and who receives what."""
    low = 0 if sums[0] < sums[1] else 1
    other = 1 - low
    told = [
        _("Both of you passed, so the round is blocked.")
        if people.you is not None
        else _("Both passed, so the round is blocked.")
    ]
    if sums[0] == sums[1]:
        told.append(_("Both hands sum to %(sum)s: nothing is paid.") % {"sum": sums[0]})
        return told
    points = nearest_five(sums[other])
    values = {
        "payer": people.name(other),
        "payee": people.name(low),
        "sum": sums[other],
        "points": points,
        "own": sums[low],
    }
    if people.is_you(other):
        told.append(
            _("Your hand sums to %(sum)s, more than %(own)s, and counts %(points)s for %(payee)s.")
            % values
        )
    elif people.is_you(low):
        told.append(
            _(
                "The hand of %(payer)s sums to %(sum)s, more than your %(own)s, "
                "and counts %(points)s for you."
            )
            % values
        )
    else:
        told.append(
            _(
                "The hand of %(payer)s sums to %(sum)s, more than %(own)s, "
                "and counts %(points)s for %(payee)s."
            )
            % values
        )
    if points != sums[other]:
        told.append(_("%(sum)s is rounded to the nearest five: %(points)s.") % values)
    return told


def nearest_five(points: int) -> int:
    """A hand's sum rounded as a block pays it (R6.6)."""
    return (points + 2) // 5 * 5


def winner_sentence(result: Mapping[str, Any], people: People) -> str:
    """Who won, in one sentence."""
    winner = result.get("winner")
    if winner is None:
        return _("Nobody wins.")
    if people.is_you(winner):
        return _("You win the match.")
    return _("%(name)s wins the match.") % {"name": people.name(winner)}


def end_sentence(result: Mapping[str, Any], people: People) -> str:
    """Why the match is over."""
    winner, reason = result.get("winner"), result["reason"]
    if winner is None:
        return _("The match is void: no winner, and no rating changes.")
    loser = 1 - winner
    values = {"name": people.name(loser)}
    yours = {
        "chips": _("You have no points left."),
        "time": _("Your time has run out."),
        "resignation": _("You resigned."),
    }
    theirs = {
        "chips": _("%(name)s has no points left."),
        "time": _("The time of %(name)s has run out."),
        "resignation": _("%(name)s resigned."),
    }
    return (yours if people.is_you(loser) else theirs)[reason] % values


def void_sentence(reason: object, start: object = None, end: object = None) -> str:
    """Why a match was called void, and when the trouble was where that is known."""
    reasons = {
        "service_failure": _("Our service failed to measure time, so the match is void."),
        "no_show": _("Start was not pressed by both players, so the match is void."),
        "abandoned": _("The match was left and is void."),
        "staff": _("The staff of this site ended the match, and it is void."),
    }
    told = reasons.get(str(reason), _("The match is void."))
    if isinstance(start, int) and isinstance(end, int):
        told += " " + _("It was so from %(start)s to %(end)s of the match.") % {
            "start": minutes(start),
            "end": minutes(end),
        }
    return told


def minutes(milliseconds: int) -> str:
    """A span as minutes and seconds, rounded up, so that only nothing at all reads 0:00."""
    seconds = -(-max(0, milliseconds) // 1000)
    return f"{seconds // 60}:{seconds % 60:02d}"


# Refusals


def refusal(code: str, params: Mapping[str, Any]) -> str:
    """Why a command was refused, in a sentence; an unknown code gets a general one."""
    teller = _REFUSALS.get(code)
    return teller(params) if teller else _("That is not possible now.")


def _deadline_passed(_params: Mapping[str, Any]) -> str:
    return _("That came after the clock had run out.")


def _wrong_phase(params: Mapping[str, Any]) -> str:
    asked = {
        "new": _("That is not asked for: the match has not started yet."),
        "dealt": _("That is not asked for: the round has not started yet."),
        "handover": _("That is not asked for: the next player must reveal the tiles first."),
        "auction": _("That is not asked for: the auction is on."),
        "opening": _("That is not asked for: the opening tile comes now."),
        "play": _("That is not asked for: a tile is to be laid or drawn."),
        "round_over": _("That is not asked for: the round is over."),
    }
    return asked.get(str(params.get("phase")), _("That is not asked for now."))


def _tile_of(params: Mapping[str, Any]) -> dict[str, Any]:
    return {"tile": tile_name(str(params["tile"]))}


def _too_high(params: Mapping[str, Any]) -> str:
    if not params["max"]:
        return _("You cannot afford a bid.")
    return _("You cannot afford to bid %(points)s: your highest bid is %(max)s.") % params


def _does_not_fit(params: Mapping[str, Any]) -> str:
    return _("The tile %(tile)s does not fit there: that end needs a %(value)s.") % {
        **_tile_of(params),
        "value": number_word(int(params["value"])),
    }


_REFUSALS = {
    "malformed": lambda _p: _("The page sent something that could not be read. Reload the page."),
    "time_backwards": lambda _p: _("That came out of order. Try again."),
    "out_of_time": _deadline_passed,
    "not_due": lambda _p: _("The time is not up yet."),
    "match_over": lambda _p: _("The match is over."),
    "wrong_phase": _wrong_phase,
    "not_your_turn": lambda _p: _("It is not your turn."),
    "already_ready": lambda _p: _("You have pressed already. The other player is still awaited."),
    "bad_deal": lambda _p: _("Those tiles are not a complete set."),
    "not_in_hand": lambda p: _("You do not hold the tile %(tile)s.") % _tile_of(p),
    "must_open_with": lambda p: (
        _("This round must be opened with the tile %(tile)s.") % _tile_of(p)
    ),
    "no_such_end": lambda _p: _("That end of the table is not open."),
    "does_not_fit": _does_not_fit,
    "must_lay_drawn": lambda p: _("You drew %(tile)s and it fits: lay it.") % _tile_of(p),
    "must_lay": lambda _p: _("A tile of yours fits: lay one."),
    "must_draw": lambda _p: _("Nothing fits, but the boneyard has tiles: draw one."),
    "boneyard_empty": lambda _p: _("The boneyard is empty."),
    "bid_not_multiple": lambda _p: _("A bid is a multiple of five."),
    "bid_too_low": lambda p: _("Bid at least %(min)s.") % p,
    "bid_too_high": _too_high,
    "no_bid": lambda _p: _("There is no bid to accept yet."),
    "bid_stands": lambda _p: _("A bid stands: accept it or raise it."),
    "bad_reason": lambda _p: _("That is no reason to call a match void."),
    "stale": lambda _p: _("The match had moved on. This is how it stands now."),
    "too_large": lambda _p: _("The page sent too much at once. Reload the page."),
    "not_a_player": lambda _p: _("Only the two players can do that. You are watching."),
    "signed_out": lambda _p: _("You have been signed out. Sign in to go on playing."),
    "flooding": lambda _p: _("Too many commands at once. Wait a moment."),
    "failed": lambda _p: _("Something went wrong on our side. Nothing has changed: try again."),
}
