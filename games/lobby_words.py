"""What the lobby's refusals say to people."""

from __future__ import annotations

from datetime import datetime

from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.lobby import Refused


def sentence(refused: Refused) -> str:
    """The reason, as a sentence to the person who was refused."""
    told = _of_the_offer(refused) or _of_you(refused) or _of_the_other(refused)
    if not told:
        raise ValueError(f"no sentence for {refused.code!r}")
    return told


def _of_the_offer(refused: Refused) -> str:
    match refused.code:
        case "own_challenge":
            return _("This is your own offer: somebody else has to accept it.")
        case "not_yours":
            return _("Only the player who made this offer can withdraw it.")
        case "not_for_you":
            return _("This is between other players.")
        case "already_accepted":
            return _("This match already has its two players.")
        case "withdrawn":
            return _("This offer was withdrawn.")
        case "declined":
            return _("This offer was declined.")
        case "expired":
            return _("This offer is too old: it is no longer open.")
        case "out_of_window":
            return _out_of_window(refused.params["least"], refused.params["most"])
        case "not_finished":
            return _("A rematch can be offered when the match is over.")
    return ""


def _out_of_window(least: object, most: object) -> str:
    if most is None:
        return _("This offer is for ratings from %(least)s on.") % {"least": least}
    if least is None:
        return _("This offer is for ratings up to %(most)s.") % {"most": most}
    words = _("This offer is for ratings from %(least)s to %(most)s.")
    return words % {"least": least, "most": most}


def _of_you(refused: Refused) -> str:
    params = refused.params
    match refused.code:
        case "suspended":
            return _suspended(params["until"])
        case "you_are_playing":
            return _(
                "You are in a running match against %(opponent)s, and nobody plays two at a time."
            ) % {"opponent": params["opponent"]}
        case "restart_announced":
            return _(
                "This site restarts soon, so no new match starts now. Running matches go on. "
                "Try again after the restart."
            )
        case "already_offered":
            words = _("You have already challenged %(player)s, who has not answered yet.")
            return words % {"player": params["player"]}
        case "too_many_open":
            maximum = int(str(params["max"]))
            return ngettext(
                "You already have %(max)d open offer. Withdraw it first.",
                "You already have %(max)d open offers. Withdraw one first.",
                maximum,
            ) % {"max": maximum}
    return ""


def _suspended(until: object) -> str:
    if not isinstance(until, datetime):
        return _("You are suspended and cannot start a match.")
    when = formats.date_format(timezone.localtime(until), "DATETIME_FORMAT")
    words = _("You are suspended and cannot start a match until %(until)s (%(zone)s).")
    return words % {"until": when, "zone": timezone.get_current_timezone_name()}


def _of_the_other(refused: Refused) -> str:
    params = refused.params
    match refused.code:
        case "creator_is_playing":
            return _(
                "The player who made this offer is in a running match against %(opponent)s. "
                "Try again when it is over."
            ) % {"opponent": params["opponent"]}
        case "player_is_playing":
            return _(
                "%(player)s is in a running match against %(opponent)s. Try again when it is over."
            ) % {"player": params["player"], "opponent": params["opponent"]}
        case "player_suspended":
            words = _("%(player)s cannot start a match at the moment.")
            return words % {"player": params["player"]}
        case "blocked":
            return _(
                "You and this player do not play each other: one of you has blocked the other."
            )
        case "no_such_player":
            return _("There is no player called “%(name)s”.") % {"name": params["name"]}
        case "self_challenge":
            return _("That is you: challenge somebody else.")
    return ""


def link(refused: Refused) -> str:
    """The words of the link to the match a refusal is about; empty where it names none."""
    match refused.code:
        case "already_accepted":
            return _("Watch this match")
        case "you_are_playing":
            return _("Go to your match")
        case "creator_is_playing" | "player_is_playing":
            return _("Watch that match")
    return ""
