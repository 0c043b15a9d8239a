"""One socket of one match: commands in; what the match has to say comes by the hub."""

from __future__ import annotations

import logging
from typing import ClassVar
from uuid import uuid4

from asgiref.sync import sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.utils import translation

from accounts.models import User

from . import browsers, live, lobby, metrics, store, timekeeping, windows, words
from .account_consumer import AccountConsumer, session_digest, user_of
from .hub import BUSY, SIGNED_OUT
from .members import Member
from .models import Match
from .outage import Outage
from .play import Refused, parse_command
from .presence import Attendance, Presence
from .rendering import AS_FRAGMENTS, AS_JSON, AS_SMALL, Rendering
from .rules.errors import Illegal
from .rules.record import Json, read_int
from .rules.sight import DEVICE, Audience, seats_of

__all__ = [
    "JsonMatchConsumer",
    "MatchConsumer",
    "NowhereConsumer",
    "SmallMatchConsumer",
    "session_digest",
]

log = logging.getLogger(__name__)
ATTENDANCE = Outage(log, "the list of who is there")

NO_SUCH_MATCH = 4404
LOOK_AROUND = 2_000  # ms between two looks at who is there, however often a page pings


class MatchConsumer(AccountConsumer):
    """A socket of ``/ws/matches/<id>/``, in one of the two renderings."""

    rendering: ClassVar[Rendering] = AS_FRAGMENTS
    counted: ClassVar[bool] = True  # whether it is one of those who play or watch

    member: Member | None = None
    looked_at = 0  # when it was last asked who is there
    vouched = False

    async def leave(self) -> None:
        if self.member is not None:
            await self.hub.leave(self.member)

    async def enter(self, now: int) -> None:
        """Judge what is due, join, and only then read: nothing is missed in between."""
        self.match_id: str = self.scope["url_route"]["kwargs"]["match_id"]
        async with self.hub.doors:
            self.user, browser = await sync_to_async(self.who)()
            user_id = None if self.user is None else self.user.pk
            try:
                await sync_to_async(store.judge)(self.match_id, now)
                info, viewer = await sync_to_async(live.who)(self.match_id, user_id, browser)
            except Match.DoesNotExist:
                await self.close(code=NO_SUCH_MATCH)
                return
        if not self.hub.has_room(user_id, self.address):
            await self.close(code=BUSY)
            return
        self.member = self.joined = Member(
            match_id=self.match_id,
            viewer=viewer,
            info=info,
            rendering=self.rendering,
            heard_at=now,
            browser=browser if viewer == DEVICE or (viewer == 0 and info["guided"]) else "",
            **self.own(),
        )
        self.share_bucket(self.member)
        self.scope["arrivals"].player = viewer is not None
        await self.hub.join(self.member)
        await self._vouch(viewer)
        await self.hub.resend(self.member)
        there = DEVICE if viewer == 0 and info["guided"] else viewer  # the script is always there
        self.attendance = Attendance(self.match_id, there, uuid4().hex, counted=self.counted)
        await self._tell_presence(self.member, leaving=False)

    def who(self) -> tuple[User | None, str]:
        """Who the session cookie says this is, and which browser, asked afresh."""
        session = self.session()
        return user_of(session), browsers.known(session)

    async def _vouch(self, audience: Audience) -> None:
        """From now on this front vouches for the seats it plays, if any: a ping tries again."""
        seats = () if self.vouched else seats_of(audience)
        vouch, now = sync_to_async(store.vouch), timekeeping.now_ms()
        if seats:
            done = [await vouch(self.match_id, seat, self.hub.window, now) for seat in seats]
            self.vouched = all(done)

    async def disconnect(self, code: int) -> None:
        if self.member is not None:
            self.member.outbox.shut()
            await self._tell_presence(self.member, leaving=True)
            await self.hub.leave(self.member)
            for seat in seats_of(self.member.viewer):
                if (self.match_id, seat) not in self.hub.seats():
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
        data = self.parse(message)
        member.heard_at = message["arrived"]
        if data.get("do") == "ping":
            await self._pong(member, data, message["arrived"])
            return
        command = parse_command(data)
        if member.viewer is None:
            raise Refused("not_a_player")
        user, browser = await sync_to_async(self.who)()
        if member.browser and browser != member.browser:  # somebody signed in or out beside it
            await self.close_after_all(member.to_come_anew)
            return
        if not member.browser and user != self.user:
            await self._refuse(member, Refused("signed_out"))
            await self.close_after_all(SIGNED_OUT)
            return
        if member.viewer == DEVICE and command.do == "reveal" and command.version is not None:
            member.asked = min(command.version, member.version)
        submit = sync_to_async(store.submit)
        arrived, browser = message["arrived"], member.browser
        if await submit(self.match_id, member.user_id, command, arrived, browser=browser):
            metrics.ACCEPTED.labels(command.do).inc()
        else:
            await self.hub.resend(member)

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
        if member.viewer == 0 and member.info["guided"]:  # the script answers, whoever sweeps
            await sync_to_async(store.judge)(self.match_id, now)
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
            await self._mind_the_rematch(member, presence)

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
        if leaving and not self.counted:
            return
        roll_call = self.attendance.leave if leaving else self.attendance.touch
        try:
            presence = await roll_call(timekeeping.now_ms())
        except Exception as error:  # noqa: BLE001  # a Redis that is away costs only this
            ATTENDANCE.failed(error)
            return
        ATTENDANCE.answered()
        if not leaving:
            self.hub.tell_presence(member, presence)
        if self.counted:
            self.hub.announce(self.match_id, presence)
        await self._mind_the_rematch(member, presence)

    async def _mind_the_rematch(self, member: Member, presence: Presence) -> None:
        """After the match: what is offered stands while both are there. Whoever looks says so:
        a Redis that comes back knows nobody at first, and then only who was quick to ping."""
        if member.viewer in (None, DEVICE) or member.user_id is None or not member.over:
            return
        now = timekeeping.now_ms()
        if not all(presence.online):
            await sync_to_async(lobby.let_rematch_go)(self.match_id, now)
        else:
            await sync_to_async(lobby.keep_rematch)(self.match_id, member.user_id, now)


class JsonMatchConsumer(MatchConsumer):
    """For tools, bots and load tests: ``/ws/matches/<id>/json/``."""

    rendering = AS_JSON
    coerced = AS_JSON.coerced


class SmallMatchConsumer(MatchConsumer):
    """For the home page: ``/ws/matches/<id>/small/``. Whoever is signed in, and plays in this
    very match, is a spectator here, and not one of those who are counted."""

    rendering = AS_SMALL
    counted = False

    def who(self) -> tuple[None, str]:
        return None, ""


class NowhereConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]
    """Every other address: there is no such match."""

    channel_layer_alias = "none"

    async def connect(self) -> None:
        await self.accept()
        await self.close(code=NO_SUCH_MATCH)
