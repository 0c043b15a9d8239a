"""The guided first round in a browser, in each language: what the card says is done, to the end."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.conf import settings
from django.db import connection
from django.utils import translation
from playwright.sync_api import Page, expect

from games import guide, store
from games.models import Event, Match
from games.timekeeping import now_ms
from games.words import lesson

from .table import live, version_of, wait_for_version


def nina_answers() -> None:
    """At once, and not when the worker comes to it."""

    def sweep() -> None:
        try:
            store.sweep(now_ms() + guide.PAUSE)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as thread:
        thread.submit(sweep).result()


def do(page: Page, turn: guide.Turn) -> None:
    """What the card asks for, with the mouse."""
    buttons = {"ready": "#ready", "draw": "#draw", "bid": "#bid-go"}
    if turn.do in buttons:
        expect(page.locator(f"{buttons[turn.do]}.told")).to_be_visible()
        page.locator(buttons[turn.do]).click()
        return
    tile = page.locator(f'.tile.told[data-tile="{turn.tile}"]')
    if tile.get_attribute("aria-pressed") != "true":
        tile.click()
    page.locator(f"#arm-{turn.arm}.told").click()


@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
def test_the_guided_round(language: str, new_page: Callable[..., Page]) -> None:
    page = new_page(locale=language, viewport={"width": 390, "height": 844})
    page.goto("/learn/")
    expect(page.locator("html")).to_have_attribute("lang", language)
    page.locator("#learn").click()
    live(page)
    match = Match.objects.get(kind=Match.Kind.GUIDED)
    done = set()
    while turn := guide.turn_at(version_of(page)):
        version = version_of(page)
        if turn.seat == guide.READER:
            with translation.override(language):
                assert page.locator("#card p").inner_text() == lesson(turn.hint)
            do(page, turn)
            done.add(turn.do)
        else:
            nina_answers()
        wait_for_version(page, version + 1)
    assert done == {"ready", "play", "draw", "bid"}
    expect(page.locator("#panel h2")).to_be_visible()
    with translation.override(language):
        expect(page.locator("#card p")).to_have_text(lesson("end"))
    scored = [
        row.data["tile"]
        for row in Event.objects.filter(match=match, do="play", seat=guide.READER).order_by("n")
    ]
    assert scored[:8] == ["5-5", "5-0", "4-3", "5-1", "6-1", "6-4", "4-0", "1-0"]  # went out
    expect(page.locator("#learn-again")).to_be_visible()


def test_another_tile_is_told_to_wait(new_page: Callable[..., Page]) -> None:
    page = new_page()
    page.goto("/learn/")
    page.locator("#learn").click()
    live(page)
    while (turn := guide.turn_at(version_of(page))) and turn.hint != "side":
        version = version_of(page)
        if turn.seat == guide.READER:
            do(page, turn)
        else:
            nina_answers()
        wait_for_version(page, version + 1)
    version = version_of(page)
    page.locator("#arm-up").click()  # the rules allow it
    expect(page.locator("#alert")).to_contain_text("do what the card says")
    assert version_of(page) == version
    page.reload()
    live(page)
    expect(page.locator("#card p")).to_have_text(lesson("side"))
    do(page, turn)  # type: ignore[arg-type]
    wait_for_version(page, version + 1)
