"""Pictures of every state, in every size and both themes, for looking at.

    uv run python -m tests.browser.gallery --out DIR [--only PATTERN] [--size 390x844]
        [--theme dark] [--grey]

It starts the site by itself on a scratch database. A picture is named state-size-theme.png;
index.html shows them all.
"""

from __future__ import annotations

import argparse
import html
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page, ViewportSize

    from .stage import State

SIZES = ("1280x800", "1920x1080", "390x844", "844x390")
THEMES = ("light", "dark")


def size_of(text: str) -> ViewportSize:
    """A size written "390x844", in CSS px."""
    width, height = (int(part) for part in text.split("x"))
    return {"width": width, "height": height}


@contextmanager
def scratch_site() -> Iterator[str]:
    """The site on a database and a Redis of its own, and Django set up for both; gives its URL."""
    for name in ("DATABASE_URL", "REDIS_URL"):
        os.environ.pop(name, None)
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import django

    django.setup()
    from django.conf import settings

    from tests.tools import own_redis

    from . import site

    folder = Path(settings.DATA_DIR)
    with (
        own_redis(folder),
        tempfile.TemporaryDirectory() as logs,
        site.running(os.environ, Path(logs) / "log") as started,
    ):
        yield started.url


def shoot(page: Page, state: State, sizes: Sequence[str], themes: Sequence[str], out: Path) -> None:
    """Take the pictures of an open state; a page without a turn is taken to its end."""
    for size in sizes:
        page.set_viewport_size(size_of(size))
        for theme in themes:
            page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
            page.screenshot(path=out / f"{state.name}-{size}-{theme}.png", full_page=not state.turn)


def index(names: Sequence[str], sizes: Sequence[str], themes: Sequence[str]) -> str:
    """A sheet of all pictures, a state in a row."""
    rows = []
    for name in names:
        pictures = "".join(
            f'<a href="{file}"><img src="{file}" alt="{size} {theme}" loading="lazy"></a>'
            for size in sizes
            for theme in themes
            for file in [f"{name}-{size}-{theme}.png"]
        )
        rows.append(f"<h2>{html.escape(name)}</h2><p>{pictures}</p>")
    style = "body{font:15px system-ui;background:#888}img{height:260px;margin:3px;border:1px solid}"
    return (
        f'<!doctype html><meta charset="utf-8"><title>States</title><style>{style}</style>'
        + "\n".join(rows)
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Take the pictures; the status is 1 when a state could not be shown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--out", type=Path, required=True, help="folder for the pictures")
    parser.add_argument("--only", action="append", help="names of states, such as 'play-*'")
    parser.add_argument("--size", action="append", help=f"one of {', '.join(SIZES)}, or any other")
    parser.add_argument("--theme", action="append", choices=THEMES)
    parser.add_argument("--grey", action="store_true", help="as somebody sees it who sees no hue")
    asked = parser.parse_args(arguments)
    asked.out.mkdir(parents=True, exist_ok=True)
    sizes, themes = asked.size or SIZES, asked.theme or THEMES
    with scratch_site() as url:
        from . import site
        from .stage import opened
        from .states import STATES

        names = [n for n in STATES if any(fnmatch(n, only) for only in asked.only or ["*"])]
        from tests.conftest import CHROMIUM

        failed = []
        with site.chromium(CHROMIUM or "chromium") as browser:
            context = browser.new_context(
                base_url=url, viewport=size_of(sizes[0]), reduced_motion="reduce"
            )
            for name in names:
                try:
                    with opened(STATES[name], context, url) as scene:
                        if asked.grey:
                            context.new_cdp_session(scene.page).send(
                                "Emulation.setEmulatedVisionDeficiency", {"type": "achromatopsia"}
                            )
                        shoot(scene.page, STATES[name], sizes, themes, asked.out)
                        if scene.complaints:
                            print(f"{name}: {scene.complaints}", file=sys.stderr)
                except Exception as error:  # noqa: BLE001  # the other states are worth seeing
                    failed.append(name)
                    notes = getattr(error, "__notes__", [])
                    print(f"{name}: {str(error)[:400]}", *notes, sep="\n", file=sys.stderr)
        (asked.out / "index.html").write_text(index(names, sizes, themes))
    print(f"{len(names) - len(failed)} of {len(names)} states in {asked.out}/index.html")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
