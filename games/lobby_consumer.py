"""One socket of the lobby: it is only listened to; what a player does there are forms."""

from __future__ import annotations

import logging
from typing import Any
from urllib.parse import parse_qs

from asgiref.sync import sync_to_async
from django.template.loader import render_to_string
from django.utils import translation

from accounts.models import User
from accounts.services import suspension_of

from . import timekeeping, words
from .account_consumer import AccountConsumer
from .hub import BUSY, SIGNED_OUT
from .lobby_hub import SUSPENDED, Guest, LobbyHub, lobby_here
from .models import ID_LENGTH
from .play import Refused
from .rules.errors import Illegal
from .rules.record import Json, read_int

log = logging.getLogger(__name__)


class LobbyConsumer(AccountConsumer):
    """A socket of ``/ws/lobby/``, for those who are signed in and may play."""

    lobby: LobbyHub
    guest: Guest | None = None

    async def leave(self) -> None:
        if self.guest is not None:
            await self.lobby.leave(self.guest)

    async def enter(self, now: int) -> None:
        self.lobby = lobby_here()
        async with self.hub.doors:
            self.user, suspended = await sync_to_async(self._who)()
        if self.user is None:
            await self.close(code=SIGNED_OUT)
        elif suspended:
            await self.close(code=SUSPENDED)
        elif not self.hub.has_room(self.user.pk, self.address):
            await self.close(code=BUSY)
        else:
            self.guest = self.joined = Guest(
                match_id=_match_known(self.scope), heard_at=now, **self.own()
            )
            self.share_bucket(self.guest)
            await self.lobby.join(self.guest)

    async def disconnect(self, code: int) -> None:
        if self.guest is not None:
            self.guest.outbox.shut()
            await self.leave()

    async def websocket_receive(self, message: Json) -> None:
        """One frame. Whatever goes wrong, its sender is told and the socket stays open."""
        if self.guest is None:
            return
        try:
            await self._pong(self.guest, message)
        except Refused as refused:
            self._refuse(self.guest, refused)
        except Exception:
            log.exception("a frame to the lobby failed")
            self._refuse(self.guest, Refused("failed"))

    async def _pong(self, guest: Guest, message: Json) -> None:
        data = self.parse(message)
        try:
            sent = read_int(data, "sent")
        except Illegal as illegal:
            raise Refused(illegal.code, **illegal.params) from None
        now = timekeeping.now_ms()
        guest.outbox.put(render_to_string("lobby/_pong.html", {"sent": sent, "now": now}))
        await self.lobby.hear(guest, message["arrived"])

    def _refuse(self, guest: Guest, refused: Refused) -> None:
        with translation.override(guest.language):
            told = {"message": words.refusal(refused.code, refused.params)}
            guest.outbox.put(render_to_string("lobby/_refused.html", told))

    def _who(self) -> tuple[User | None, bool]:
        """Whose session this is, and whether that player is suspended."""
        user = self.whose()
        return user, user is not None and suspension_of(user) is not None


def _match_known(scope: Any) -> str:
    """The running match that the page shows already: it need not be led there."""
    asked = parse_qs(scope.get("query_string", b"").decode("latin-1"))
    return str(asked.get("match", [""])[0])[:ID_LENGTH]
