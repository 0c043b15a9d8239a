"""The real site and a real browser, each for as long as a block of code lasts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from accounts.models import User
from tests.sessions import new_session
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
PATIENCE_MS = 25_000  # a busy machine is slow, and nothing is asserted of that


@dataclass(frozen=True)
class LiveSite:
    """A running site: where it is, and the environment its programs run in."""

    url: str
    env: dict[str, str]


@contextmanager
def running(env: Mapping[str, str], log: Path) -> Iterator[LiveSite]:
    """Everything `up` starts, on the data and Redis of ``env``; what it says goes to ``log``."""
    port = free_port()
    site = LiveSite(
        f"http://127.0.0.1:{port}",
        {
            "SERVICE_TOLERANCE": "30",  # a pause of a busy machine is no outage to these tests
            **env,
            "DJANGO_SETTINGS_MODULE": "spectacular.settings",
            "LOG_LEVEL": "WARNING",
        },
    )
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "up", "--port", str(port)],
            cwd=settings.BASE_DIR,
            env=site.env,
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


@contextmanager
def chromium(path: str) -> Iterator[Browser]:
    """Chromium, headless. Playwright's loop runs in this thread as long as it does."""
    before = os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
            yield browser
            browser.close()
    finally:
        if before is None:
            del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


def sign_in(context: BrowserContext, user: User, url: str) -> None:
    """Give ``context`` a session of ``user``."""
    give_session(context, new_session(user), url)


def give_session(context: BrowserContext, session: str, url: str) -> None:
    """Let ``context`` have the session with this key."""
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": url}])


def listen(page: Page, url: str, complain: Callable[[str], None]) -> None:
    """Tell ``complain`` what the page logs as an error, raises, or asks of another host."""

    def asked(address: str) -> None:
        if urlsplit(address).netloc not in {urlsplit(url).netloc, ""}:
            complain(f"asked another host: {address}")

    page.on("request", lambda request: asked(request.url))
    page.on("pageerror", lambda error: complain(f"raised: {error}"))
    page.on(
        "console",
        lambda line: complain(f"logged: {line.text}") if line.type == "error" else None,
    )
