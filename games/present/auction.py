"""The auction's panel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.rules.auction import DISCOUNT, STEP, Bid, price
from games.words import People

from .answers import Entries, View, answers, can


def auction_panel(view: View, people: People, _log: Entries) -> dict[str, Any]:
    standing = Bid(**view["bid"]) if view["bid"] else None
    you, jockey = people.you, view["jockey"]
    panel: dict[str, Any] = {
        "about": _about_auction(view, people),
        "standing": _standing(standing, jockey, people) if standing else "",
        "accept": "",
        "decline": "",
        "bid": None,
    }
    if you is None or not view["legal"]:
        return panel
    other = people.name(1 - you)
    if standing and can(view, "accept"):
        received = price(standing, jockey)
        panel["accept"] = _("Accept: receive %(points)s") % {"points": received}
        everything = received >= view["chips"][standing.seat]
        panel["accept_note"] = (
            _("That is all %(name)s has: you win the match at once.")
            if everything
            else _("%(name)s then opens with any tile.")
        ) % {"name": other}
    if can(view, "decline"):
        panel["decline"] = pgettext("auction", "Decline")
        panel["decline_note"] = _("%(name)s then opens free with any tile.") % {"name": other}
    if bids := answers(view, "bid"):
        panel["bid"] = _bid_form(bids[0], view, you, people)
    elif standing:
        panel["short"] = _("You cannot afford to raise.")
    return panel


def _about_auction(view: View, people: People) -> str:
    jockey = view["jockey"]
    if people.is_you(jockey):
        return _("You went out last and are the jockey: a winning bid of yours costs 15 less.")
    values = {"name": people.name(jockey)}
    if people.you is not None:
        return (
            _(
                "%(name)s went out last and is the jockey: a winning bid of theirs costs 15 less, "
                "yours its full price."
            )
            % values
        )
    return _("%(name)s went out last and is the jockey: a winning bid of theirs costs 15 less.") % (
        values
    )


def _standing(standing: Bid, jockey: int, people: People) -> str:
    paid = price(standing, jockey)
    values = {"name": people.name(standing.seat), "points": standing.points, "price": paid}
    if people.is_you(standing.seat):
        return _("You bid %(points)s and pay %(price)s if it is accepted.") % values
    return _("%(name)s bids %(points)s and pays %(price)s if it is accepted.") % values


def _bid_form(allowed: Mapping[str, Any], view: View, you: int, people: People) -> dict[str, Any]:
    """The stepper: the script fills the same sentences for other amounts."""
    least, discount = allowed["min"], view["jockey"] == you
    values = {"points": least, "price": price(Bid(you, least), view["jockey"])}
    ruins = values["price"] >= view["chips"][you]
    name = {"name": people.name(1 - you)}
    label = (
        _("Raise to %(points)s, pay %(price)s")
        if view["bid"]
        else _("Bid %(points)s, pay %(price)s")
    )
    if discount:
        note = _("Costs %(points)s less 15. If %(name)s accepts, you open with any tile.")
    else:
        note = _("If %(name)s accepts %(points)s, you open with any tile.")
    ruin = _("%(price)s is all you have: if %(name)s accepts, you lose the match at once.")
    note, ruin = (_fill(text, name) for text in (note, ruin))
    return {
        "min": least,
        "max": allowed["max"],
        "step": STEP,
        "discount": DISCOUNT if discount else 0,
        "balance": view["chips"][you],
        "label": label,
        "note": note,
        "ruin": ruin,
        "label_now": label % values,
        "ruins": ruins,
        "note_now": (ruin if ruins else note) % values,
    }


def _fill(text: str, known: Mapping[str, str]) -> str:
    """Fill some of a sentence's places; a name with a percent sign in it stays one."""
    for name, value in known.items():
        text = text.replace(f"%({name})s", value.replace("%", "%%"))
    return text
