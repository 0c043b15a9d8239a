"""The live matches, as anybody may watch them: the list, and the best one of them.

Whoever looks is shown the same, so each process renders it once for each language and moment,
however many ask.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.utils.translation import get_language
from redis.exceptions import RedisError

from . import live, presence, sweeps
from .live import Page
from .models import Match
from .outage import Outage
from .play import Position
from .present.small import Card, card, small_context
from .rules.record import Json
from .rules.sight import view_for

log = logging.getLogger(__name__)
COUNTS = Outage(log, "the count of who is watching")

MOST = 30  # matches on the page
FRESH = 2_000  # ms for which a rendering is shown to whoever asks
PATIENCE = 10_000  # ms after which a Redis that was away is asked again
_PRESSED = 2  # events after which both have pressed Start


@dataclass(frozen=True, slots=True)
class Listing:
    """The live matches, the highest rated first, and how many there are beside them."""

    cards: tuple[Card, ...]
    more: int


@dataclass(frozen=True, slots=True)
class Text:
    """Something rendered, when (Unix time in ms), and a name that changes with it."""

    html: str
    at: int
    name: str


class Shared:
    """What ``render`` gives, kept for a moment for everybody who asks in the same language."""

    def __init__(self, render: Callable[[int], str]) -> None:
        self._render = render
        self._kept: dict[str | None, Text] = {}
        self._lock = Lock()

    def text(self, now: int) -> Text:
        """The rendering at ``now``, Unix time in ms, in the active language."""
        language = get_language()
        with self._lock:  # those who come while one renders wait for it
            kept = self._kept.get(language)
            if kept is None or not 0 <= now - kept.at < FRESH:
                html = self._render(now)
                name = hashlib.sha256(html.encode()).hexdigest()[:16]
                kept = self._kept[language] = Text(html, now, name)
            return kept

    def forget(self) -> None:
        """Render anew for whoever asks next."""
        with self._lock:
            self._kept.clear()


def listing(now: int) -> Listing:
    """The matches that are played at ``now``, by a number of queries that does not grow."""
    found = _played(MOST + 1)
    shown = found[:MOST]
    more = _running().count() - MOST if len(found) > MOST else 0
    watching = _AUDIENCE.of([match.pk for match in shown], now)
    cards = (card(_info(match), _view(match), watching.get(match.pk)) for match in shown)
    return Listing(tuple(cards), more)


def best(now: int) -> Page | None:
    """The page of the best live match for a spectator, None where nobody plays."""
    for match in _played(1):
        page = live.page(match.pk, None, now)
        if not page.view["result"]:  # it may have ended in between
            return page
    return None


def forget() -> None:
    """Forget what is kept, and whether Redis was away."""
    LIST.forget()
    BEST.forget()
    _AUDIENCE.away_until = 0


def _played(most: int) -> list[Match]:
    """The matches that are being played, the highest rated first; then those without ratings."""
    running = _running().prefetch_related("seats")
    rated = running.filter(level__isnull=False).order_by("-level", "created_at")
    found = list(rated[:most])
    if len(found) < most:
        others = running.filter(level=None).order_by("created_at")
        found += others[: most - len(found)]
    return found


def _running() -> QuerySet[Match]:
    """Both players have started, and the match is not over: only such a one has a due time."""
    return Match.objects.filter(
        ended_at=None, due__isnull=False, version__gte=_PRESSED, kind=Match.Kind.DUEL
    )


def _info(match: Match) -> Json:
    return live.info_of(match, sorted(match.seats.all(), key=lambda seat: seat.seat))


def _view(match: Match) -> Json:
    """What a spectator may see: nothing of the snapshot goes around it."""
    position = Position.stored(match.snapshot, match.version, match.due, match.epoch)
    return view_for(position.state, None)


class _Audience:
    """How many watch each match. A Redis that is away costs only this, and little time."""

    away_until = 0

    def of(self, match_ids: list[str], now: int) -> dict[str, int]:
        if now < self.away_until:
            return {}
        try:
            counts = presence.watching(sweeps.redis(), match_ids, now)
        except (RedisError, OSError) as error:
            COUNTS.failed(error)
            self.away_until = now + PATIENCE
            return {}
        COUNTS.answered()
        return counts


_AUDIENCE = _Audience()


def _render_list(now: int) -> str:
    return render_to_string("watch/_list.html", {"listing": listing(now)})


def _render_best(now: int) -> str:
    page = best(now)
    if page is None:
        return render_to_string("watch/_best.html", {"info": None})
    context = small_context(page.info, page.view, page.log, full=True)
    return render_to_string("watch/_best.html", context)


LIST, BEST = Shared(_render_list), Shared(_render_best)
