"""What the lobby's page shows of the board to one player, in regions that change by themselves.

A row is rendered once for each language and relation, and the rows of a player are joined: the
sockets of a full lobby cost no template each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _

from games import lobby_words, pairing, words
from games.lobby import Board, Offer, Refused, Shown
from games.models import Challenge

Kind = Challenge.Kind

#: The regions of the page, in the order they are read; the id of one is ``lobby-`` and its name.
REGIONS = ("running", "quick", "incoming", "offers", "seeks")
SHOWN = 50  # seeks that one player is shown: those that suit first, and of them the nearest
OWN, OPEN = "own", "open"  # what a player may do with an offer; else the code of why nothing

Regions = Mapping[str, str]


class Shelf:
    """Rows that have been rendered, kept as long as their offers are on the board."""

    def __init__(self, csrf_token: str = "") -> None:
        self._csrf_token = csrf_token
        self._drawn: dict[tuple[str, ...], str] = {}

    def keep_only(self, board: Board) -> None:
        """Forget the rows of offers that are gone."""
        there = {offer.id for offer in board.offers}
        self._drawn = {
            key: text
            for key, text in self._drawn.items()
            if (key[1] in there if key[0] == "row" else key[0] != "running")
        }

    def regions(self, board: Board, viewer: int, language: str) -> Regions:
        """The text of every region for a player the board was read for."""
        with translation.override(language):
            return {
                "running": self._running(board, viewer),
                "quick": self._quick(board, viewer),
                "incoming": self._list("incoming", self._incoming(board, viewer)),
                "offers": self._list("offers", self._offers(board, viewer)),
                "seeks": self._seeks(board, viewer),
            }

    def _running(self, board: Board, viewer: int) -> str:
        mine = board.match_of(viewer)
        return self._draw("running", mine.id, mine.opponent, mine=mine) if mine else ""

    def _quick(self, board: Board, viewer: int) -> str:
        mine = next((o for o in board.made_by(viewer) if o.kind == Kind.QUICK), None)
        if mine is not None:
            return self._row(board, mine, OWN)
        refused = board.hindrance(viewer)
        if refused and refused.code == "you_are_playing":
            return ""  # the region above says so
        sentence = lobby_words.sentence(refused) if refused else ""
        return self._draw("quick", sentence, hindrance=sentence)

    def _incoming(self, board: Board, viewer: int) -> list[str]:
        return [
            self._row(board, shown.offer, relation(shown.refused))
            for shown in board.received_by(viewer)
        ]

    def _offers(self, board: Board, viewer: int) -> list[str]:
        mine = [offer for offer in board.made_by(viewer) if offer.kind in (Kind.LINK, Kind.DIRECT)]
        return [self._row(board, offer, OWN) for offer in mine]

    def _seeks(self, board: Board, viewer: int) -> str:
        seeks = nearest_first(board, viewer)
        rows = [self._row(board, seek.offer, relation(seek.refused)) for seek in seeks[:SHOWN]]
        more = max(0, len(seeks) - SHOWN)
        return "".join(
            [
                self._list("seeks", rows) if rows else self._draw("no_seeks"),
                self._draw("more_seeks", str(more), more=more) if more else "",
            ]
        )

    def _list(self, name: str, rows: Iterable[str]) -> str:
        """Rows under their heading, or nothing where there are none."""
        joined = "".join(rows)
        before, _, after = self._draw(name).partition("ROWS")
        return f"{before}{joined}{after}" if joined else ""

    def _row(self, board: Board, offer: Offer, may: str) -> str:
        """One offer; ``may`` is what this player can do with it."""
        left = 0 if offer.expires is None else max(0, offer.expires - board.now)
        waited = max(0, board.now - offer.created)
        return self._draw(
            "row",
            offer.id,
            may,
            offer=offer,
            may=may,
            waited=words.minutes(waited),
            left=_span(left),
            around=pairing.window(waited),
            widening=pairing,
        )

    def _draw(self, name: str, *key: str, **context: object) -> str:
        """A template of the lobby, rendered once for each language and ``key``."""
        full = (name, *key, translation.get_language() or "")
        if full not in self._drawn:
            context["csrf_token"] = self._csrf_token
            self._drawn[full] = render_to_string(f"lobby/_{name}.html", context).strip()
        return self._drawn[full]


def _span(left: int) -> str:
    """How long an offer still stands: hours, or minutes and seconds."""
    hours = left // 3_600_000
    return _("%(hours)s h") % {"hours": hours} if hours else words.minutes(left)


def nearest_first(board: Board, viewer: int) -> list[Shown]:
    """The seeks a player sees: their own, those they may accept, then the others."""
    rating = board.facts.players[viewer].rating

    def distance(seek: Shown) -> tuple[int, int]:
        code = relation(seek.refused)
        place = 0 if code == OWN else 1 if code == OPEN else 2
        return place, abs(seek.offer.creator.rating - rating)

    return sorted(board.seeks_for(viewer), key=distance)


def relation(refused: Refused | None) -> str:
    """What a player may do with an offer: take it back, accept it, or nothing, and why."""
    if refused is None:
        return OPEN
    return OWN if refused.code == "own_challenge" else refused.code


def fragments(regions: Regions, shown: Regions | None = None) -> str:
    """The regions that differ from what a page has, as one text for it."""
    before = {} if shown is None else shown
    return "".join(
        f'<div id="lobby-{name}">{regions[name]}</div>'
        for name in REGIONS
        if regions[name] != before.get(name)
    )
