"""Two people play on one phone, by touch; whatever is loaded anew, nobody sees both hands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection
from playwright.sync_api import Page, WebSocket, expect

from accounts.models import User
from games import words
from games.checks import differences
from games.models import Match
from games.rules import events
from games.rules.events import Event
from games.rules.match import Phase, State, apply
from games.timekeeping import now_ms
from tests.games.factory import make_shared, make_window
from tests.rules import scenario
from tests.tools import wait_until

from . import positions
from .table import live, phase_of, points_on, version_of, wait_for_version

NewPage = Callable[..., Page]
MakeUser = Callable[[str], User]
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
# What names tiles whoever holds them: all 28 symbols, the public story, and outlines of icons.
PUBLIC = re.compile(
    r'<svg class="symbols".*?</defs></svg>|<li id="l\d+".*?</li>|\bd="[^"]*"', re.DOTALL
)


@pytest.fixture(autouse=True)
def every_log_gives_its_snapshot(live_site: object) -> Iterator[None]:
    yield
    assert {m.pk: d for m in Match.objects.all() if (d := differences(m))} == {}


class Device:
    """A phone with the match on it: what its page was loaded as, and what its socket was sent."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.sent: list[str] = []
        self.loaded = ""
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        sent = self.sent = []
        socket.on("framereceived", lambda frame: sent.append(str(frame)))

    @property
    def match(self) -> Match:
        return Match.objects.get(pk=self.page.url.rstrip("/").rpartition("/")[2])

    def _views(self) -> list[str]:
        now = f'data-version="{version_of(self.page)}"'
        return [text for text in self.sent if now in text]

    def hides(self, *seats: int) -> None:
        """Nothing that the page was sent of how the match stands now has a tile of these seats."""
        hands = self.match.snapshot["hands"]
        wait_until(self._views)
        sent = [PUBLIC.sub("", text) for text in self._views()]
        pages = [PUBLIC.sub("", text) for text in (self.loaded, self.page.content())]
        for tile in (tile for seat in seats for tile in hands[seat]):
            trace = re.compile(rf"\b{tile}\b|\b[tvh]{tile.replace('-', '')}\b")
            found = [trace.search(text) for text in (*sent, *pages)]
            assert [one.string[:150] + one.group() for one in found if one] == [], tile
            assert [text for text in sent if words.tile_name(tile) in text] == [], tile

    def reload(self) -> None:
        """Load the page anew; what the server sends for that has no hand in it."""
        response = self.page.reload()
        assert response is not None
        self.loaded = response.text()
        live(self.page)
        assert self.page.locator(".tile").count() == 0

    def covered(self, name: str) -> None:
        """It waits for this player, with nothing in sight."""
        reveal = self.page.locator("#reveal")
        expect(reveal).to_have_text(f"I am {name}: show my tiles")
        expect(self.page.locator("#seat-low")).to_contain_text(name)
        assert self.page.locator(".tile").count() == 0
        assert self.page.locator("#board").get_attribute("data-tiles") == ""

    def show(self, seat: int) -> None:
        """The player of this seat shows the tiles."""
        self.page.locator("#reveal").tap()
        expect(self.page.locator("#state")).to_have_attribute("data-you", str(seat))
        expect(self.page.locator("#reveal")).to_have_count(0)
        assert self.page.locator(".tile").count() == len(self.match.snapshot["hands"][seat])

    def take_turn(self) -> None:
        """Lay the first tile that fits on its first end, drawing until one does."""
        page = self.page
        while page.locator("#draw").count():
            before = version_of(page)
            page.locator("#draw").tap()
            wait_for_version(page, before + 1)
        before = version_of(page)
        if page.locator(".tile[aria-pressed=true]").count() == 0:
            page.locator(".tile[aria-pressed]").first.tap()
        page.locator("#lay [data-arm]:not([aria-disabled=true])").first.tap()
        wait_for_version(page, before + 1)


def on_one_device(told: Iterable[Event]) -> list[Event]:
    """The same events with the reveals that one device needs."""
    state, shared = State.new(shared_device=True), list[Event]()
    for event in told:
        if state.phase is Phase.HANDOVER:
            assert state.to_act is not None
            shared.append(events.Reveal(seat=state.to_act, at=state.at))
            state = apply(state, shared[-1])
        shared.append(event)
        state = apply(state, event)
    return shared


def stored(owner: User, told: list[Event]) -> Match:
    """A match on one device after ``told``, which ended a moment ago. Another thread stores it,
    since the browser's loop runs in this one."""

    def store() -> Match:
        now = now_ms()
        try:
            make_window(now - 600_000, now, "stopped")
            match = make_shared(told, owner=owner, now=now - positions.last_moment(told) - 100)
            if match.snapshot["phase"] == Phase.ROUND_OVER:  # a busy machine has time to press
                Match.objects.filter(pk=match.pk).update(due=now + 600_000)
            return match
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(store).result()


def test_from_two_names_to_a_turn_of_each(new_page: NewPage) -> None:
    page = new_page(**PHONE)
    device = Device(page)
    page.goto("/")
    page.get_by_role("link", name="Play on one device").tap()
    page.locator("[name=one]").fill("Ada")
    page.locator("[name=two]").fill("Bo")
    page.get_by_role("button", name="To the table").tap()
    page.wait_for_url("**/matches/*/")
    live(page)
    device.reload()
    page.locator("#ready").tap()
    expect(page.locator("#reveal")).to_be_visible()
    for _ in range(3):
        seat = device.match.snapshot["to_act"]
        name = ("Ada", "Bo")[seat]
        expect(page.locator("#panel")).to_contain_text(f"Pass the device to {name}")
        device.covered(name)
        device.hides(0, 1)
        device.reload()
        assert phase_of(page) == "handover"
        device.covered(name)
        device.hides(0, 1)
        assert device.match.snapshot["clock"][1] is None
        device.show(seat)
        device.hides(1 - seat)
        device.reload()
        assert phase_of(page) in {"opening", "play"}
        device.covered(name)
        device.hides(0, 1)
        assert page.locator("#state").get_attribute("data-running") == str(seat)
        version = version_of(page)
        device.show(seat)
        assert version_of(page) == version
        device.hides(1 - seat)
        device.take_turn()
        expect(page.locator("#reveal")).to_be_visible()
    # Another page of this browser is covered by itself, whatever this one shows.
    device.show(device.match.snapshot["to_act"])
    other = Device(page.context.new_page())
    other.page.goto(page.url)
    live(other.page)
    other.covered(("Ada", "Bo")[device.match.snapshot["to_act"]])
    other.hides(0, 1)
    other.page.close()
    assert page.locator(".tile").count() > 0


def test_from_the_end_of_a_round_through_the_auction(
    new_page: NewPage, make_user: MakeUser
) -> None:
    ada = make_user("Ada")
    match = stored(ada, on_one_device(positions.written(scenario.Match().jockey(1))))
    page = new_page(ada, **PHONE)
    device = Device(page)
    page.goto(match.get_absolute_url())
    live(page)
    for _ in range(2):
        expect(page.locator("#panel")).to_contain_text("Bo went out")
        assert page.locator("#panel .hands dt").count() == 2
        device.reload()
    device.loaded = ""  # which showed what both held in the round before
    page.locator("#ready").tap()
    for name, seat in (("Ada", 0), ("Bo", 1)):
        device.covered(name)
        device.hides(0, 1)
        device.reload()
        device.covered(name)
        assert page.locator("#panel .bid, #panel .answer, #panel .standing").count() == 0
        device.hides(0, 1)
        device.show(seat)
        expect(page.locator("#bid-go")).to_be_visible()
        device.hides(1 - seat)
        device.reload()
        assert phase_of(page) == "auction"
        device.covered(name)
        assert page.locator("#panel .bid, #panel .answer, #panel .standing").count() == 0
        device.hides(0, 1)
        device.show(seat)
        before = version_of(page)
        page.locator("#bid-go" if seat == 0 else "#accept").tap()
        wait_for_version(page, before + 1)
    device.covered("Ada")
    assert points_on(page) == [165, 135] or points_on(page) == [135, 165]
    device.show(0)
    assert phase_of(page) == "opening"


def test_to_a_win_and_once_more(new_page: NewPage, make_user: MakeUser) -> None:
    ada = make_user("Ada")
    told, last = positions.nearly_won(), positions.won_by_points()[-1]
    assert isinstance(last, events.Play)
    match = stored(ada, on_one_device(told))
    page = new_page(ada, **PHONE)
    device = Device(page)
    page.goto(match.get_absolute_url())
    live(page)
    device.covered("Ada")
    device.hides(0, 1)
    device.show(0)
    tile = page.locator(f'.tile[data-tile="{last.tile}"]')
    if tile.get_attribute("aria-pressed") != "true":
        tile.tap()
    page.locator(f"#arm-{last.arm}").tap()
    for _ in range(2):
        expect(page.locator("#panel")).to_contain_text("Ada wins")
        expect(page.locator("#two-again")).to_be_visible()
        device.reload()
    page.locator("#two-again").tap()
    expect(page.locator("#ready")).to_be_visible()
    assert [seat.name for seat in device.match.seats.order_by("seat")] == ["Bo", "Ada"]
    assert device.match != match
