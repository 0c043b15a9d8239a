"""Opening a state in a browser: what it needs is stored, its page is there, and it is live."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from django.conf import settings
from django.core.cache import cache
from django.db import connection
from playwright.sync_api import BrowserContext, Page, WebSocketRoute, expect
from websockets import Origin
from websockets.sync.client import ClientConnection, connect

from tests.tools import wait_until

from . import site
from .world import World, wipe

T = TypeVar("T")

PATIENCE = 25.0  # seconds
OVER = 8.0  # s after which what the site remembers for a moment is forgotten


def aside(work: Callable[[], T]) -> T:
    """Run ``work`` in a thread of its own: the loop of the browser runs in this one, and what
    stores something must not."""

    def worked() -> T:
        try:
            return work()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(worked).result()


class Line:
    """The connection of a page, which can be cut and mended."""

    def __init__(self, page: Page) -> None:
        self.broken = False
        self.open: list[tuple[WebSocketRoute, WebSocketRoute]] = []
        page.route_web_socket(re.compile(r".*/ws/.*"), self._connect)

    def _connect(self, socket: WebSocketRoute) -> None:
        if self.broken:
            socket.close(code=1012)
        else:
            self.open.append((socket, socket.connect_to_server()))

    def cut(self) -> None:
        """Close every connection, and refuse new ones."""
        self.broken = True
        for page_side, site_side in self.open:
            site_side.close()
            page_side.close(code=1012)
        self.open.clear()

    def mend(self) -> None:
        """Let the page connect again."""
        self.broken = False


@dataclass(frozen=True)
class Visit:
    """Which page to open, as whom, and whose sockets are open beside it."""

    path: str
    session: str | None = None
    others: tuple[tuple[str, str], ...] = ()  # path of a socket, session


@dataclass
class Scene:
    """An open page of a state, and the means to do something on it."""

    page: Page
    context: BrowserContext
    url: str
    line: Line | None
    complaints: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class State:
    """A named state of a page. ``prepare`` stores what it needs and says which page to open;
    ``act`` is what to do there, and ``shows`` a selector of what then proves that it is this
    state. In a ``turn`` nothing may need scrolling. ``noise`` is a pattern of what the browser
    may complain about, ``routed`` says that the connection can be cut, ``before`` is run before
    the page is opened, and ``linked`` is the state of the connection to wait for."""

    name: str
    prepare: Callable[[World], Visit]
    shows: str
    act: Callable[[Scene], None] | None = None
    before: Callable[[Scene], None] | None = None
    turn: bool = False
    routed: bool = False
    noise: str = ""
    linked: str = "live"


@contextmanager
def opened(state: State, context: BrowserContext, url: str) -> Iterator[Scene]:
    """``state`` in a new page of ``context``, which forgets who was signed in before."""
    visit = aside(lambda: _prepared(state))
    context.clear_cookies()
    if visit.session:
        site.give_session(context, visit.session, url)
    page = context.new_page()
    scene = Scene(page, context, url, Line(page) if state.routed else None)
    site.listen(page, url, scene.complaints.append)
    with contextlib.ExitStack() as stack:
        stack.callback(page.close)
        for path, session in visit.others:
            stack.enter_context(_socket(url, path, session))
        try:
            _reach(scene, visit.path, state)
        except Exception as error:
            error.add_note("\n".join(scene.complaints))
            raise
        if state.noise:
            pattern = re.compile(state.noise)
            scene.complaints[:] = [line for line in scene.complaints if not pattern.search(line)]
        yield scene


def _reach(scene: Scene, path: str, state: State) -> None:
    if state.before:
        state.before(scene)
    go(scene.page, path, state)
    if state.act:
        state.act(scene)
    expect(scene.page.locator(state.shows).first).to_be_visible()


def _prepared(state: State) -> Visit:
    wipe()
    cache.clear()
    return state.prepare(World())


def _socket(url: str, path: str, session: str) -> ClientConnection:
    cookie = f"{settings.SESSION_COOKIE_NAME}={session}"
    address = f"{url.replace('http', 'ws', 1)}{path}"
    return connect(address, origin=Origin(url), additional_headers={"Cookie": cookie})


def go(page: Page, path: str, state: State) -> None:
    """Open the page once it says what it should: some things the site remembers for a moment."""

    def there() -> bool:
        page.goto(path)
        if _follows_nobody(page):
            return False
        _settle(page, state)
        stale = page.locator(".banner.restart:not(.suspended)").count() and state.name != "restart"
        early = not state.act and not page.locator(state.shows).count()
        return not stale and not early

    wait_until(there, OVER)


def _follows_nobody(page: Page) -> bool:
    """Whether the best match is still that of the state before, which is no more."""
    if not page.locator("#best-live").count():
        return False
    best = page.locator("#best")
    wait_until(lambda: best.get_attribute("data-link") in {"live", "lost"}, PATIENCE)
    return best.get_attribute("data-link") == "lost"


def _settle(page: Page, state: State) -> None:
    """Wait until what the page asks for by itself is there."""
    link = page.locator("#match, #lobby, #best[data-link]").first
    if link.count():
        expect(link).to_have_attribute("data-link", state.linked)
    # On one device, and in a match that is looked at again, nobody asks who is there.
    if page.locator("#match #presence-0").count():
        expect(page.locator("#presence-0 i")).to_have_count(1)
    if page.locator("#after").count():
        expect(page.locator("#after.htmx-request")).to_have_count(0)
