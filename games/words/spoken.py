"""What is said of a match to somebody who listens: briefly, and in whole sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from .people import People
from .tiles import arms_list, end_term

COUNTER = 5


def ends_told(ends: Mapping[str, Mapping[str, int]], count: int) -> str:
    """Every open end, and the sum: "Ends: left 4, right double 6. Sum 16." """
    if not ends:
        return ""
    told = ", ".join(
        _("%(end)s %(points)s") % {"end": arms_list([arm]), "points": end_term(end)}
        for arm, end in ends.items()
    )
    return _("Ends: %(ends)s. Sum %(sum)s.") % {"ends": told, "sum": count}


def why_paid(count: int) -> str:
    """Why a sum pays, or pays nothing (R5.5)."""
    if not count:
        return _("Zero pays nothing.")
    if count % COUNTER:
        return _("%(sum)s is no multiple of five and pays nothing.") % {"sum": count}
    return _("%(sum)s is a multiple of five: it pays %(sum)s.") % {"sum": count}


def balances(chips: Sequence[int], people: People) -> str:
    """What each of the two has, the viewer first: "You 165, Nina 135." """
    first = people.you or 0
    return _("%(one)s %(first)s, %(two)s %(second)s.") % {
        "one": people.label(first),
        "first": chips[first],
        "two": people.name(1 - first),
        "second": chips[1 - first],
    }


def auction_choice(received: int | None, least: Mapping[str, Any] | None) -> str:
    """What may be answered in an auction, in points.

    ``received`` is what accepting brings, None where no bid stands; ``least`` has ``points`` and
    ``price`` of the smallest bid, None where none can be afforded.
    """
    if received is None:
        if least is None:
            return _("You can only decline.")
        return _("Decline, or bid %(points)s and pay %(price)s.") % least
    if least is None:
        return _("You can only accept and receive %(received)s.") % {"received": received}
    return _("Accept and receive %(received)s, or bid %(points)s and pay %(price)s.") % {
        "received": received,
        **least,
    }
