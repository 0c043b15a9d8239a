"""Two people play a match in two real browsers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection
from playwright.sync_api import Page, expect

from accounts.models import User
from games.checks import differences
from games.models import Event, Match
from games.rules import events
from games.rules.tiles import parse_tile
from games.timekeeping import now_ms
from tests.games.factory import begun, deal, make_match, make_window, nearly_won

from .stage import Line
from .table import (
    answering,
    choose_first,
    live,
    phase_of,
    play_round,
    points_on,
    press_ready,
    take_turn,
    together,
    version_of,
    wait_for_version,
)

NewPage = Callable[..., Page]
MakeUser = Callable[[str], User]

DEALT = deal("6-6 1-0 2-0 2-1 3-0 3-1 3-2", "6-5 6-4 6-3 6-2 6-1 6-0 5-5", "5-4 4-4 0-0")


@pytest.fixture(autouse=True)
def every_log_gives_its_snapshot(live_site: object) -> Iterator[None]:
    yield
    assert {m.pk: d for m in Match.objects.all() if (d := differences(m))} == {}


def stored(users: list[User], told: Iterable[Any] = (), *, seconds_ago: int = 0) -> Match:
    """A match of two users after ``told``. The browser's loop runs in this thread, so another
    one stores it, as in the site."""

    def store() -> Match:
        now = now_ms()
        try:
            make_window(now - 600_000, now, "stopped")  # it was measured before this test, too
            return make_match(users, told, now=now - 1000 * seconds_ago)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(store).result()


def sign_up(page: Page, name: str, address: str = "/accounts/signup/") -> None:
    page.goto(address)
    page.locator("[name=username]").fill(name)
    page.locator("[name=email]").fill(f"{name.lower()}@example.com")
    page.locator("[name=password1]").fill("a long password")
    page.locator("main form [type=submit]").first.click()


def test_from_sign_up_to_an_auction(new_page: NewPage) -> None:
    ada, bo, watcher = new_page(), new_page(), new_page()
    sign_up(ada, "Ada")
    ada.wait_for_url("**/")
    ada.get_by_text("Or send a link").click()
    ada.locator("input[value=casual]").check()
    ada.get_by_role("button", name="Get a link to send").click()
    link = ada.locator("#link").input_value()

    bo.goto(link)
    bo.get_by_role("link", name="Sign up and join").click()
    sign_up(bo, "Bo", bo.url)
    bo.get_by_role("button", name="Yes, join this match").click()
    bo.wait_for_url("**/matches/*/")
    ada.wait_for_url("**/matches/*/")  # the waiting page moved on by itself
    watcher.goto(ada.url)
    for page in (ada, bo, watcher):
        live(page)
    press_ready(ada, bo)
    assert watcher.locator(".tile").count() == 0
    expect(watcher.locator("body")).to_contain_text("You are watching")

    while phase_of(ada) != "auction":
        assert play_round(ada, bo) == "round_over"
        together(ada, bo, watcher)
        for page in (ada, bo, watcher):
            expect(page.locator("#panel")).to_contain_text("Round")
        press_ready(ada, bo)

    first = answering((ada, bo))
    second = bo if first is ada else ada
    before = version_of(first)
    first.locator("#bid-go").click()
    wait_for_version(second, before + 1)
    expect(second.locator("#panel")).to_contain_text("15")
    second.locator("#bid-go").click()  # the jockey raises to 20, and would pay 5
    wait_for_version(first, before + 2)
    points = points_on(second)
    first.locator("#accept").click()
    wait_for_version(second, before + 3)
    together(ada, bo, watcher)
    paid = Event.objects.get(n=before + 2)
    assert paid.data["points"] == 20
    assert sorted(points_on(second)) == sorted(
        [points[0] + 5, points[1] - 5]
    )  # the viewer's own balance is the lower of the two
    take_turn(second)
    assert phase_of(second) in {"play", "round_over"}


def test_a_win_by_points_its_reason_and_its_record(new_page: NewPage, make_user: MakeUser) -> None:
    ada, bo = make_user("Ada"), make_user("Bo")
    told, tile, arm = nearly_won()
    match = stored([ada, bo], told, seconds_ago=2)
    hers, his = new_page(ada), new_page(bo)
    for page in (hers, his):
        page.goto(match.get_absolute_url())
        live(page)
    hers.locator(f'[data-tile="{tile}"]').click()
    hers.locator(f"#arm-{arm}").click()
    wait_for_version(his, len(told) + 1)
    together(hers, his)
    expect(hers.locator("#panel h2")).to_contain_text("You win")
    expect(his.locator("#panel h2")).to_contain_text("Ada wins")
    assert sorted(points_on(hers)) == [0, 300]
    with his.expect_download() as download:
        his.locator("#record").click()
    lines = download.value.path().read_text().splitlines()
    assert len(lines) == 1 + Event.objects.filter(match=match).count()


def test_a_reload_in_the_middle_of_a_turn_neither_gives_nor_takes_time(
    new_page: NewPage, make_user: MakeUser
) -> None:
    ada, bo = make_user("Ada"), make_user("Bo")
    # Ada has been thinking for 70 s: the delay is over and 60 s of her bank are gone.
    match = stored([ada, bo], begun(DEALT, at=1000), seconds_ago=71)
    hers, again, theirs = new_page(ada), new_page(ada), new_page()
    for page in (hers, again, theirs):
        page.goto(match.get_absolute_url())
        live(page)
    for page in (hers, again, theirs):
        shown = page.locator("#clock-0 .bank").inner_text()
        minutes, seconds = shown.split(":")
        true = (match.epoch + 131_000 - now_ms()) / 1000
        assert abs(int(minutes) * 60 + int(seconds) - true) < 5
    for _ in range(3):
        hers.reload()
        live(hers)
    match.refresh_from_db()
    assert (match.version, match.due) == (4, match.epoch + 131_000)
    choose_first(hers)
    hers.locator("#lay [data-arm]:not([aria-disabled=true])").first.click()
    wait_for_version(again, 5)
    wait_for_version(theirs, 5)
    assert not list(again.locator("#hand.asked").all())


def test_a_lost_connection_comes_back_and_is_right_again(
    new_page: NewPage, make_user: MakeUser
) -> None:
    ada, bo = make_user("Ada"), make_user("Bo")
    match = stored([ada, bo], begun(DEALT, at=1000), seconds_ago=2)
    hers, his = new_page(ada), new_page(bo)
    line = Line(his)
    for page in (hers, his):
        page.goto(match.get_absolute_url())
        live(page)
    line.cut()
    expect(his.locator("#match")).to_have_attribute("data-link", "reconnecting")
    take_turn(hers)
    expect(hers.locator("#presence-1")).to_contain_text("away")
    assert version_of(his) == 4
    line.mend()
    wait_for_version(his, 5)
    live(his)
    assert his.locator("#log > *").count() == hers.locator("#log > *").count()
    take_turn(his)
    wait_for_version(hers, 6)


def test_resigning_is_asked_twice(new_page: NewPage, make_user: MakeUser) -> None:
    ada, bo = make_user("Ada"), make_user("Bo")
    match = stored([ada, bo], begun(DEALT, at=1000), seconds_ago=2)
    hers, his = new_page(ada), new_page(bo)
    for page in (hers, his):
        page.goto(match.get_absolute_url())
        live(page)
    his.locator("#resign-open").click()
    his.get_by_role("button", name="Play on").click()
    assert version_of(his) == 4
    his.locator("#resign-open").click()
    his.get_by_role("button", name="Resign the match").click()
    wait_for_version(hers, 5)
    expect(hers.locator("#panel h2")).to_contain_text("You win")
    match.refresh_from_db()
    assert (match.winner, match.reason) == (0, "resignation")


def test_time_runs_out_by_itself(new_page: NewPage, make_user: MakeUser) -> None:
    ada, bo = make_user("Ada"), make_user("Bo")
    match = stored([ada, bo], begun(DEALT, at=1000), seconds_ago=128)
    hers = new_page(ada)
    hers.goto(match.get_absolute_url())
    live(hers)
    wait_for_version(hers, 5)
    expect(hers.locator("#panel h2")).to_contain_text("Bo wins")
    match.refresh_from_db()
    assert (match.winner, match.reason) == (1, "time")


def test_a_turn_with_the_keyboard_alone(new_page: NewPage, make_user: MakeUser) -> None:
    ada, bo = make_user("Ada"), make_user("Bo")
    told = [*begun(DEALT), events.Play(seat=0, at=1500, tile=parse_tile("6-6"), arm="open")]
    match = stored([ada, bo], told, seconds_ago=2)
    his = new_page(bo)
    his.goto(match.get_absolute_url())
    live(his)
    his.locator(".stage").focus()
    his.keyboard.press("ArrowRight")
    his.keyboard.press("Enter")
    his.keyboard.press("Escape")
    assert his.locator(".tile[aria-pressed=true]").count() == 0
    his.keyboard.press("Enter")
    his.keyboard.press("ArrowRight")
    his.keyboard.press("Enter")
    wait_for_version(his, 6)
    last = Event.objects.get(match=match, n=6)
    assert (last.do, last.seat) == ("play", 1)


def test_a_player_leaves_before_the_start(new_page: NewPage, make_user: MakeUser) -> None:
    ada, bo = make_user("Ada"), make_user("Bo")
    match = stored([ada, bo])
    hers, his = new_page(ada), new_page(bo)
    for page in (hers, his):
        page.goto(match.get_absolute_url())
        live(page)
    his.get_by_role("button", name="Leave without playing").click()
    his.wait_for_url("**/")
    wait_for_version(hers, 1)
    expect(hers.locator("#panel h2")).to_contain_text("void")
    match.refresh_from_db()
    assert (match.winner, match.reason) == (None, "void")
