"""The switch of the theme, in the header of every page."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

LIGHT, DARK = "rgb(244, 241, 234)", "rgb(22, 25, 28)"


def expect_theme(page: Page, name: str, ground: str) -> None:
    expect(page.get_by_role("button", name=f"Theme: {name}")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("data-theme", name)
    expect(page.locator("body")).to_have_css("background-color", ground)


def test_a_visitor_steps_through_the_themes(new_page: Callable[..., Page]) -> None:
    page = new_page()
    page.emulate_media(color_scheme="dark")
    page.goto("/rules/")
    expect_theme(page, "system", DARK)
    page.evaluate("window.stayed = true")
    switch = page.locator("[data-theme-switch]")
    switch.click()
    expect_theme(page, "light", LIGHT)
    for scheme in ("dark", "light"):
        meta = page.locator(f'meta[name="theme-color"][media*="{scheme}"]')
        expect(meta).to_have_attribute("content", "#f4f1ea")
    switch.click()
    expect_theme(page, "dark", DARK)
    assert page.evaluate("window.stayed")

    page.emulate_media(color_scheme="light")
    page.reload()
    expect_theme(page, "dark", DARK)
    switch.click()
    expect_theme(page, "system", LIGHT)
    expect(page.locator('meta[name="theme-color"][media*="dark"]')).to_have_attribute(
        "content", "#16191c"
    )


def test_the_form_tells_that_it_has_saved(new_page: Callable[..., Page]) -> None:
    page = new_page()
    page.goto("/preferences/")
    page.get_by_role("radio", name="Dark").check()
    page.get_by_label("Sounds").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    expect_theme(page, "dark", DARK)
    page.reload()
    expect(page.get_by_label("Sounds")).to_be_checked()
    page.locator("[data-theme-switch]").click()
    expect(page.get_by_role("radio", name="System")).to_be_checked()  # the form goes along


def test_two_presses_at_once_are_one(new_page: Callable[..., Page]) -> None:
    page = new_page()
    page.emulate_media(color_scheme="dark")
    page.goto("/rules/")
    page.locator("[data-theme-switch]").evaluate(
        "button => { button.focus(); button.click(); button.click(); button.blur(); }"
    )
    expect_theme(page, "light", LIGHT)
    page.wait_for_load_state("networkidle")  # none of them is refused
