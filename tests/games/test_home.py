"""The home page of whoever is signed out: what a stranger is told, and asked to do."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import timekeeping, watch
from games.models import RestartNotice
from ratings.models import ESTABLISHED, Rating
from tests.games.factory import begun, deal, make_match, make_user, make_window
from tests.staff import text

pytestmark = pytest.mark.django_db

DEALT = deal("6-6 1-0 2-0 2-1 3-0 3-1 3-2", "6-5 6-4 6-3 6-2 6-1 6-0 5-5", "5-4 4-4 0-0")


def ranked(name: str, value: int, matches: int = ESTABLISHED) -> None:
    Rating.objects.create(
        user=make_user(name),
        value=value,
        matches=matches,
        won=matches,
        lost=0,
        peak=value,
        last_played=timezone.now(),
    )


def ladder(client: Client) -> list[tuple[str, str, str]]:
    """Rank, name and rating of each line."""
    page = client.get("/").content.decode()
    _before, _title, part = page.partition('id="ladder-top"')
    rows = re.findall(r"<tr><td.*?</tr>", part, re.DOTALL)
    cells = (re.sub(r"<[^>]+>", " ", row).split() for row in rows)
    return [(rank, name, rating) for rank, name, rating in cells]


def play(first: str, second: str) -> None:
    now = timekeeping.now_ms()
    make_window(now - 60_000, now)
    make_match([make_user(first), make_user(second)], begun(DEALT), now=now - 2000)
    watch.forget()


def test_a_stranger_finds_every_way_in(client: Client) -> None:
    page = client.get("/")
    for way in ("/accounts/signup/", "/accounts/login/", "/watch/", "/rules/"):
        assert f'href="{way}"' in page.content.decode().partition("<main")[2].partition("</main")[0]
    signed_up = client.post(
        "/accounts/signup/",
        {"username": "Bo", "email": "bo@example.org", "password1": "a long pass-word-9"},
    )
    assert signed_up.headers["Location"] == "/"
    assert "lobby/lobby.html" in [each.name for each in client.get("/").templates]


def test_the_live_match_or_a_still(client: Client) -> None:
    page = client.get("/")
    assert 'class="picture"' in page.content.decode()
    assert "Nobody is playing at the moment." in text(page)
    play("Ada", "Bo")
    page = client.get("/")
    assert 'class="picture"' not in page.content.decode()
    assert "Watch this match" in text(page)


def test_the_top_of_the_ladder(client: Client) -> None:
    for name, value in (("C1", 1700), ("B1", 1800), ("A1", 1900), ("B2", 1800), ("D1", 1600)):
        ranked(name, value)
    ranked("E1", 1500)
    ranked("new", 2000, ESTABLISHED - 1)
    assert ladder(client) == [
        ("1", "A1", "1900"),
        ("2", "B1", "1800"),
        ("2", "B2", "1800"),
        ("4", "C1", "1700"),
        ("5", "D1", "1600"),
    ]


def test_a_ladder_without_anybody(client: Client) -> None:
    ranked("new", 2000, ESTABLISHED - 1)
    assert ladder(client) == []
    assert "Nobody is ranked yet: the first player with 10 rated matches" in text(client.get("/"))


def test_it_takes_as_many_queries_however_much_there_is(client: Client) -> None:
    client.get("/")  # that no restart is announced is remembered
    counts = []
    for busy in (False, True):
        if busy:
            for n in range(8):
                ranked(f"p{n}", 1500 + n)
            play("Cy", "Dora")
        else:
            ranked("first", 1500)
            play("Ada", "Bo")
        with CaptureQueriesContext(connection) as asked:
            client.get("/")
        counts.append(len(asked))
    assert counts[0] == counts[1] <= 6


def test_an_announced_restart_is_told(client: Client) -> None:
    RestartNotice.objects.create(text="Back at eight.")
    assert "Back at eight." in text(client.get("/"))
