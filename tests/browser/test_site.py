"""The site as a whole comes up in a browser."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from accounts.models import User


def test_home_page_shows_a_signed_in_player(
    new_page: Callable[..., Page], make_user: Callable[[str], User]
) -> None:
    page = new_page(make_user("Ada"))
    page.goto("/")
    expect(page.locator("body")).to_contain_text("Ada")


def test_sign_up_sign_out_sign_in(new_page: Callable[..., Page]) -> None:
    page = new_page()
    page.goto("/accounts/signup/")
    page.locator("[name=username]").fill("Bo")
    page.locator("[name=email]").fill("bo@example.com")
    page.locator("[name=password1]").fill("a long password")
    page.locator("[name=password1]").press("Enter")
    page.wait_for_url("**/")
    assert User.objects.get().username == "Bo"

    page.goto("/accounts/logout/")
    page.locator("main form button, main form [type=submit]").first.click()
    page.wait_for_url("**/")
    page.goto("/accounts/login/")
    page.locator("[name=login]").fill("BO")
    page.locator("[name=password]").fill("a long password")
    page.locator("[name=password]").press("Enter")
    page.wait_for_url("**/")
    expect(page.locator("body")).to_contain_text("Bo")
