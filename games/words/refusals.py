"""Why a command was refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from .lesson import not_in_the_script
from .tiles import number_word, tile_name


def refusal(code: str, params: Mapping[str, Any]) -> str:
    """Why a command was refused, in a sentence; an unknown code gets a general one."""
    teller = _REFUSALS.get(code)
    return teller(params) if teller else _("That is not possible now.")


def _malformed(params: Mapping[str, Any]) -> str:
    """What is wrong with a frame or a line of a record; a page that works never sends one."""
    problems = {
        "json": _("That could not be read: it is no JSON."),
        "object": _("That could not be read: it is no JSON object."),
        "unknown": _("That could not be read: there is no event “%(key)s”."),
        "missing": _("That could not be read: “%(key)s” is missing."),
        "type": _("That could not be read: “%(key)s” has a value that it cannot have."),
    }
    general = _("That could not be read. Reload the page.")
    return problems.get(str(params.get("problem")), general) % {"key": params.get("key", "")}


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


_REFUSALS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "malformed": _malformed,
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
    "not_over": lambda _p: _("The match is not over yet."),
    "not_rated": lambda _p: _("The match did not count for the ratings."),
    "already_annulled": lambda _p: _("The match has been annulled before."),
    "too_large": lambda _p: _("The page sent too much at once. Reload the page."),
    "not_a_player": lambda _p: _("Only the two players can do that. You are watching."),
    "signed_out": lambda _p: _("You have been signed out. Sign in to go on playing."),
    "flooding": lambda _p: _("Too many commands at once. Wait a moment."),
    "guided": lambda _p: not_in_the_script(),
    "failed": lambda _p: _("Something went wrong on our side. Nothing has changed: try again."),
}
