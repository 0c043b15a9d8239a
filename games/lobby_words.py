"""What the lobby's refusals say to people."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.lobby import Refused


def sentence(refused: Refused) -> str:
    """The reason, as a sentence to the person who was refused."""
    params = refused.params
    match refused.code:
        case "own_challenge":
            return _("This is your own offer: somebody else has to accept it.")
        case "not_yours":
            return _("Only the player who made this offer can withdraw it.")
        case "already_accepted":
            return _("This match already has its two players.")
        case "withdrawn":
            return _("This offer was withdrawn.")
        case "you_are_playing":
            return _(
                "You are in a running match against %(opponent)s, and nobody plays two at a time."
            ) % {"opponent": params["opponent"]}
        case "creator_is_playing":
            return _(
                "The player who made this offer is in a running match against %(opponent)s. "
                "Try again when it is over."
            ) % {"opponent": params["opponent"]}
        case "restart_announced":
            return _(
                "This site restarts soon, so no new match starts now. Running matches go on. "
                "Try again after the restart."
            )
        case "too_many_open":
            maximum = int(str(params["max"]))
            return ngettext(
                "You already have %(max)d open offer. Withdraw it first.",
                "You already have %(max)d open offers. Withdraw one first.",
                maximum,
            ) % {"max": maximum}
    raise ValueError(f"no sentence for {refused.code!r}")


def link(refused: Refused) -> str:
    """The words of the link to the match a refusal is about; empty where it names none."""
    match refused.code:
        case "already_accepted":
            return _("Watch this match")
        case "you_are_playing":
            return _("Go to your match")
        case "creator_is_playing":
            return _("Watch that match")
    return ""
