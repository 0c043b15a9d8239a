"""What every socket of the site has in common: whose it is, and whether it may be open."""

from __future__ import annotations

import hashlib
from types import SimpleNamespace
from typing import Any

from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.contrib import auth
from django.contrib.sessions.backends.base import SessionBase
from django.utils.module_loading import import_string

from accounts.models import User
from spectacular import language

from . import timekeeping
from .hub import BUSY, Hub, hub_here
from .members import Connected, Outbox
from .play import Refused
from .rules.errors import Illegal
from .rules.record import Json, parse_json

LARGEST_FRAME = 4096  # bytes


class AccountConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]
    """A socket that is accepted first, so that a browser can see why it is refused."""

    channel_layer_alias = "none"  # the hub listens for all sockets of this process
    coerced = True  # whether the values of a frame arrive as text

    hub: Hub
    user: User | None = None
    joined: Connected | None = None  # what the hub knows of it, once it has joined

    async def __call__(self, scope: Json, receive: Any, send: Any) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:  # the server cancels a socket that is slow to end, and then nothing else runs
            await self.leave()

    async def leave(self) -> None:
        """The hub forgets this socket; a second time changes nothing."""
        raise NotImplementedError

    async def connect(self) -> None:
        """Accept, then join unless the address opens too many."""
        await self.accept()
        self.hub = hub_here()
        self.address, now = address_of(self.scope), timekeeping.now_ms()
        if self.hub.may_connect(self.address, now):
            await self.enter(now)
        else:
            await self.close(code=BUSY)

    async def enter(self, now: int) -> None:
        """Find out who this is and let them join, or close with the reason."""
        raise NotImplementedError

    def own(self) -> dict[str, Any]:
        """What the hub is told of this socket's owner."""
        return {
            "user_id": None if self.user is None else self.user.pk,
            "session": session_digest(_session_key(self.scope)),
            "address": self.address,
            "language": language.of_scope(self.scope),
            "outbox": Outbox(self._send_text),
            "close": self.close_after_all,
        }

    def share_bucket(self, socket: Connected) -> None:
        """Its frames are counted together with those of the other sockets of its owner."""
        bucket = self.hub.bucket_of(socket.user_id, socket.address)
        self.scope["arrivals"].shared = bucket

    def parse(self, message: Json) -> Json:
        """The object a frame holds. Raises :class:`Refused`."""
        frame = message.get("text")
        raw = frame.encode("utf-8", "surrogatepass") if frame is not None else message["bytes"]
        if len(raw) > LARGEST_FRAME:
            raise Refused("too_large")
        try:
            data = parse_json(raw)
        except Illegal as illegal:
            raise Refused(illegal.code, **illegal.params) from None
        return _coerce(data) if self.coerced else data

    async def _send_text(self, text: str) -> None:
        await self.send(text_data=text)

    async def close_after_all(self, code: int) -> None:
        """Close, once what was said before has been sent."""
        if self.joined is not None:
            await self.joined.outbox.empty()
        await self.close(code=code)

    def session(self) -> SessionBase:
        """The session that the cookie names, read afresh."""
        engine = import_string(f"{settings.SESSION_ENGINE}.SessionStore")
        session: SessionBase = engine(_session_key(self.scope))
        return session

    def whose(self) -> User | None:
        """Who the session cookie says this is, asked afresh: None when nobody is signed in."""
        return user_of(self.session())

    def still_signed_in(self) -> bool:
        return self.whose() == self.user


_NUMBERS = ("version", "points", "sent", "seen", "seat")


def _coerce(data: Json) -> Json:
    """The values of a form arrive as text; htmx adds its own ``HEADERS``."""
    coerced = {key: value for key, value in data.items() if key != "HEADERS"}
    for key in _NUMBERS:
        value = coerced.get(key)
        if isinstance(value, str) and value.isascii() and value.isdigit():
            coerced[key] = int(value[:20])
    return coerced


def user_of(session: SessionBase) -> User | None:
    """Who is signed in, if anybody is."""
    request: Any = SimpleNamespace(session=session)
    user = auth.get_user(request)
    return user if isinstance(user, User) and user.is_active else None


def session_digest(key: str | None) -> str:
    """What stands for a session where its key must not travel."""
    return hashlib.sha256((key or "").encode()).hexdigest()


def _session_key(scope: Any) -> str | None:
    key: str | None = scope["cookies"].get(settings.SESSION_COOKIE_NAME)
    return key


def address_of(scope: Any) -> str:
    """Where a socket comes from: behind our own proxies, what the outermost of them saw."""
    forwarded = dict(scope["headers"]).get(b"x-forwarded-for", b"").decode("latin-1")
    hops = [hop.strip() for hop in forwarded.split(",") if hop.strip()]
    proxies: int = settings.TRUSTED_PROXIES
    if proxies and len(hops) >= proxies:
        return str(hops[-proxies])
    client = scope.get("client") or ("unknown", 0)
    return str(client[0])
