"""How rounds and matches ended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.html import format_html
from django.utils.translation import gettext as _

from games.rules.match import nearest_five

from .moments import Span
from .people import People


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


def void_sentence(reason: object, span: Span | None = None) -> str:
    """Why a match was called void; ``span`` is when nobody was measuring its time."""
    if reason == "service_failure" and span is not None:
        return format_html(
            _("Void: the service was not measuring time from {begin} to {end} (UTC)."),
            begin=span.began,
            end=span.ended,
        )
    reasons = {
        "service_failure": _("Our service failed to measure time, so the match is void."),
        "no_show": _("Start was not pressed by both players, so the match is void."),
        "abandoned": _("The match was left and is void."),
        "staff": _("The staff of this site ended the match, and it is void."),
    }
    return reasons.get(str(reason), _("The match is void."))


def minutes(milliseconds: int) -> str:
    """A span as minutes and seconds, rounded up, so that only nothing at all reads 0:00."""
    seconds = -(-max(0, milliseconds) // 1000)
    return f"{seconds // 60}:{seconds % 60:02d}"
