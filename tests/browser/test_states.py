"""Every state of every page: nothing keeps people out, everything can be hit, nothing is lost.

One pass goes through all states, in one browser: each is opened once, and looked at in every
size and both themes as it stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from .gallery import SIZES, size_of
from .site import LiveSite
from .stage import State, aside, opened
from .states import STATES
from .world import wipe

HERE = Path(__file__).parent
CHECKS = (HERE / "checks.js").read_text()
AXE = (files("axe_playwright_python") / "axe.min.js").read_text()
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# What Django's own pages of the admin have, and no template of ours can mend.
OF_DJANGO = ("empty-table-header", "aria-prohibited-attr")
# Tablets, and windows between the sizes of the pictures.
BETWEEN = ("1278x800", "1194x834", "1024x768", "905x700", "768x1024", "320x568")
COLOURS = ["color-contrast", "link-in-text-block"]


@pytest.fixture(scope="module")
def context(
    running_site: LiveSite, browser: Browser, django_db_blocker: Any
) -> Iterator[BrowserContext]:
    """One browser for all states, and the database open to them; it is empty afterwards."""
    with django_db_blocker.unblock():
        made = browser.new_context(
            base_url=running_site.url, viewport=size_of(SIZES[0]), reduced_motion="reduce"
        )
        made.set_default_timeout(25_000)
        yield made
        made.close()
        aside(wipe)


def axe(page: Page, only: dict[str, Any]) -> list[str]:
    """What axe finds, a line for each element."""
    found = page.evaluate(
        "only => axe.run(document, {runOnly: only, resultTypes: ['violations']})", only
    )
    return [
        f"{violation['id']}: {' '.join(map(str, node['target']))}: {_why(node)}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]


def _why(node: dict[str, Any]) -> str:
    checks = [*node["any"], *node["all"], *node["none"]]
    return "; ".join(check["message"] for check in checks)


def faults_of(page: Page, state: State) -> list[str]:
    """Everything that is wrong with an open state."""
    page.evaluate(AXE)
    found = axe(page, {"type": "tag", "values": RULES})
    if state.name.startswith("admin-"):
        found = [line for line in found if not line.startswith(OF_DJANGO)]
    faults = [f"light: {line}" for line in found]
    page.emulate_media(color_scheme="dark")
    faults += [f"dark: {line}" for line in axe(page, {"type": "rule", "values": COLOURS})]
    for size in SIZES:
        page.set_viewport_size(size_of(size))
        faults += page.evaluate(CHECKS, [size, state.turn])
    return faults


@pytest.mark.chromium
@pytest.mark.parametrize("name", STATES)
def test_state(name: str, context: BrowserContext, running_site: LiveSite) -> None:
    with opened(STATES[name], context, running_site.url) as scene:
        faults = [*scene.complaints, *faults_of(scene.page, STATES[name])]
    assert not faults, "\n".join(["", *faults])


@pytest.mark.chromium
def test_what_to_do_can_be_read_at_any_width(
    context: BrowserContext, running_site: LiveSite
) -> None:
    state = STATES["play-four-ends-long-names-away"]
    faults: list[str] = []
    with opened(state, context, running_site.url) as scene:
        for size in BETWEEN:
            scene.page.set_viewport_size(size_of(size))
            faults += scene.page.evaluate(CHECKS, [size, True])
    assert not faults, "\n".join(["", *faults])


@pytest.mark.chromium
def test_zoomed_in_far_nothing_is_lost(context: BrowserContext, running_site: LiveSite) -> None:
    state = STATES["play-four-ends-long-names-away"]
    with opened(state, context, running_site.url) as scene:
        scene.page.set_viewport_size(size_of("320x256"))  # 1280x1024 at 400 %
        assert scene.page.evaluate(CHECKS, ["320x256", False]) == []
        drawn = scene.page.locator("#drawn").bounding_box()
        assert drawn
        assert min(drawn["width"], drawn["height"]) > 100
