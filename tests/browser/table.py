"""Playing at the match page the way a person does."""

from __future__ import annotations

import contextlib
import re

from playwright.sync_api import Error, Page, expect

from tests.tools import wait_until

PATIENCE = 25.0  # seconds


def version_of(page: Page) -> int:
    return int(page.locator("#state").get_attribute("data-version") or "0")


def phase_of(page: Page) -> str:
    return page.locator("#state").get_attribute("data-phase") or ""


def live(page: Page) -> None:
    """Wait until the page is connected and has what it is sent first: nothing is swapped under
    the hand of who plays on it then."""
    expect(page.locator("#match")).to_have_attribute("data-link", "live")
    if page.locator("#presence-0").count():  # on one device nobody asks who is there
        expect(page.locator("#presence-0 i")).to_have_count(1)


def wait_for_version(page: Page, least: int) -> None:
    """Wait until the page shows a version; the policy of the page forbids waiting inside it."""
    wait_until(lambda: version_of(page) >= least, PATIENCE)


def together(*pages: Page) -> None:
    """Wait until all pages show the newest version any of them has."""
    newest = max(version_of(page) for page in pages)
    for page in pages:
        wait_for_version(page, newest)


def my_turn(page: Page) -> bool:
    return page.locator("#hand.asked").count() > 0


def take_turn(page: Page) -> None:
    """Lay the first tile that fits on its first end, drawing until one does."""
    while my_turn(page):
        before = version_of(page)
        if page.locator("#draw").count():
            page.locator("#draw").click()
            wait_for_version(page, before + 1)
            continue
        choose_first(page)
        page.locator("#lay [data-arm]:not([aria-disabled=true])").first.click()
        wait_for_version(page, before + 1)
        return


def choose_first(page: Page) -> None:
    """Take up the first tile that fits, unless one is taken up already."""
    if page.locator(".tile[aria-pressed=true]").count() == 0:
        page.locator(".tile[aria-pressed]").first.click()


def press_ready(*pages: Page) -> None:
    """Press Start, or Continue, on every page."""
    for page in pages:
        page.locator("#ready").click()
    for page in pages:
        wait_until(lambda page=page: has_gone_on(page), PATIENCE)  # type: ignore[misc]
    together(*pages)


def has_gone_on(page: Page) -> bool:
    """Whether the interlude is over on this page. A press that a view took the button away from
    under is made again, as a person does."""
    if phase_of(page) not in {"new", "round_over"}:
        return True
    button = page.locator("#ready")
    if button.count() and page.locator("#match.busy").count() == 0:
        with contextlib.suppress(Error):  # it has gone meanwhile
            button.click(timeout=1000)
    return False


def play_round(*pages: Page) -> str:
    """Play until the round or the match is over; gives the phase then."""
    while phase_of(pages[0]) in {"opening", "play"}:
        for page in pages:
            take_turn(page)
            together(*pages)
    return phase_of(pages[0])


def answering(pages: tuple[Page, ...]) -> Page:
    """The page whose player has to answer in the auction."""
    (page,) = (page for page in pages if page.locator("#panel form.answer").count())
    return page


def points_on(page: Page) -> list[int]:
    """Both balances as the page shows them."""
    text = page.locator("#points").inner_text()
    return [int(number) for number in re.findall(r"\d+", text)][:2]
