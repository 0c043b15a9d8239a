"""Somebody who is not even signed in watches others play."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from accounts.models import User
from games.models import Match
from tests.games.factory import begun
from tests.tools import wait_until

from .table import live, take_turn, version_of, wait_for_version
from .test_match import DEALT, stored

NewPage = Callable[..., Page]
MakeUser = Callable[[str], User]

PATIENCE = 25.0


def tiles_in(page: Page, place: str) -> int:
    return page.locator(f"{place} svg.small g use[href^='#t']").count()


def test_a_match_is_watched_from_the_list_and_from_home(
    new_page: NewPage, make_user: MakeUser
) -> None:
    ada, bo = make_user("Ada"), make_user("Bo")
    listed, home = new_page(), new_page()
    listed.goto("/watch/")
    expect(listed.locator("#live")).to_contain_text("Nobody is playing")
    match = stored([ada, bo], begun(DEALT), seconds_ago=2)
    card = listed.locator(f"#m-{match.pk}")
    expect(card).to_contain_text("Ada is opening")  # it has come by itself
    card.locator(".go").focus()
    home.goto("/")
    expect(home.locator("#best")).to_have_attribute("data-link", "live")

    hers = new_page(ada)
    hers.goto(match.get_absolute_url())
    live(hers)
    take_turn(hers)
    wait_until(lambda: tiles_in(home, "#best") == 1, PATIENCE)
    wait_until(lambda: tiles_in(listed, f"#m-{match.pk}") == 1, PATIENCE)
    expect(home.locator("#best-said")).to_contain_text("Bo is to move")
    for page in (home, listed):
        assert page.locator(".tile, button[data-tile]").count() == 0
    assert listed.evaluate("document.activeElement.id") == f"m-{match.pk}-go"

    watcher = new_page()
    watcher.goto("/watch/")
    watcher.locator(f"#m-{match.pk} .go").click()
    live(watcher)
    wait_for_version(watcher, version_of(hers))
    expect(watcher.locator("#watching")).to_have_text("1 watching")
    expect(card).to_contain_text("1 watching")
    expect(home.locator("#best-watching")).to_have_text("1 watching")

    hers.locator("#resign-open").click()
    hers.get_by_role("button", name="Resign the match").click()
    expect(home.locator("#best-board")).to_contain_text("Bo wins")
    expect(listed.locator("#live")).to_contain_text("Nobody is playing")
    assert listed.evaluate("document.activeElement.className") == "btn main"
    assert Match.objects.get().winner == 1
    expect(home.locator("#best")).to_contain_text("Nobody is playing")
