"""One socket of one match: commands in, views out, in two renderings of one core."""

from __future__ import annotations

import json
import logging
from types import SimpleNamespace
from typing import Any, ClassVar

from asgiref.sync import sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.contrib import auth
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.module_loading import import_string

from accounts.models import User

from . import live, present, store, timekeeping, words
from .models import Match
from .play import Refused, parse_command
from .presence import Attendance, Presence
from .rules.errors import Illegal
from .rules.record import Json, parse_json, read_int
from .rules.sight import Viewer

log = logging.getLogger(__name__)

LARGEST_FRAME = 4096  # bytes
RESTART, BUSY, SIGNED_OUT, NO_SUCH_MATCH = 1012, 1013, 4401, 4404


class MatchConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]
    """The core. A rendering turns views, refusals, pongs and presence into text.

    ``version`` is the newest version this socket was sent; -1 before its first view.
    """

    coerced: ClassVar[bool] = False

    async def connect(self) -> None:
        """Accept first, so that a browser can see why a socket is refused; join, then read."""
        await self.accept()
        self.version = -1
        self.joined: str | None = None
        self.present: Presence | None = None
        self.match_id: str = self.scope["url_route"]["kwargs"]["match_id"]
        self.language = translation.get_language_from_request(_request_of(self.scope))
        try:
            self.user = await sync_to_async(self._user)()
            page = await sync_to_async(live.page)(self.match_id, self.user)
        except Match.DoesNotExist:
            await self.close(code=NO_SUCH_MATCH)
            return
        self.viewer: Viewer = page.view["you"]
        self.info = page.info
        self.joined = live.group(self.match_id, self.viewer)
        await self.channel_layer.group_add(self.joined, self.channel_name)
        await self.send_page()
        self.attendance = Attendance(self.match_id, self.viewer, self.channel_name)
        await self._tell_presence(leaving=False)

    async def disconnect(self, code: int) -> None:
        if self.joined is not None:
            await self.channel_layer.group_discard(self.joined, self.channel_name)
            await self._tell_presence(leaving=True)

    async def websocket_receive(self, message: Json) -> None:
        """One frame. Whatever goes wrong, its sender is told and the socket stays open."""
        if self.joined is None:
            return
        arrived = message.get("arrived") or timekeeping.now_ms()
        try:
            await self._obey(message, arrived)
        except Refused as refused:
            await self._refuse(refused)
        except Exception:
            log.exception("match %s: a frame failed at version %s", self.match_id, self.version)
            await self._refuse(Refused("failed"))

    async def _obey(self, message: Json, arrived: int) -> None:
        data = self._parse(message)
        if data.get("do") == "ping":
            await self._pong(data)
            return
        command = parse_command(data)
        if self.viewer is None and self.user is None:
            raise Refused("not_a_player")
        if not await sync_to_async(self._still_signed_in)():
            await self._refuse(Refused("signed_out"))
            await self.close(code=SIGNED_OUT)
            return
        user_id = None if self.user is None else self.user.pk
        news = await sync_to_async(store.submit)(self.match_id, user_id, command, arrived)
        if not news:
            await self.send_page()

    def _parse(self, message: Json) -> Json:
        frame = message.get("text")
        raw = frame.encode("utf-8", "surrogatepass") if frame is not None else message["bytes"]
        if len(raw) > LARGEST_FRAME:
            raise Refused("too_large")
        try:
            data = parse_json(raw)
        except Illegal as illegal:
            raise Refused(illegal.code, **illegal.params) from None
        return _coerce(data) if self.coerced else data

    async def _pong(self, data: Json) -> None:
        """Answer a ping, and mend what its ``seen`` says is missing on the page."""
        try:
            sent = read_int(data, "sent")
            seen = read_int(data, "seen")
        except Illegal as illegal:
            raise Refused(illegal.code, **illegal.params) from None
        await self.say_pong({"type": "pong", "sent": sent, "now": timekeeping.now_ms()})
        newest = await sync_to_async(_version_of)(self.match_id)
        if seen < newest:
            await self.send_page()
        await self._look_around()

    async def _refuse(self, refused: Refused) -> None:
        stale = refused.code == "stale"
        with translation.override(self.language):
            sentence = words.refusal(refused.code, refused.params)
        version = refused.params["version"] if stale else max(self.version, 0)
        await self.say_refusal(
            {
                "type": "refused",
                "code": refused.code,
                "message": sentence,
                "version": version,
            }
        )
        if stale:
            await self.send_page()

    async def send_page(self) -> None:
        """Send the current view, whole."""
        page = await sync_to_async(live.page)(self.match_id, self.user)
        self.version = page.view["version"]
        await self.say_view(page.view, page.log, whole=True)

    async def match_news(self, message: Json) -> None:
        """What was committed, as this socket's audience may see it."""
        if message["version"] <= self.version:
            return
        if message["base"] != self.version:  # one was lost on the way
            await self.send_page()
            return
        self.version = message["version"]
        await self.say_view(message["view"], message["log"], whole=False)

    async def match_presence(self, message: Json) -> None:
        presence = Presence(tuple(message["online"]), message["watching"])
        if presence != self.present:
            self.present = presence
            await self.say_presence(presence.as_json())

    async def _tell_presence(self, *, leaving: bool) -> None:
        """Tell everybody at the match who is there now; a Redis that is away costs only this."""
        now = timekeeping.now_ms()
        try:
            roll_call = self.attendance.leave if leaving else self.attendance.touch
            message = {**(await roll_call(now)).as_json(), "type": "match.presence"}
            for viewer in live.AUDIENCES:
                await self.channel_layer.group_send(live.group(self.match_id, viewer), message)
        except Exception:
            log.warning("match %s: presence is not known", self.match_id, exc_info=True)

    async def _look_around(self) -> None:
        """Renew this socket's place on the list, and notice who has fallen silent."""
        try:
            presence = await self.attendance.touch(timekeeping.now_ms())
            await self.match_presence(presence.as_json())
        except Exception:
            log.warning("match %s: presence is not known", self.match_id, exc_info=True)

    def _user(self) -> User | None:
        """Who the session cookie says this is, asked afresh: None when nobody is signed in."""
        request: Any = SimpleNamespace(session=_fresh_session(self.scope))
        user = auth.get_user(request)
        return user if isinstance(user, User) and user.is_active else None

    def _still_signed_in(self) -> bool:
        return self.user is None or self._user() == self.user

    async def say_view(self, view: Json, lines: list[Json], *, whole: bool) -> None:
        raise NotImplementedError

    async def say_refusal(self, refusal: Json) -> None:
        raise NotImplementedError

    async def say_pong(self, pong: Json) -> None:
        raise NotImplementedError

    async def say_presence(self, presence: Json) -> None:
        raise NotImplementedError


class JsonMatchConsumer(MatchConsumer):
    """For tools, bots and load tests."""

    async def say_view(self, view: Json, lines: list[Json], *, whole: bool) -> None:
        await self._say(view)

    async def say_refusal(self, refusal: Json) -> None:
        await self._say(refusal)

    async def say_pong(self, pong: Json) -> None:
        await self._say(pong)

    async def say_presence(self, presence: Json) -> None:
        await self._say(presence)

    async def _say(self, message: Json) -> None:
        await self.send(text_data=json.dumps(message, separators=(",", ":")))


class HtmxMatchConsumer(MatchConsumer):
    """For the match page: fragments that are the same files the page includes."""

    coerced = True

    async def say_view(self, view: Json, lines: list[Json], *, whole: bool) -> None:
        context = present.page_context(self.info, view, lines, full=whole)
        await self._say("games/_live.html", context)

    async def say_refusal(self, refusal: Json) -> None:
        await self._say("games/_refused.html", {"refused": refusal})

    async def say_pong(self, pong: Json) -> None:
        await self._say("games/_pong.html", {"pong": pong})

    async def say_presence(self, presence: Json) -> None:
        context = {"presence": presence, "info": self.info, "you": self.viewer}
        await self._say("games/_presence.html", context)

    async def _say(self, template: str, context: dict[str, Any]) -> None:
        with translation.override(self.language):
            text = render_to_string(template, context)
        await self.send(text_data=text)


_NUMBERS = ("version", "points", "sent", "seen")


def _coerce(data: Json) -> Json:
    """The values of a form arrive as text; htmx adds its own ``HEADERS``."""
    coerced = {key: value for key, value in data.items() if key != "HEADERS"}
    for key in _NUMBERS:
        value = coerced.get(key)
        if isinstance(value, str) and value.isascii() and value.isdigit():
            coerced[key] = int(value[:20])
    return coerced


def _fresh_session(scope: Any) -> Any:
    """The session behind the cookie of ``scope``, unread: a later sign-out is noticed."""
    engine = import_string(f"{settings.SESSION_ENGINE}.SessionStore")
    return engine(scope["cookies"].get(settings.SESSION_COOKIE_NAME))


def _request_of(scope: Any) -> Any:
    """Just enough of a request for Django to choose a language from its cookie and headers."""
    headers = {name.lower(): value for name, value in scope["headers"]}
    accepted = headers.get(b"accept-language", b"").decode("latin-1")
    return SimpleNamespace(COOKIES=scope["cookies"], META={"HTTP_ACCEPT_LANGUAGE": accepted})


def _version_of(match_id: str) -> int:
    return Match.objects.values_list("version", flat=True).get(pk=match_id)
