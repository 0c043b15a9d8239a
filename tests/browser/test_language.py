"""Choosing the language on a phone, without scripts."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect

PHONE = {"width": 390, "height": 844}
PLACES = ("/rules/", "/", "/watch/", "/ladder/", "/accounts/login/")


@pytest.mark.parametrize("code", [code for code, _ in settings.LANGUAGES if code != "en"])
def test_the_language_is_chosen_without_scripts_and_pages_keep_their_width(
    new_page: Callable[..., Page], code: str
) -> None:
    page = new_page(viewport=PHONE, java_script_enabled=False, locale="en-GB")
    page.goto("/rules/?from=here#clock")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    switch = page.locator(".language")
    switch.locator("summary").click()
    button = switch.locator(f"[value={code}]")
    for target in (switch.locator("summary"), button):
        box = target.bounding_box()
        assert box
        assert box["width"] >= 44
        assert box["height"] >= 44
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]
    button.click()
    page.wait_for_url("**/rules/?from=here")
    for place in PLACES:
        page.goto(place)
        expect(page.locator("html")).to_have_attribute("lang", code)
        expect(switch.locator("summary")).to_contain_text(code.upper())
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
