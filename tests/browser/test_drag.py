"""Tiles are dragged to an end, whatever comes in between; what one may want of it is kept."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from accounts.models import ChosenPreferences, User
from games.models import Event, Match
from games.rules.match import Phase, State, legal
from games.rules.tiles import parse_tile
from tests.tools import wait_until

from . import positions
from .stage import Line, aside
from .table import live, my_turn, phase_of, take_turn, version_of, wait_for_version
from .test_match import stored

NewPage = Callable[..., Page]
MakeUser = Callable[[str], User]

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


def _offers(state: State) -> bool:
    """Two tiles can be laid, one of them at two ends, and one of these pays."""
    if state.phase is not Phase.PLAY or len(state.table.laid) < 4:
        return False
    counts: dict[str, list[int]] = {}
    for answer in legal(state):
        if answer["do"] != "play":
            return False
        count = state.table.lay(parse_tile(answer["tile"]), answer["arm"]).count
        counts.setdefault(answer["tile"], []).append(count)
    pays = any(len(at) > 1 and any(n and n % 5 == 0 for n in at) for at in counts.values())
    return len(counts) > 1 and pays


class Table:
    """A match in which somebody is to move, their page, and what is on it."""

    def __init__(self, new_page: NewPage, make_user: MakeUser, told: positions.Told) -> None:
        self.seat = positions.seat_to_act(told)
        self.users = [make_user("Ada"), make_user("Bo")]
        ago = positions.last_moment(told) // 1000 + 1
        self.match: Match = stored(self.users, told, seconds_ago=ago)
        self.before = len(told)
        self._new_page = new_page

    @property
    def mover(self) -> User:
        return self.users[self.seat]

    def prefer(self, **values: Any) -> None:
        """What the player who is to move has chosen."""
        aside(lambda: ChosenPreferences.objects.create(user=self.mover, values=values))

    def page(self, user: User | None = None, /, **options: Any) -> Page:
        page = self._new_page(user or self.mover, **options)
        return self.open(page)

    def open(self, page: Page) -> Page:
        page.goto(self.match.get_absolute_url())
        live(page)
        return page

    def plays(self) -> list[tuple[str, str]]:
        """What was laid since the match was stored."""
        added = Event.objects.filter(match=self.match, n__gt=self.before, do="play")
        return [(event.data["tile"], event.data["arm"]) for event in added.order_by("n")]


@pytest.fixture
def table(new_page: NewPage, make_user: MakeUser) -> Table:
    """A table with tiles to choose from, one of which pays."""
    return Table(new_page, make_user, positions.found(4, _offers))


def middle(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def paying(page: Page) -> tuple[Locator, str, str, int]:
    """A tile of the hand with two ends: itself, its name, an end, and what that pays."""
    for tile in page.locator(".tile[data-pays]").all():
        arms = (tile.get_attribute("data-arms") or "").split()
        pays = [int(points) for points in (tile.get_attribute("data-pays") or "").split()]
        if len(arms) > 1 and any(pays):
            best = max(range(len(pays)), key=pays.__getitem__)
            return tile, tile.get_attribute("data-tile") or "", arms[best], pays[best]
    raise AssertionError("no tile pays")


def pick_up(page: Page, tile: Locator) -> None:
    """Press the mouse on a tile and move it a little: it follows from now on."""
    x, y = middle(tile)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 8, y - 30, steps=3)
    expect(page.locator(".dragged")).to_be_visible()


def nothing_sticks(page: Page) -> None:
    """No tile hangs about, and none is missing."""
    expect(page.locator(".dragged")).to_be_hidden()
    expect(page.locator(".tile.lifted")).to_have_count(0)
    expect(page.locator("#match.dragging, #match.busy")).to_have_count(0)


def test_a_drag_lays_a_tile_where_its_pay_was_shown(table: Table) -> None:
    page = table.page()
    tile, name, arm, pays = paying(page)
    expect(tile).to_contain_text(re.compile(rf"\b{arm} pays {pays}\.", re.IGNORECASE))
    pick_up(page, tile)
    target = page.locator(f'.target.on[data-arm="{arm}"]')
    expect(target.locator("text")).to_have_text(f"+{pays}")
    expect(page.locator(f"#arm-{arm}")).to_contain_text(f"+{pays}")
    x, y = middle(target)
    page.mouse.move(x + 12, y - 10, steps=3)  # near is near enough
    expect(target).to_have_class(re.compile("near"))
    page.mouse.up()
    wait_for_version(page, table.before + 1)
    nothing_sticks(page)
    assert table.plays() == [(name, arm)]


def test_a_drag_that_leads_nowhere_changes_nothing(table: Table) -> None:
    page = table.page()
    tile, name, arm, _pays = paying(page)
    pick_up(page, tile)
    page.mouse.move(20, 400, steps=2)
    page.mouse.up()
    nothing_sticks(page)
    pick_up(page, tile)
    page.mouse.move(*middle(page.locator(f'.target.on[data-arm="{arm}"]')))
    page.keyboard.press("Escape")
    nothing_sticks(page)
    page.mouse.up()
    expect(page.locator(".target.on, .tile[aria-pressed=true]")).to_have_count(0)
    assert version_of(page) == table.before
    tile.click()  # and a tap is still a tap
    expect(page.locator(f'.tile[data-tile="{name}"]')).to_have_attribute("aria-pressed", "true")
    assert table.plays() == []


def test_a_drag_that_another_tab_overtakes_lays_nothing(table: Table) -> None:
    page, other = table.page(), table.page()
    tile, _name, arm, _pays = paying(page)
    pick_up(page, tile)
    take_turn(other)
    wait_for_version(page, table.before + 1)
    nothing_sticks(page)
    page.mouse.move(300, 300)
    page.mouse.up()
    nothing_sticks(page)
    assert version_of(page) == table.before + 1
    assert len(table.plays()) == 1
    assert arm


def test_a_drag_goes_on_after_a_view_in_which_the_tile_still_fits(
    table: Table, new_page: NewPage
) -> None:
    page = new_page(table.mover)
    line = Echoing(page)
    table.open(page)
    tile, name, arm, _pays = paying(page)
    pick_up(page, tile)
    page.evaluate("document.getElementById('hand').dataset.old = 1")
    line.say_again()
    expect(page.locator("#hand[data-old]")).to_have_count(0)
    expect(page.locator(".dragged")).to_be_visible()
    page.mouse.move(*middle(page.locator(f'.target.on[data-arm="{arm}"]')), steps=3)
    page.mouse.up()
    wait_for_version(page, table.before + 1)
    nothing_sticks(page)
    assert table.plays() == [(name, arm)]


class Echoing:
    """The connection of a page, on which the last view can come once more."""

    def __init__(self, page: Page) -> None:
        self.view = ""
        self.socket: WebSocketRoute | None = None
        page.route_web_socket(re.compile(r".*/ws/.*"), self._connect)

    def _connect(self, socket: WebSocketRoute) -> None:
        self.socket = socket
        server = socket.connect_to_server()

        def heard(message: str | bytes) -> None:
            if 'id="state"' in str(message):
                self.view = str(message)
            socket.send(message)

        server.on_message(heard)

    def say_again(self) -> None:
        assert self.socket is not None
        self.socket.send(self.view)


def test_a_drag_that_loses_the_connection_is_put_back(table: Table, new_page: NewPage) -> None:
    page = new_page(table.mover)
    line = Line(page)
    table.open(page)
    tile, name, arm, _pays = paying(page)
    pick_up(page, tile)
    line.cut()
    expect(page.locator("#match")).to_have_attribute("data-link", "reconnecting")
    nothing_sticks(page)
    page.mouse.up()
    pressed = page.mouse
    x, y = middle(tile)
    pressed.move(x, y)
    pressed.down()
    pressed.move(x, y - 60, steps=3)
    expect(page.locator(".dragged")).to_be_hidden()  # nothing could be laid
    pressed.up()
    line.mend()
    live(page)
    pick_up(page, page.locator(f'[data-tile="{name}"]'))
    page.mouse.move(*middle(page.locator(f'.target.on[data-arm="{arm}"]')), steps=3)
    page.mouse.up()
    wait_for_version(page, table.before + 1)
    nothing_sticks(page)
    assert table.plays() == [(name, arm)]


def test_what_cannot_be_sent_is_not_sent_later(table: Table, new_page: NewPage) -> None:
    page = new_page(table.mover)
    line = Line(page)
    table.open(page)
    line.cut()
    expect(page.locator("#match")).to_have_attribute("data-link", "reconnecting")
    _tile, name, arm, _pays = paying(page)
    page.locator(f'[data-tile="{name}"]').click()
    page.locator(f"#arm-{arm}").click()
    nothing_sticks(page)
    expect(page.locator("#alert")).to_contain_text("The connection is lost.")
    line.mend()
    live(page)
    page.keyboard.press("Escape")
    page.locator(f'[data-tile="{name}"]').click()
    page.locator(f"#arm-{arm}").click()
    wait_for_version(page, table.before + 1)
    assert table.plays() == [(name, arm)]
    expect(page.locator("#alert [data-refused]")).to_have_count(0)  # nothing came twice


def test_a_drag_under_a_dialog_lays_nothing(table: Table) -> None:
    page = table.page()
    pick_up(page, paying(page)[0])
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.mouse.move(*middle(page.locator(".target.on").first), steps=3)
    page.mouse.up()
    nothing_sticks(page)
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()
    assert version_of(page) == table.before


def test_a_drag_that_the_match_ends_under_is_put_back(table: Table) -> None:
    page, other = table.page(), table.page(table.users[1 - table.seat])
    pick_up(page, paying(page)[0])
    other.locator("#resign-open").click()
    other.get_by_role("button", name="Resign the match").click()
    expect(page.locator("#panel h2")).to_contain_text("You win")
    nothing_sticks(page)
    page.mouse.up()
    assert table.plays() == []


class Finger:
    """One finger on a page; another one may come down beside it."""

    def __init__(self, page: Page) -> None:
        self._cdp = page.context.new_cdp_session(page)

    def _send(self, kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y, "id": id_} for id_, (x, y) in enumerate(points)]
        self._cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def drag(self, start: tuple[float, float], end: tuple[float, float], steps: int = 4) -> None:
        self._send("touchStart", start)
        for step in range(1, steps + 1):
            part = step / steps
            self.move(
                (start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part)
            )

    def move(self, *points: tuple[float, float]) -> None:
        self._send("touchMove", *points)

    def second(self, first: tuple[float, float], point: tuple[float, float]) -> None:
        self._send("touchStart", first, point)

    def up(self) -> None:
        self._send("touchEnd")

    def cancel(self) -> None:
        self._send("touchCancel")


def test_a_match_by_touch_on_a_phone_with_21_tiles_in_hand(
    new_page: NewPage, make_user: MakeUser
) -> None:
    table = Table(new_page, make_user, positions.many_drawn(14))
    page, other = table.page(**PHONE), table.page(table.users[1 - table.seat])
    finger = Finger(page)
    tiles = page.locator(".tile")
    assert tiles.count() == 21
    for box in [tile.bounding_box() for tile in tiles.all()]:
        assert box
        assert min(box["width"], box["height"]) >= 44
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
        assert box["y"] + box["height"] <= 844
    target = page.locator(".target.on").first
    touch = target.locator(".touch").bounding_box()
    assert touch
    assert min(touch["width"], touch["height"]) >= 44

    # A second finger, and a gesture that the system takes over, leave the tile where it was.
    tile = page.locator(".tile[data-arms]")
    start, end = middle(tile), middle(target)
    finger.drag(start, end)
    expect(page.locator(".dragged")).to_be_visible()
    finger.second(end, (200, 700))
    finger.move((300, 300), (200, 700))
    finger.cancel()
    nothing_sticks(page)
    assert version_of(page) == table.before

    finger.drag(start, end, steps=1)  # a flick
    finger.up()
    wait_for_version(page, table.before + 1)
    nothing_sticks(page)
    assert page.evaluate("scrollY") == 0

    while phase_of(page) == "play":
        if my_turn(page):
            before = version_of(page)
            if page.locator(".tile[aria-pressed=true]").count() == 0:
                page.locator(".tile[data-arms]").first.tap()
            finger.drag(
                middle(page.locator(".tile[aria-pressed=true]")),
                middle(page.locator(".target.on").first),
                steps=2,
            )
            finger.up()
            wait_for_version(page, before + 1)
        else:
            wait_for_version(other, version_of(page))
            take_turn(other)
            wait_for_version(page, version_of(other))
    nothing_sticks(page)
    if phase_of(page) == "round_over":
        wait_until(lambda: opened_by_tap(page, "#resign-open", "#resign"))
        page.locator("#resign [type=submit]").tap()
    wait_until(lambda: phase_of(page) == "match_over")


def opened_by_tap(page: Page, button: str, dialog: str) -> bool:
    """Tap until it is open, as a person does: a busy browser makes no click of some taps."""
    if not page.locator(dialog).is_visible():
        page.locator(button).tap()
    return page.locator(dialog).is_visible()


def test_whoever_wants_to_confirm_is_asked_and_may_put_back(table: Table) -> None:
    table.prefer(confirm=True)
    page = table.page()
    tile, name, arm, _pays = paying(page)
    tile.click()
    page.locator(f"#arm-{arm}").click()
    expect(page.locator(f'.target.sure[data-arm="{arm}"] .preview')).to_be_visible()
    page.get_by_role("button", name="Put back").click()
    expect(page.locator("#sure")).to_be_hidden()
    expect(page.locator(".target.on")).to_have_count(0)
    assert version_of(page) == table.before
    tile.focus()
    page.keyboard.press("Enter")  # takes it up
    page.locator(f"#arm-{arm}").focus()
    page.keyboard.press("Enter")  # asks
    expect(page.locator("#sure-yes")).to_be_focused()
    page.keyboard.press("Enter")  # lays it
    wait_for_version(page, table.before + 1)
    assert table.plays() == [(name, arm)]


def test_a_bid_is_confirmed_as_well(new_page: NewPage, make_user: MakeUser) -> None:
    table = Table(new_page, make_user, positions.written(positions.auction()))
    table.prefer(confirm=True)
    page = table.page()
    bid = page.locator("#bid-go")
    said = bid.inner_text()
    bid.click()
    expect(bid).to_have_text("Sure? Press again.")
    page.locator("#bid-more").click()  # another amount, another question
    expect(bid).not_to_have_text("Sure? Press again.")
    assert bid.inner_text() != said
    bid.click()
    expect(bid).to_have_text("Sure? Press again.")
    assert version_of(page) == table.before
    bid.click()
    wait_for_version(page, table.before + 1)
    assert Event.objects.get(match=table.match, n=table.before + 1).data["points"] == 20


def test_the_page_draws_by_itself_until_a_tile_fits(new_page: NewPage, make_user: MakeUser) -> None:
    table = Table(new_page, make_user, positions.must_draw())
    table.prefer(draw_for_me=True)
    page = table.page()
    wait_for_version(page, table.before + 3)
    expect(page.locator(".tile[data-arms]")).to_have_count(1)
    expect(page.locator("#status")).to_contain_text("lay")
    drawn = Event.objects.filter(match=table.match, n__gt=table.before)
    assert [event.do for event in drawn] == ["draw"] * 3


def test_what_ends_pay_can_be_hidden_while_playing(table: Table) -> None:
    page = table.page()
    tile, _name, arm, pays = paying(page)
    tile.click()
    expect(page.locator(f"#arm-{arm}")).to_contain_text(f"+{pays}")
    page.get_by_role("button", name="Preferences").click()
    dialog = page.locator("#preferences-dialog")
    dialog.locator("[name=show_pays]").uncheck()
    dialog.get_by_role("button", name="Save").click()
    expect(page.locator("#match")).to_have_attribute("data-pays", "off")
    expect(page.locator(f"#arm-{arm}")).not_to_contain_text("+")
    expect(page.locator(".target.on text")).to_have_count(0)
    expect(page.locator(".tile i").first).to_be_hidden()


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_nothing_moves_for_those_who_want_no_motion(table: Table, motion: str) -> None:
    page = table.page(reduced_motion=motion)
    page.evaluate(
        """() => {
            window.moved = 0;
            const animate = Element.prototype.animate;
            Element.prototype.animate = function (...all) {
                window.moved++;
                return animate.apply(this, all);
            };
        }"""
    )
    tile, _name, arm, _pays = paying(page)
    tile.click()
    page.locator(f"#arm-{arm}").click()
    wait_for_version(page, table.before + 1)
    expect(page.locator("#board .count")).to_be_visible()
    if motion == "reduce":
        assert page.evaluate("moved + document.getAnimations().length") == 0
    else:
        assert page.evaluate("moved") > 0


def test_a_turned_phone_shows_the_table_in_its_other_frame(table: Table) -> None:
    page = table.page(**PHONE)
    picture = page.locator("#drawn > svg")
    upright = picture.get_attribute("viewBox")
    page.set_viewport_size({"width": 844, "height": 390})
    expect(picture).not_to_have_attribute("viewBox", upright or "")
    _x, _y, width, height = (float(n) for n in (picture.get_attribute("viewBox") or "").split())
    assert width > height
    paying(page)[0].tap()
    expect(page.locator(".target.on").first).to_be_visible()
