"""A page comes quickly over a slow line: what the first load of a match takes, as it travels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

from accounts.models import User

from . import positions
from .table import live
from .test_match import stored

MOST = 150 * 1024  # bytes, compressed as they are served


def test_the_first_load_of_a_match_is_light(
    new_page: Callable[..., Page],
    make_user: Callable[[str], User],
    report: Callable[[str], None],
) -> None:
    ada, bo = make_user("Ada"), make_user("Bo")
    match = stored([ada, bo], positions.on_table(26), seconds_ago=2)
    page = new_page(bo)
    parts: dict[str, str] = {}
    sizes: dict[str, float] = {}
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")

    def answered(event: dict[str, Any]) -> None:
        parts[event["requestId"]] = event["response"]["url"]

    def arrived(event: dict[str, Any]) -> None:
        sizes[event["requestId"]] = event["encodedDataLength"]

    network.on("Network.responseReceived", answered)
    network.on("Network.loadingFinished", arrived)
    page.goto(match.get_absolute_url())
    live(page)
    found = {parts[key].rpartition("/")[2] or "the page": size for key, size in sizes.items()}
    total = sum(found.values())
    report(f"first load of a match: {total / 1024:.1f} KB in {len(found)} answers")
    assert any(".js" in name for name in found)
    assert total < MOST, sorted(found.items(), key=lambda item: -item[1])
