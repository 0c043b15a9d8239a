"""Real browsers in front of the real site: web server, worker and beat in processes of their own.

The site runs on the test run's database and Redis, so a test may prepare rows with the ORM, give
a browser a signed-in session, and look at the rows afterwards.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import pytest
from django.db import connection
from playwright.sync_api import Browser, BrowserContext, Page, expect

from accounts.models import User
from games.models import ServiceWindow
from tests.conftest import CHROMIUM, on_postgres

from . import site
from .site import PATIENCE_MS, LiveSite, sign_in

expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="package")
def running_site(
    django_db_setup: None,
    django_db_blocker: Any,
    redis_server: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[LiveSite]:
    """Start everything `up` starts, once for all browser tests."""
    env = {**os.environ, "REDIS_URL": redis_server}
    if on_postgres():
        name = str(connection.settings_dict["NAME"])
        parts = urlsplit(os.environ["DATABASE_URL"])
        env["DATABASE_URL"] = urlunsplit(parts._replace(path=f"/{name}"))
    try:
        with site.running(env, tmp_path_factory.mktemp("site") / "log") as started:
            yield started
    finally:
        with django_db_blocker.unblock():  # it closed its window after the last clean-up
            ServiceWindow.objects.all().delete()


@pytest.fixture
def live_site(running_site: LiveSite, transactional_db: None) -> LiveSite:
    """The running site, on a database that is emptied after the test."""
    return running_site


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium, headless. Playwright's loop runs in this thread as long as it does."""
    if CHROMIUM is None:
        pytest.fail("REAL_PARTS=required, but there is no chromium on the PATH")
    with site.chromium(CHROMIUM) as started:
        yield started


@pytest.fixture
def complaints() -> list[str]:
    """What the browsers of this test complained about; a test may take out what it expects."""
    return []


@pytest.fixture
def new_page(
    live_site: LiveSite, browser: Browser, complaints: list[str]
) -> Iterator[Callable[..., Page]]:
    """Make pages of browsers of their own: ``new_page(user)``, ``new_page()`` signed out.

    Keyword arguments go to the browser's context (``viewport=…``, ``has_touch=True``). Whatever
    a page logs as an error, raises, or asks of another host fails the test.
    """
    contexts: list[BrowserContext] = []

    def make(user: User | None = None, **options: Any) -> Page:
        context = browser.new_context(base_url=live_site.url, **options)
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        if user is not None:
            sign_in(context, user, live_site.url)
        page = context.new_page()
        site.listen(page, live_site.url, complaints.append)
        return page

    yield make
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def make_user(live_site: LiveSite) -> Callable[[str], User]:
    """Make players: ``make_user("Ada")``, with the password ``a long password``."""

    def make(name: str) -> User:
        return User.objects.create_user(name, f"{name.lower()}@example.com", "a long password")

    return make
