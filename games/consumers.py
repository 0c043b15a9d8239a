"""One socket of one match: commands in; what the match has to say comes by the hub."""

from __future__ import annotations

import hashlib
import logging
from types import SimpleNamespace
from typing import Any, ClassVar
from uuid import uuid4

from asgiref.sync import sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.contrib import auth
from django.utils import translation
from django.utils.module_loading import import_string

from accounts.models import User

from . import live, metrics, store, timekeeping, windows, words
from .hub import BUSY, SIGNED_OUT, Hub, hub_here
from .members import Member, Outbox
from .models import Match
from .outage import Outage
from .play import Refused, parse_command
from .presence import Attendance
from .rendering import AS_FRAGMENTS, AS_JSON, Rendering
from .rules.errors import Illegal
from .rules.record import Json, parse_json, read_int
from .rules.sight import Viewer

log = logging.getLogger(__name__)
ATTENDANCE = Outage(log, "the list of who is there")

LARGEST_FRAME = 4096  # bytes
NO_SUCH_MATCH = 4404
LOOK_AROUND = 2_000  # ms between two looks at who is there, however often a page pings


class MatchConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]
    """A socket of ``/ws/matches/<id>/``, in one of the two renderings."""

    rendering: ClassVar[Rendering] = AS_FRAGMENTS
    channel_layer_alias = "none"  # the hub listens for all sockets of this process

    hub: Hub
    member: Member | None = None
    looked_at = 0  # when it was last asked who is there
    vouched = False

    async def __call__(self, scope: Json, receive: Any, send: Any) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:  # the server cancels a socket that is slow to end, and then nothing else runs
            if self.member is not None:
                await self.hub.leave(self.member)

    async def connect(self) -> None:
        """Accept first, so that a browser can see why a socket is refused; join, then read."""
        await self.accept()
        self.match_id: str = self.scope["url_route"]["kwargs"]["match_id"]
        self.hub = hub_here()
        address, now = _address(self.scope), timekeeping.now_ms()
        if not self.hub.may_connect(address, now):
            await self.close(code=BUSY)
            return
        async with self.hub.doors:
            self.user = await sync_to_async(self._user)()
            user_id = None if self.user is None else self.user.pk
            try:
                await sync_to_async(store.judge)(self.match_id, now)
                info, viewer = await sync_to_async(live.who)(self.match_id, user_id)
            except Match.DoesNotExist:
                await self.close(code=NO_SUCH_MATCH)
                return
        if not self.hub.has_room(user_id, address):
            await self.close(code=BUSY)
            return
        self.member = Member(
            match_id=self.match_id,
            viewer=viewer,
            info=info,
            user_id=user_id,
            session=session_digest(_session_key(self.scope)),
            address=address,
            rendering=self.rendering,
            language=translation.get_language_from_request(_request_of(self.scope)),
            outbox=Outbox(self._send_text),
            close=self._close,
            heard_at=now,
        )
        arrivals = self.scope["arrivals"]
        arrivals.shared = self.hub.bucket_of(user_id, address)
        arrivals.player = viewer is not None
        await self.hub.join(self.member)
        await self._vouch(viewer)
        await self.hub.resend(self.member)
        self.attendance = Attendance(self.match_id, viewer, uuid4().hex)
        await self._tell_presence(self.member, leaving=False)

    async def _vouch(self, seat: Viewer) -> None:
        """From now on this front vouches for the seat, if it is one: a ping tries again."""
        if seat is not None and not self.vouched:
            vouch = sync_to_async(store.vouch)
            now = timekeeping.now_ms()
            self.vouched = await vouch(self.match_id, seat, self.hub.window, now)

    async def disconnect(self, code: int) -> None:
        if self.member is not None:
            self.member.outbox.shut()
            await self._tell_presence(self.member, leaving=True)
            await self.hub.leave(self.member)
            seat = self.member.viewer
            if seat is not None and (self.match_id, seat) not in self.hub.seats():
                await sync_to_async(windows.let_go)(self.match_id, seat, self.hub.window)

    async def websocket_receive(self, message: Json) -> None:
        """One frame. Whatever goes wrong, its sender is told and the socket stays open."""
        member = self.member
        if member is None:
            return
        try:
            await self._obey(member, message)
        except Refused as refused:
            await self._refuse(member, refused)
        except Exception:
            log.exception("match %s: a frame failed at version %s", self.match_id, member.version)
            await self._refuse(member, Refused("failed"))

    async def _obey(self, member: Member, message: Json) -> None:
        data = self._parse(message)
        member.heard_at = message["arrived"]
        if data.get("do") == "ping":
            await self._pong(member, data, message["arrived"])
            return
        command = parse_command(data)
        if self.user is None or member.viewer is None:
            raise Refused("not_a_player")
        if not await sync_to_async(self._still_signed_in)():
            await self._refuse(member, Refused("signed_out"))
            await self._close(SIGNED_OUT)
            return
        submit = sync_to_async(store.submit)
        if await submit(self.match_id, self.user.pk, command, message["arrived"]):
            metrics.ACCEPTED.labels(command.do).inc()
        else:
            await self.hub.resend(member)

    def _parse(self, message: Json) -> Json:
        frame = message.get("text")
        raw = frame.encode("utf-8", "surrogatepass") if frame is not None else message["bytes"]
        if len(raw) > LARGEST_FRAME:
            raise Refused("too_large")
        try:
            data = parse_json(raw)
        except Illegal as illegal:
            raise Refused(illegal.code, **illegal.params) from None
        return _coerce(data) if self.rendering.coerced else data

    async def _pong(self, member: Member, data: Json, arrived: int) -> None:
        """Answer a ping, mend what its ``seen`` says is missing, and look who is there."""
        try:
            sent, seen = read_int(data, "sent"), read_int(data, "seen")
        except Illegal as illegal:
            raise Refused(illegal.code, **illegal.params) from None
        now = timekeeping.now_ms()
        with translation.override(member.language):
            member.outbox.put(member.rendering.pong({"type": "pong", "sent": sent, "now": now}))
        await self.hub.hear(member, seen, arrived)
        if now - self.looked_at < LOOK_AROUND:
            return
        self.looked_at = now
        await self._vouch(member.viewer)
        try:
            presence = await self.attendance.touch(now)
        except Exception as error:  # noqa: BLE001  # a Redis that is away costs only this
            ATTENDANCE.failed(error)
        else:
            ATTENDANCE.answered()
            self.hub.tell_presence(member, presence)

    async def _refuse(self, member: Member, refused: Refused) -> None:
        metrics.REFUSED.labels(refused.code).inc()
        stale = refused.code == "stale"
        version = refused.params["version"] if stale else max(member.version, 0)
        with translation.override(member.language):
            refusal = {
                "type": "refused",
                "code": refused.code,
                "message": words.refusal(refused.code, refused.params),
                "version": version,
            }
            member.outbox.put(member.rendering.refusal(refusal))
        if stale:
            await self.hub.resend(member)

    async def _tell_presence(self, member: Member, *, leaving: bool) -> None:
        """Tell everybody at the match who is there now; a Redis that is away costs only this."""
        roll_call = self.attendance.leave if leaving else self.attendance.touch
        try:
            presence = await roll_call(timekeeping.now_ms())
        except Exception as error:  # noqa: BLE001  # a Redis that is away costs only this
            ATTENDANCE.failed(error)
            return
        ATTENDANCE.answered()
        if not leaving:
            self.hub.tell_presence(member, presence)
        self.hub.announce(self.match_id, presence)

    async def _send_text(self, text: str) -> None:
        await self.send(text_data=text)

    async def _close(self, code: int) -> None:
        """Close, once what was said before has been sent."""
        if self.member is not None:
            await self.member.outbox.empty()
        await self.close(code=code)

    def _user(self) -> User | None:
        """Who the session cookie says this is, asked afresh: None when nobody is signed in."""
        engine = import_string(f"{settings.SESSION_ENGINE}.SessionStore")
        request: Any = SimpleNamespace(session=engine(_session_key(self.scope)))
        user = auth.get_user(request)
        return user if isinstance(user, User) and user.is_active else None

    def _still_signed_in(self) -> bool:
        return self._user() == self.user


class JsonMatchConsumer(MatchConsumer):
    """For tools, bots and load tests: ``/ws/matches/<id>/json/``."""

    rendering = AS_JSON


class NowhereConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]
    """Every other address: there is no such match."""

    channel_layer_alias = "none"

    async def connect(self) -> None:
        await self.accept()
        await self.close(code=NO_SUCH_MATCH)


_NUMBERS = ("version", "points", "sent", "seen")


def _coerce(data: Json) -> Json:
    """The values of a form arrive as text; htmx adds its own ``HEADERS``."""
    coerced = {key: value for key, value in data.items() if key != "HEADERS"}
    for key in _NUMBERS:
        value = coerced.get(key)
        if isinstance(value, str) and value.isascii() and value.isdigit():
            coerced[key] = int(value[:20])
    return coerced


def session_digest(key: str | None) -> str:
    """What stands for a session where its key must not travel."""
    return hashlib.sha256((key or "").encode()).hexdigest()


def _session_key(scope: Any) -> str | None:
    key: str | None = scope["cookies"].get(settings.SESSION_COOKIE_NAME)
    return key


def _address(scope: Any) -> str:
    """Where a socket comes from: behind our own proxies, what the outermost of them saw."""
    forwarded = dict(scope["headers"]).get(b"x-forwarded-for", b"").decode("latin-1")
    hops = [hop.strip() for hop in forwarded.split(",") if hop.strip()]
    proxies: int = settings.TRUSTED_PROXIES
    if proxies and len(hops) >= proxies:
        return str(hops[-proxies])
    client = scope.get("client") or ("unknown", 0)
    return str(client[0])


def _request_of(scope: Any) -> Any:
    """Just enough of a request for Django to choose a language from its cookie and headers."""
    accepted = dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1")
    return SimpleNamespace(COOKIES=scope["cookies"], META={"HTTP_ACCEPT_LANGUAGE": accepted})
