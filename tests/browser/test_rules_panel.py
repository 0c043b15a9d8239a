"""The rules beside a running match, in a real browser."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from accounts.models import User
from tests.games.factory import begun
from tests.tools import wait_until

from .table import live, take_turn, version_of, wait_for_version
from .test_match import DEALT, stored

NewPage = Callable[..., Page]
MakeUser = Callable[[str], User]


def test_the_rules_stop_nothing(new_page: NewPage, make_user: MakeUser) -> None:
    """Bo reads them on a phone while Ada's clock runs; her tile comes in, and his clock starts."""
    users = [make_user("Ada"), make_user("Bo")]
    match = stored(users, begun(DEALT), seconds_ago=12)
    ada, bo = new_page(users[0]), new_page(users[1], viewport={"width": 390, "height": 844})
    for page in (ada, bo):
        page.goto(match.get_absolute_url())
        live(page)

    bo.locator("#rules-open").click()
    panel = bo.locator("#rules-panel")
    expect(panel.locator("#rules-deal")).to_be_in_viewport()  # what an opening is about
    expect(bo.locator("#rules-title")).to_be_focused()
    tile = panel.locator("#rules-figure-opening svg use").first
    assert (tile.bounding_box() or {"width": 0})["width"] > 30  # drawn with the page's symbols

    theirs = panel.locator(".r-clocks .opp b")
    expect(theirs).to_be_in_viewport()
    before = theirs.inner_text()
    wait_until(lambda: theirs.inner_text() != before, 25)

    seen = version_of(bo)
    take_turn(ada)
    wait_for_version(bo, seen + 1)
    expect(panel).to_be_visible()
    expect(bo.locator("#rules-title")).to_be_focused()
    expect(bo.locator("#clock-1.run")).to_have_count(1)
    expect(panel.locator(".r-clocks .me.run")).to_be_in_viewport()

    panel.get_by_role("link", name="The match clock").click()
    expect(panel.locator("#rules-clock")).to_be_focused()
    expect(panel.locator("#rules-clock")).to_be_in_viewport()
    assert "#" not in bo.url

    bo.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(bo.locator("#rules-open")).to_be_focused()


def test_the_rules_in_the_header_open_beside_the_match(
    new_page: NewPage, make_user: MakeUser
) -> None:
    """On a desk the clocks stay in view, and nothing lies under the sheet."""
    users = [make_user("Ada"), make_user("Bo")]
    match = stored(users, begun(DEALT))
    page = new_page(users[0], viewport={"width": 1280, "height": 800})
    page.goto(match.get_absolute_url())
    live(page)
    link = page.locator(".site-nav").get_by_role("link", name="Rules")
    link.click()
    panel = page.locator("#rules-panel")
    expect(panel.locator("#rules-deal")).to_be_in_viewport()
    assert page.url.endswith(match.get_absolute_url())
    sheet = panel.bounding_box()
    assert sheet
    for name in ("#clock-0", "#clock-1", "#hand", "#board"):
        box = page.locator(name).bounding_box()
        assert box
        assert box["x"] + box["width"] <= sheet["x"], name
    take_turn(page)  # it can be played on meanwhile
    expect(panel).to_be_visible()
    page.locator("#rules-close").click()
    expect(link).to_be_focused()
