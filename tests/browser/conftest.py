"""Real browsers in front of the real site: web server, worker and beat in processes of their own.

The site runs on the test run's database and Redis, so a test may prepare rows with the ORM, give
a browser a signed-in session, and look at the rows afterwards.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import pytest
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.db import connection
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from accounts.models import User
from games.models import ServiceWindow
from tests.conftest import CHROMIUM, on_postgres
from tests.tools import free_port, wait_until

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE_MS = 25_000
expect.set_options(timeout=PATIENCE_MS)  # a busy machine is slow, and nothing is asserted of that


@dataclass(frozen=True)
class LiveSite:
    """A running site: where it is, and the environment its programs run in."""

    url: str
    env: dict[str, str]


@pytest.fixture(scope="package")
def running_site(
    django_db_setup: None,
    django_db_blocker: Any,
    redis_server: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[LiveSite]:
    """Start everything `up` starts, once for all browser tests."""
    port = free_port()
    env = {
        "SERVICE_TOLERANCE": "30",  # a pause of a busy machine is no outage to these tests
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "spectacular.settings",
        "REDIS_URL": redis_server,
        "LOG_LEVEL": "WARNING",
    }
    if on_postgres():
        name = str(connection.settings_dict["NAME"])
        parts = urlsplit(os.environ["DATABASE_URL"])
        env["DATABASE_URL"] = urlunsplit(parts._replace(path=f"/{name}"))
    log = tmp_path_factory.mktemp("site") / "log"
    site = LiveSite(f"http://127.0.0.1:{port}", env)
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "up", "--port", str(port)],
            cwd=settings.BASE_DIR,
            env=env,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            wait_until(lambda: process.poll() is not None or "Ctrl-C" in log.read_text(), 60)
            assert process.poll() is None, log.read_text()
            yield site
            assert process.poll() is None, log.read_text()
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(30)
            sys.stdout.write(log.read_text())
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
    before = os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    try:
        with sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
            yield chromium
            chromium.close()
    finally:
        if before is None:
            del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


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
        _listen(page, complaints, live_site.url)
        return page

    yield make
    for context in contexts:
        context.close()
    assert complaints == []


def sign_in(context: BrowserContext, user: User, url: str) -> None:
    """Give ``context`` a session of ``user``, as if they had signed in."""
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    context.add_cookies(
        [{"name": settings.SESSION_COOKIE_NAME, "value": session.session_key or "", "url": url}]
    )


def _listen(page: Page, complaints: list[str], url: str) -> None:
    def asked(address: str) -> None:
        if urlsplit(address).netloc not in {urlsplit(url).netloc, ""}:
            complaints.append(f"asked another host: {address}")

    page.on("request", lambda request: asked(request.url))
    page.on("pageerror", lambda error: complaints.append(f"raised: {error}"))
    page.on(
        "console",
        lambda line: complaints.append(f"logged: {line.text}") if line.type == "error" else None,
    )


@pytest.fixture
def make_user(live_site: LiveSite) -> Callable[[str], User]:
    """Make players: ``make_user("Ada")``, with the password ``a long password``."""

    def make(name: str) -> User:
        return User.objects.create_user(name, f"{name.lower()}@example.com", "a long password")

    return make
