"""Who paid whom, and why nobody did."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from .people import People

Entry = Mapping[str, Any]


def payment(transfer: Mapping[str, Any], people: People) -> str:
    """Who paid whom."""
    payer, payee, points = transfer["from"], transfer["to"], transfer["points"]
    values = {"points": points, "payer": people.name(payer), "payee": people.name(payee)}
    if people.is_you(payer):
        return _("You pay %(payee)s %(points)s.") % values
    if people.is_you(payee):
        return _("%(payer)s pays you %(points)s.") % values
    return _("%(payer)s pays %(payee)s %(points)s.") % values


def payment_of(entry: Entry, people: People) -> str:
    """What an entry of the log paid, the cap by what the payer had left included (R1.4)."""
    transfer = entry.get("transfer")
    if not transfer or not transfer["points"]:
        return _("Nothing is paid.")
    told = payment(transfer, people)
    if transfer["for"] == "ends" and entry["count"] > transfer["points"]:
        capped = _("%(due)s were due, but that is all there is.") % {"due": entry["count"]}
        return f"{told} {capped}"
    return told


def gain(entry: Entry) -> tuple[int, int] | None:
    """The seat that received points in this entry, and how many."""
    transfer = entry.get("transfer")
    if not transfer or not transfer["points"]:
        return None
    return transfer["to"], transfer["points"]
