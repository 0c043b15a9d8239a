"""How two people find each other, in two real browsers."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable

from playwright.sync_api import Error, Page, expect

from accounts import services
from accounts.models import User
from games.models import Challenge, Match
from ratings.services import standing
from tests.games.factory import begun
from tests.tools import wait_until

from .table import PATIENCE, live, phase_of, press_ready, take_turn, together
from .test_match import DEALT, stored

NewPage = Callable[..., Page]
MakeUser = Callable[[str], User]

A_MATCH = re.compile(r"/matches/\w+/$")


def in_the_lobby(page: Page) -> None:
    page.goto("/")
    expect(page.locator("#lobby")).to_have_attribute("data-link", "live")


def make_chief() -> User:
    return User.objects.create_superuser("Chief", "chief@example.com", "a long password")


def resign(page: Page) -> None:
    page.locator("#resign-open").click()
    page.get_by_role("button", name="Resign the match").click()


def press(page: Page, name: str) -> None:
    """Press a button until it is gone: what is told at that moment may take it away first."""
    button = page.get_by_role("button", name=name)
    button.click()

    def is_gone() -> bool:
        with contextlib.suppress(Error):
            if button.count():
                button.click(timeout=1000)
        return button.count() == 0

    wait_until(is_gone, PATIENCE)


def test_seek_accept_play_resign_rematch(new_page: NewPage, make_user: MakeUser) -> None:
    ada, bo = make_user("Ada"), make_user("Bo")
    hers, his = new_page(ada), new_page(bo)
    for page in (hers, his):
        in_the_lobby(page)
    expect(his.locator("#lobby-seeks")).to_contain_text("Nobody seeks a match")
    hers.get_by_role("button", name="Make a seek").click()
    expect(hers.locator("#lobby-seeks")).to_contain_text("Your seek")
    his.get_by_role("button", name="Play Ada").click()
    for page in (his, hers):  # hers by itself
        expect(page).to_have_url(A_MATCH)
        live(page)
    match = Match.objects.get()
    assert match.rated

    press_ready(hers, his)
    for page in (hers, his):
        if phase_of(page) in {"opening", "play"}:
            take_turn(page)
            together(hers, his)
    resign(his)
    expect(hers.locator("#after")).to_contain_text("Ada 1520 +20")
    expect(his.locator("#after")).to_contain_text("Bo 1480 −20")
    assert (standing(ada.pk).value, standing(bo.pk).value) == (1520, 1480)

    hers.get_by_role("button", name="Offer a rematch").click()
    expect(hers.locator("#after")).to_contain_text("Bo has not answered yet")
    press(his, "Accept the rematch")
    for page in (his, hers):
        expect(page).not_to_have_url(re.compile(match.pk))
        expect(page).to_have_url(A_MATCH)
        live(page)
    again = Match.objects.exclude(pk=match.pk).get()
    assert again.pk in hers.url
    assert again.pk in his.url
    assert Challenge.objects.get(match=again).kind == "rematch"


def test_play_now_is_watched_and_annulled(new_page: NewPage, make_user: MakeUser) -> None:
    bo = make_user("Bo")
    hers, his, his_lobby = new_page(make_user("Ada")), new_page(bo), new_page(bo)
    in_the_lobby(hers)
    hers.get_by_role("button", name="Play casual").click()
    expect(hers.locator("#lobby-quick")).to_contain_text("Looking for an opponent, casual")
    hers.get_by_role("button", name="Stop looking").click()
    hers.get_by_role("button", name="Play rated").click()
    expect(hers.locator("#lobby-quick")).to_contain_text("points from your 1500")

    in_the_lobby(his)
    his.get_by_role("button", name="Play rated").click()
    for page in (hers, his):
        expect(page).to_have_url(A_MATCH)
        live(page)
    match = Match.objects.get()
    in_the_lobby(his_lobby)
    forms = [his_lobby.get_by_role("button", name=name) for name in ("Make a seek", "Challenge")]
    for button in forms:
        expect(button).to_be_hidden()
    watcher = new_page()  # signed out
    watcher.goto(match.get_absolute_url())
    live(watcher)
    press_ready(hers, his)
    together(hers, his, watcher)
    assert watcher.locator("#hand button").count() == 0
    resign(hers)
    expect(hers.locator("#rematch-offer")).to_be_visible()
    for button in forms:  # by itself
        expect(button).to_be_visible()
    expect(watcher.locator("#after")).to_contain_text("Bo 1520 +20")
    assert watcher.locator("#after button").count() == 0
    his.goto("/")
    expect(hers.locator("#after")).to_contain_text("Bo has left: no rematch")

    staff = new_page(make_chief())
    staff.goto(f"/admin/games/match/{match.pk}/change/")
    staff.get_by_role("link", name="Annul the result").click()
    staff.locator("textarea").fill("Arranged between the two.")
    staff.get_by_role("button", name="Annul the result").click()
    for page in (hers, watcher):  # by itself
        expect(page.locator("#after")).to_contain_text("Annulled")
    assert [standing(seat.user_id or 0).value for seat in match.seats.all()] == [1500, 1500]
    his.goto("/players/Bo/")
    expect(his.get_by_role("main")).to_contain_text("1500?")
    expect(his.get_by_role("main")).to_contain_text("annulled")


def test_who_is_suspended_is_told_at_once_and_plays_on(
    new_page: NewPage, make_user: MakeUser
) -> None:
    ada, bo, cy = make_user("Ada"), make_user("Bo"), make_user("Cy")
    match = stored([ada, bo], begun(DEALT), seconds_ago=2)
    hers, waiting, staff = new_page(ada), new_page(cy), new_page(make_chief())
    hers.goto(match.get_absolute_url())
    live(hers)
    in_the_lobby(waiting)
    for player in (ada, cy):
        staff.goto(f"/admin/accounts/user/{player.pk}/suspend/")
        staff.locator("textarea").fill("Stalled <again>.")
        staff.get_by_role("button", name="Suspend").click()
        expect(staff.locator(".messagelist")).to_contain_text("has been told")
    for page in (hers, waiting):  # by itself
        expect(page.locator(".banner.suspended")).to_contain_text("Stalled <again>.")
    expect(waiting.get_by_role("button", name="Play rated")).to_be_hidden()
    live(hers)
    take_turn(hers)
    resign(hers)
    expect(hers.locator("#after")).to_be_visible()
    services.lift(cy, User.objects.get(username="Chief"))
    in_the_lobby(waiting)
