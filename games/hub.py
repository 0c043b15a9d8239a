"""The hub of a web process: one subscription per audience, one rendering per language.

Sockets join the hub, not the channel layer. What is published for an audience is rendered at
most once for each rendering and language, and the text is put in the outbox of every socket:
no query, no template and no thread on the way of a push.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar
from weakref import WeakKeyDictionary

from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from django.utils import translation

from . import live, metrics, timekeeping
from .arrival import Bucket
from .live import Page
from .members import Connected, Key, Member
from .presence import Presence, hang_up
from .rendering import Rendering, render_view
from .rules.record import Json
from .rules.sight import DEVICE, seats_of

log = logging.getLogger(__name__)

BUSY, SIGNED_OUT = 1013, 4401

SILENCE = 90_000  # ms without a frame after which a socket is closed (hidden pages ping rarely)
MISSES = 5  # pings in a row that may say the page is behind
FRAMES = (400, 150)  # frames that all signed-out sockets of an address may send, likewise
FRESH = 1_000  # ms for which the newest version of a match is not asked for again
PATIENCE = 2_000  # ms between two whole views that pings of a socket may ask for
DOORS = 4  # newcomers and whole views served at once: moves and beats never wait behind a crowd
CONNECTS = (200, 20)  # sockets an address may open at once, and a second in the long run
PER_USER, PER_ADDRESS = 40, 400  # sockets of one process
RETRY = 1.0  # s that an attempt to subscribe may take, and between two while Redis is away
REMEMBERED = 200  # messages whose second coming is known
CROWD = 0.5  # s between two announcements of who is at a match

K = TypeVar("K")
C = TypeVar("C", bound=Connected)


class Hub:
    """The sockets of this process (of one event loop), and what they listen to."""

    def __init__(self) -> None:
        self.audiences: dict[Key, set[Member]] = {}
        self.users: dict[int, set[Connected]] = {}
        self.addresses: dict[str, int] = {}
        self.buckets: dict[int, Bucket] = {}
        self.connects: dict[str, Bucket] = {}
        self.visitors: dict[str, Bucket] = {}
        self.doors = asyncio.Semaphore(DOORS)
        self._newest: dict[str, tuple[int, asyncio.Future[int]]] = {}
        self.window: int | None = None  # the service window of this process
        self._extra: set[str] = set()
        self._others: dict[str, Callable[[Json], None]] = {}
        self._echoes: dict[str, asyncio.Future[None]] = {}
        self._heard: dict[str, None] = {}  # in the order they came
        self._unannounced: dict[str, Presence] = {}
        self._announcing: set[str] = set()
        self._channel: str | None = None
        self._subscribed: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._listener: asyncio.Task[None] | None = None
        self._subscribing = asyncio.Lock()
        live.hear_here(self._deliver_safely)

    # Members

    def may_connect(self, address: str, now: int) -> bool:
        """Whether an address that opens one more socket at ``now`` keeps within its limits."""
        return self.connects.setdefault(address, Bucket(*CONNECTS)).take(now)

    def has_room(self, user_id: int | None, address: str) -> bool:
        """Whether one more socket of this user and address may join."""
        mine = len(self.users.get(user_id, ())) if user_id is not None else 0
        return mine < PER_USER and self.addresses.get(address, 0) < PER_ADDRESS

    async def join(self, member: Member) -> None:
        """From now on ``member`` is told what its audience is told."""
        self.audiences.setdefault(member.key, set()).add(member)
        self.count_in(member)
        await self._subscribe()

    async def leave(self, member: Member) -> None:
        """``member`` is gone; a member that never joined may leave too."""
        if member not in self.audiences.get(member.key, ()):
            return
        self.count_out(member)
        _discard(self.audiences, member.key, member)
        await self._subscribe()

    def count_in(self, socket: Connected) -> None:
        """A socket counts towards the limits of its user and address, and hears of their end."""
        metrics.SOCKETS.inc()
        self.addresses[socket.address] = self.addresses.get(socket.address, 0) + 1
        if socket.user_id is not None:
            self.users.setdefault(socket.user_id, set()).add(socket)

    def count_out(self, socket: Connected) -> None:
        """A socket that was counted in is gone."""
        metrics.SOCKETS.dec()
        self.addresses[socket.address] -= 1
        if not self.addresses[socket.address]:
            del self.addresses[socket.address]
        if socket.user_id is not None:
            _discard(self.users, socket.user_id, socket)

    def bucket_of(self, user_id: int | None, address: str) -> Bucket:
        """The token bucket that all sockets of a user share, or of an address, signed out; a
        reconnect fills it no sooner."""
        if user_id is None:
            return self.visitors.setdefault(address, Bucket(*FRAMES))
        return self.buckets.setdefault(user_id, Bucket())

    def seats(self) -> set[tuple[str, int]]:
        """The seats that have a socket here: match and seat."""
        return {(match_id, seat) for match_id, who in self.audiences for seat in seats_of(who)}

    async def listen_to(self, group: str) -> None:
        """Hear one more group."""
        self._extra.add(group)
        await self._subscribe()

    async def stop_listening_to(self, group: str) -> None:
        """Hear a group no more."""
        self._extra.discard(group)
        await self._subscribe()

    def when_told(self, kind: str, listener: Callable[[Json], None]) -> None:
        """Let ``listener`` have the messages of a type that is none of the hub's own."""
        self._others[kind] = listener

    def expect_echo(self, group: str) -> asyncio.Future[None]:
        """Done when this process hears itself in ``group``."""
        self._echoes[group] = asyncio.get_running_loop().create_future()
        return self._echoes[group]

    def _hear_echo(self, group: str) -> None:
        heard = self._echoes.pop(group, None)
        if heard is not None and not heard.done():
            heard.set_result(None)

    # What is published

    def deliver(self, message: Json) -> None:
        """One message of the relay, for those it is meant for."""
        kind = message["type"]
        if self._was_heard(message.get("id")):
            return
        if kind in self._others:
            self._others[kind](message)
        elif kind in ("account.ended", "account.suspended"):
            self._close_account(message)
        elif kind == "front.echo":
            self._hear_echo(message["group"])
        elif "match" in message:  # else nobody here asked for it: the lobby, where it is empty
            self._tell_audience(kind, message)

    def _was_heard(self, name: str | None) -> bool:
        """Whether a message of this name came before: this process hears what it says itself
        at once, and by way of Redis once more, when it may be about others."""
        if name is None or name in self._heard:
            return name is not None
        self._heard[name] = None
        if len(self._heard) > REMEMBERED:
            del self._heard[next(iter(self._heard))]
        return False

    def _tell_audience(self, kind: str, message: Json) -> None:
        members = list(self.audiences.get((message["match"], message["viewer"]), ()))
        if kind == "match.presence":
            self._tell_presence(members, message["presence"], message["stamp"])
        elif kind == "match.again":
            self._tell_to_look_again(members)
        elif message["viewer"] == DEVICE:
            self._tell_devices(members, message)
        else:
            self._tell_news(members, message)

    def _tell_news(self, members: list[Member], news: Json) -> None:
        texts: dict[tuple[Rendering, str], str] = {}
        for member in members:
            if news["version"] <= member.version or member.behind:
                continue
            if news["base"] != member.version:  # one was lost on the way, or is still to come
                self.spawn(self.resend(member))
                continue
            kind = (member.rendering, member.language)
            if kind not in texts:
                page = Page(member.info, news["view"], news["log"], whole=False)
                texts[kind] = render_view(*kind, page)
            member.send_view(texts[kind], news["version"], over=_is_over(news["view"]))
        if texts:
            passed = timekeeping.now_ms() - news["view"]["clock"]["now"]
            metrics.COMMIT_TO_SEND.observe(max(0, passed) / 1000)

    def _tell_devices(self, members: list[Member], news: Json) -> None:
        """What one device for both may see depends on what it has asked for: each looks again."""
        for member in members:
            if news["version"] > member.version and not member.behind:
                self.spawn(self.resend(member, least=news["version"]))

    def _tell_presence(self, members: list[Member], presence: Json, stamp: int) -> None:
        texts: dict[tuple[Rendering, str], str] = {}
        for member in members:
            if member.behind or stamp <= member.presence_stamp:
                continue
            member.presence_stamp = stamp
            if presence == member.presence:
                continue
            member.presence = presence
            kind = (member.rendering, member.language)
            if kind not in texts:
                with translation.override(member.language):
                    texts[kind] = member.rendering.presence(presence, member.info, member.viewer)
            member.outbox.put(texts[kind])

    @staticmethod
    def _tell_to_look_again(members: list[Member]) -> None:
        """What comes after the match has changed; a rendering may have nothing to say to that."""
        for member in members:
            if text := member.rendering.again():
                member.outbox.put(text)

    def tell_presence(self, member: Member, presence: Presence) -> None:
        """Tell one member who is there, if that is news to it."""
        self._tell_presence([member], presence.as_json(), presence.stamp)

    def announce(self, match_id: str, presence: Presence) -> None:
        """Tell everybody at a match who is there: at once, but where many come and go, now
        and then, or each of them would be told of each other."""
        self._unannounced[match_id] = presence
        if match_id not in self._announcing:
            self._announcing.add(match_id)
            self.spawn(self._announce(match_id))

    async def _announce(self, match_id: str) -> None:
        try:
            while presence := self._unannounced.pop(match_id, None):
                message = {
                    "type": "match.presence",
                    "match": match_id,
                    "presence": presence.as_json(),
                    "stamp": presence.stamp,
                }
                await live.send_all(
                    [
                        (live.group(match_id, audience), message | {"viewer": audience})
                        for audience in live.EVERYBODY
                    ]
                )
                await asyncio.sleep(CROWD)
        except live.AWAY as error:
            live.RELAY.failed(error)
        finally:
            self._announcing.discard(match_id)

    def _close_account(self, message: Json) -> None:
        """A sign-out closes the sockets of its session, a new password or a suspension all of
        the user's."""
        suspended = message["type"] == "account.suspended"
        for socket in list(self.users.get(message["user"], ())):
            if suspended or message["session"] in (None, socket.session):
                self.spawn(socket.close(socket.when_suspended if suspended else SIGNED_OUT))

    # Whole views

    async def resend(self, member: Member, least: int = 0) -> None:
        """Send the current view, whole; where there is news of version ``least``, only what is
        new, unless it was sent meanwhile."""
        async with self.doors:
            page = await sync_to_async(live.page)(
                member.match_id,
                member.user_id,
                browser=member.browser,
                asked=member.asked,
                since=member.version,
                whole=not least or member.version < 0,
            )
        if page.view["version"] < member.version or member.version >= least > 0:
            return
        text = render_view(member.rendering, member.language, page)
        member.behind = False
        member.send_view(text, page.view["version"], over=_is_over(page.view))

    async def hear(self, member: Member, seen: int, now: int) -> None:
        """A ping that came at ``now``: the page has ``seen`` a version. What it lacks is sent
        again; a page that stays behind is closed."""
        lagged = member.behind
        member.unread, member.behind, member.heard_at = 0, False, now
        newest = max(member.version, await self._newest_of(member.match_id, now))
        if seen >= newest and not lagged:
            member.misses = 0
            return
        if now < member.sent_at and member.version >= newest and not lagged:
            return  # it had to wait, and what it asks for has been sent since
        # A page that gets on is not one that stays behind, however quick the play.
        member.misses = 1 if seen > member.seen else member.misses + 1
        member.seen = max(seen, member.seen)
        if member.misses > MISSES:
            await member.close(BUSY)
        elif lagged or now - member.mended_at >= PATIENCE:
            member.mended_at = now
            await self.resend(member)

    async def _newest_of(self, match_id: str, now: int) -> int:
        """The newest version of a match: the database is asked once for all who want to know."""
        asked, answer = self._newest.get(match_id, (0, None))
        if answer is None or now - asked > FRESH or _failed(answer):
            answer = asyncio.ensure_future(sync_to_async(live.version_of)(match_id))
            self._newest[match_id] = (now, answer)
        return await asyncio.shield(answer)

    async def close_silent(self, now: int) -> None:
        """Close the sockets that have said nothing for too long; forget who is long gone."""
        self.buckets = {
            user_id: bucket
            for user_id, bucket in self.buckets.items()
            if user_id in self.users or not bucket.is_full(now)
        }
        self.connects = {
            a: bucket for a, bucket in self.connects.items() if not bucket.is_full(now)
        }
        self.visitors = {
            a: bucket
            for a, bucket in self.visitors.items()
            if a in self.addresses or not bucket.is_full(now)
        }
        self._newest = {m: kept for m, kept in self._newest.items() if now - kept[0] <= FRESH}
        for members in list(self.audiences.values()):
            for member in list(members):
                if now - member.heard_at > SILENCE:
                    self.spawn(member.close(BUSY))

    # The subscription

    async def _subscribe(self) -> None:
        """Listen to the groups of the audiences there are, and to no others.

        Without Redis nobody is kept from a match: the hub tries again until it hears, and
        what is missed meanwhile is mended by the pages' pings.
        """
        async with self._subscribing:
            if not self.audiences and not self._extra:
                await self._stop_listening()
                return
            try:
                async with asyncio.timeout(RETRY):
                    await self._catch_up()
            except Exception:
                log.warning("the relay cannot be joined, trying again", exc_info=True)
                self._subscribed.clear()
                self.spawn(self._subscribe_later())

    async def _catch_up(self) -> None:
        layer = get_channel_layer()
        if self._channel is None:
            self._channel = await layer.new_channel()
            self._listener = asyncio.create_task(self._listen(self._channel))
        wanted = {live.group(*key) for key in self.audiences} | self._extra | {live.ACCOUNTS}
        for group in wanted - self._subscribed:
            await layer.group_add(group, self._channel)
            self._subscribed.add(group)
        for group in self._subscribed - wanted:
            await layer.group_discard(group, self._channel)
            self._subscribed.discard(group)

    async def _subscribe_later(self) -> None:
        await asyncio.sleep(RETRY)
        await self._subscribe()

    async def _listen(self, channel: str) -> None:
        """Take what the channel layer brings, and look for silent sockets now and then."""
        layer = get_channel_layer()
        reaper = asyncio.create_task(self._reap())
        try:
            while True:
                self._deliver_safely(await layer.receive(channel))
        finally:
            reaper.cancel()

    def _deliver_safely(self, message: Json) -> None:
        try:
            self.deliver(message)
        except Exception:
            log.exception("match %s: news could not be shown", message.get("match"))

    async def _reap(self) -> None:
        while True:
            await asyncio.sleep(SILENCE / 10_000)
            await self.close_silent(timekeeping.now_ms())

    async def _stop_listening(self) -> None:
        if self._listener is not None:
            self._listener.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._listener
        self._listener = self._channel = None
        self._subscribed.clear()
        await hang_up()

    def spawn(self, work: Awaitable[None]) -> None:
        """Do something in the background; whatever goes wrong is logged."""
        task = asyncio.ensure_future(_quietly(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _is_over(view: Json) -> bool:
    return bool(view["phase"] == "match_over")


def _failed(answer: asyncio.Future[int]) -> bool:
    return answer.done() and (answer.cancelled() or answer.exception() is not None)


async def _quietly(work: Awaitable[None]) -> None:
    try:
        await work
    except Exception:
        log.exception("the hub could not finish something for a socket")


def _discard(sets: dict[K, set[C]], key: K, member: C) -> None:
    sets[key].discard(member)
    if not sets[key]:
        del sets[key]


_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = WeakKeyDictionary()


def hub_here() -> Hub:
    """The hub of the running event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _hubs:
        _hubs[loop] = Hub()
    return _hubs[loop]
