"""The lobby of a web process: one board for everybody in it, read when it has changed.

However much changes at once, the board is read once in a while, and each page is sent the
regions that differ from what it has. What never arrives (Redis may be away) is found in the
next look around.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from asgiref.sync import sync_to_async
from django.template.loader import render_to_string

from . import lobby, lobby_news, timekeeping
from .hub import BUSY, SILENCE, Hub, hub_here
from .lobby_regions import Regions, Shelf, fragments
from .members import Connected
from .models import Challenge
from .outage import Outage
from .rules.record import Json

log = logging.getLogger(__name__)
BOARD = Outage(log, "the board of the lobby")

SUSPENDED = 4403  # the code that tells a page that its user may not be in the lobby
PACE = 0.15  # s between two readings of the board, however much changes
LOOK_AROUND = 5.0  # s after which it is read although nothing was heard
ASKED_AFTER = 7_000  # ms of silence after which a page that waits is asked whether it is there
WAITING = frozenset({Challenge.Kind.SEEK, Challenge.Kind.QUICK})  # they end when nobody is there


@dataclass(eq=False, kw_only=True)
class Guest(Connected):
    """A page that is in the lobby: the regions it has, and the match it knows of."""

    user_id: int
    match_id: str = ""
    regions: Regions = field(default_factory=dict)
    waits: bool = False  # whether something of theirs ends when they go

    @property
    def when_suspended(self) -> int:
        return SUSPENDED


class LobbyHub:
    """The pages in the lobby that this process serves."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.guests: set[Guest] = set()
        self._shelf = Shelf()
        self._changed = asyncio.Event()
        self._running = False
        hub.when_told("lobby.changed", self.hear_of_change)

    async def join(self, guest: Guest) -> None:
        """From now on this page is told what changes; first it is told how things are."""
        self.guests.add(guest)
        self.hub.count_in(guest)
        self._changed.set()
        if not self._running:
            self._running = True
            self.hub.spawn(self._keep_telling())
        await self.hub.listen_to(lobby_news.GROUP)

    async def leave(self, guest: Guest) -> None:
        """This page is gone; one that never joined may leave too."""
        if guest not in self.guests:
            return
        self.guests.discard(guest)
        self.hub.count_out(guest)
        if not self.guests:
            self._changed.set()  # nobody is to be told: the task ends
            await self.hub.stop_listening_to(lobby_news.GROUP)

    def hear_of_change(self, news: Json) -> None:
        """Something on the board has changed."""
        self._changed.set()

    async def hear(self, guest: Guest, now: int) -> None:
        """A page says at ``now`` that it is there: what its user seeks goes on waiting."""
        lagged, guest.unread, guest.behind = guest.behind, 0, False
        guest.heard_at = now
        if lagged:
            self._changed.set()
        if guest.waits:
            await sync_to_async(lobby.keep_alive)(guest.user_id, now)

    async def _keep_telling(self) -> None:
        try:
            while self.guests:
                self._changed.clear()
                await self._read_and_tell()
                self._look_who_is_there(timekeeping.now_ms())
                await asyncio.sleep(PACE)
                await self._until_changed()
        finally:
            self._running = False

    async def _until_changed(self) -> None:
        try:
            async with asyncio.timeout(LOOK_AROUND):
                await self._changed.wait()
        except TimeoutError:
            return

    async def _read_and_tell(self) -> None:
        try:
            async with self.hub.doors:
                users = {guest.user_id for guest in self.guests}
                board = await sync_to_async(lobby.board)(timekeeping.now_ms(), users)
        except Exception as error:  # noqa: BLE001  # whatever is away, the next look tells more
            BOARD.failed(error)
            return
        BOARD.answered()
        self.tell(board)

    def tell(self, board: lobby.Board) -> None:
        """Send every page what differs from what it has."""
        self._shelf.keep_only(board)
        for guest in list(self.guests):
            if guest.behind or guest.user_id not in board.facts.players:
                continue  # the latter came while the board was read, and is told right after
            try:
                self._tell(guest, board)
            except Exception:
                log.exception("a page in the lobby could not be told")

    def _tell(self, guest: Guest, board: lobby.Board) -> None:
        match = board.match_of(guest.user_id)
        if match is not None and match.id != guest.match_id:
            guest.put(render_to_string("lobby/_go.html", {"url": match.url}))
        guest.match_id = "" if match is None else match.id
        guest.waits = any(offer.kind in WAITING for offer in board.made_by(guest.user_id))
        regions = self._shelf.regions(board, guest.user_id, guest.language)
        if text := fragments(regions, guest.regions):
            guest.put(text)
        guest.regions = regions

    def _look_who_is_there(self, now: int) -> None:
        """Close those who have said nothing for too long; ask those who wait. The timers of a
        page in the background hardly run, but it answers what it is asked."""
        for guest in self.guests:
            silence = now - guest.heard_at
            if silence > SILENCE:
                self.hub.spawn(guest.close(BUSY))
            elif guest.waits and silence > ASKED_AFTER:
                guest.outbox.put(render_to_string("lobby/_beat.html"))


_lobbies: WeakKeyDictionary[asyncio.AbstractEventLoop, LobbyHub] = WeakKeyDictionary()


def lobby_here() -> LobbyHub:
    """The lobby of the running event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _lobbies:
        _lobbies[loop] = LobbyHub(hub_here())
    return _lobbies[loop]
