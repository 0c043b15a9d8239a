"""Pages of each kind on a phone, in each language: no word is cut off, covered or left in English.

Each state is prepared once, and its page opened in one language after the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Browser, BrowserContext, Page, expect

from .site import LiveSite
from .stage import State, aside, go, opened
from .states import STATES
from .world import wipe

HERE = Path(__file__).parent
CHECKS = (HERE / "checks.js").read_text()
WORDS = (HERE / "words.js").read_text()
PHONE = "390x844"
LANGUAGES = [code for code, _ in settings.LANGUAGES if code != "en"]
# One of each kind of page, and those with the longest words.
ONE_OF_EACH = [
    "bid-raised-long-name",
    "opening-free-taken-up",
    "play-taken-up",
    "play-hand-14-long-name",
    "play-other-scored",
    "play-keys",
    "play-rules",
    "round-won-paid",
    "match-points-won",
    "match-step",
    "two-start",
    "two-hand-over",
    "lesson-four-ends",
    "lesson-auction",
    "lobby-full",
    "home",
    "learn",
    "watch-many",
    "ladder-many",
    "profile-rich",
    "rules",
    "status-gaps",
    "sign-in-errors",
    "preferences",
    "report",
    "error-404",
    "admin-index",
    "admin-list-matches",
]
# Words that no other language of the site has.
ENGLISH = re.compile(
    r"\b(the|of|and|you|your|with|this|that|was|were|from|which|not|their|they|by|is)\b",
    re.IGNORECASE,
)


@pytest.fixture(scope="module")
def context(
    running_site: LiveSite, browser: Browser, django_db_blocker: Any
) -> Iterator[BrowserContext]:
    """One phone for all states, and the database open to them; it is empty afterwards."""
    with django_db_blocker.unblock():
        made = browser.new_context(
            base_url=running_site.url,
            viewport={"width": 390, "height": 844},
            reduced_motion="reduce",
            locale=LANGUAGES[0],
        )
        made.set_default_timeout(25_000)
        yield made
        made.close()
        aside(wipe)


def said(page: Page) -> list[str]:
    """Everything the page says, to those who look and those who listen, a line for each piece."""
    texts: list[str] = page.evaluate(
        """() => [
            document.title,
            ...document.body.innerText.split("\\n"),
            ...["aria-label", "alt", "title", "placeholder", "data-confirm"].flatMap((name) =>
                [...document.querySelectorAll(`[${name}]`)].map((one) => one.getAttribute(name))),
            ...[...document.querySelectorAll(".visually-hidden, svg title, svg desc")].map(
                (one) => one.textContent),
        ]"""
    )
    return sorted({" ".join(text.split()) for text in texts})


def faults_of(page: Page, state: State) -> list[str]:
    faults: list[str] = page.evaluate(CHECKS, [PHONE, state.turn])
    faults += page.evaluate(WORDS)
    return faults + [f"in English: {line[:200]}" for line in said(page) if ENGLISH.search(line)]


@pytest.mark.chromium
@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_a_page_in_every_language(
    name: str, context: BrowserContext, running_site: LiveSite
) -> None:
    state, faults = STATES[name], list[str]()
    with opened(state, context, running_site.url) as scene:
        for code in LANGUAGES:
            if code != LANGUAGES[0]:
                chosen = settings.LANGUAGE_COOKIE_NAME
                context.add_cookies([{"name": chosen, "value": code, "url": running_site.url}])
                go(scene.page, scene.page.url, state)
                if state.act:
                    state.act(scene)
                expect(scene.page.locator(state.shows).first).to_be_visible()
            expect(scene.page.locator("html")).to_have_attribute("lang", code)
            faults += [f"{code}: {line}" for line in faults_of(scene.page, state)]
    assert not faults, "\n".join(["", *faults])
