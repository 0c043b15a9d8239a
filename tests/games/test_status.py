"""The status page: when time was measured, when not, and the matches that were void for it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from games import status, store, timekeeping, windows
from games.models import Match
from games.rules import events
from games.status import PERIOD, Stretch
from games.timekeeping import Gap
from games.words.moments import length

from .factory import NOW, begun, deal, make_match, make_user, make_window

pytestmark = [pytest.mark.django_db, pytest.mark.no_front]

DEAL = deal("6-6 5-5 4-4 3-3 2-2 1-1 0-0", "6-5 5-4 4-3 3-2 2-1 1-0 6-0")
S, DAY = 1000, 24 * 3600 * 1000


@pytest.fixture(autouse=True)
def now(monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(timekeeping, "now_ms", lambda: NOW)
    return NOW


def text(page: Any) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page.content.decode()).split())


def voided_match(number: int, at: int, begin: int | None = None, end: int | None = None) -> Match:
    """A match created at ``at`` and voided 2 s later because nobody measured its time."""
    users = [make_user(f"ada{number}"), make_user(f"bo{number}")]
    void = events.Void(at=2000, reason="service_failure", begin=begin, end=end)
    return make_match(users, [*begun(DEAL, at=1000), void], now=at)


# What is told


W = tuple[int, int, str]  # opened, last beat, state; ms before now


@pytest.mark.parametrize(
    ("found", "up", "gaps", "stretches"),
    [
        pytest.param([], False, [], [], id="nothing yet"),
        pytest.param([(9 * S, 500, "open")], True, [], [(9 * S, 0, 1, 0)], id="up"),
        pytest.param(
            [(9 * S, 5 * S, "open")], True, [], [(9 * S, 0, 1, 0)], id="a beat is awaited"
        ),
        pytest.param(
            [(9 * S, 5 * S + 1, "open")],
            False,
            [(5 * S + 1, 0)],
            [(9 * S, 5 * S + 1, 1, 1)],
            id="silent",
        ),
        pytest.param(
            [(60 * S, 30 * S, "stopped"), (28 * S, 500, "open")],
            True,
            [(30 * S, 28 * S)],
            [(28 * S, 0, 1, 0), (60 * S, 30 * S, 1, 0)],
            id="restarted",
        ),
        pytest.param(
            [(60 * S, 30 * S, "stopped"), (50 * S, 20 * S, "broken"), (31 * S, 100, "open")],
            True,
            [],
            [(60 * S, 0, 3, 1)],
            id="rolling restart of many",
        ),
        pytest.param(
            [(60 * S, 30 * S, "broken"), (59 * S, 25 * S, "stopped")],
            False,
            [(25 * S, 0)],
            [(60 * S, 25 * S, 2, 1)],
            id="down",
        ),
        pytest.param(
            [(PERIOD + DAY, PERIOD + 5, "broken"), (PERIOD - DAY, 100, "open")],
            True,
            [(PERIOD, PERIOD - DAY)],
            [(PERIOD - DAY, 0, 1, 0)],
            id="down when the period began",
        ),
        pytest.param(
            [(PERIOD + DAY, PERIOD - DAY, "broken"), (PERIOD - DAY - S, 100, "open")],
            True,
            [(PERIOD - DAY, PERIOD - DAY - S)],
            [(PERIOD - DAY - S, 0, 1, 0), (PERIOD, PERIOD - DAY, 1, 1)],
            id="up when the period began",
        ),
    ],
)
def test_what_there_is_to_tell(
    found: list[W],
    up: bool,
    gaps: list[tuple[int, int]],
    stretches: list[tuple[int, int, int, int]],
) -> None:
    for opened, beat, state in found:
        make_window(NOW - opened, NOW - beat, state)
    told = status.status(NOW)
    assert (told.known, told.up) == (bool(found), up)
    assert told.gaps == [Gap(NOW - begin, NOW - end) for begin, end in gaps]
    assert told.stretches == [
        Stretch(NOW - begin, NOW - end, fronts, lost) for begin, end, fronts, lost in stretches
    ]


@pytest.mark.parametrize(
    ("ms", "told"),
    [
        (0, "less than a second"),
        (999, "less than a second"),
        (1000, "1 second"),
        (61_000, "1 minute 1 second"),
        (120_000, "2 minutes"),
        (3_600_000, "1 hour"),
        (3_630_000, "1 hour"),
        (DAY + 2 * 3_600_000 + 5000, "1 day 2 hours"),
    ],
)
def test_how_long_in_words(ms: int, told: str) -> None:
    assert length(ms) == told


# How it is told


@pytest.mark.parametrize(
    ("found", "told"),
    [
        ([], "Nothing has been measured yet"),
        ([(9 * S, 500, "open")], "The service is measuring time"),
        ([(9 * S, 6 * S, "open")], "The service is not measuring time"),
    ],
)
def test_the_page_says_how_it_is_now(client: Client, found: list[W], told: str) -> None:
    for opened, beat, state in found:
        make_window(NOW - opened, NOW - beat, state)
    page = client.get(reverse("status"))
    assert page.status_code == 200
    assert told in text(page)


def test_gaps_and_the_matches_they_voided(client: Client) -> None:
    # NOW is 08:00:00 UTC on January 15th, 2027.
    make_window(NOW - 3600 * S, NOW - 600 * S, "broken")
    make_window(NOW - 562 * S, NOW - 100)
    match = voided_match(1, NOW - 700 * S, begin=100 * S, end=138 * S)
    page = client.get("/status/")
    told = text(page)
    assert "07:50:00 07:50:38 38 seconds" in told
    assert "07:50:38 now 9 minutes 22 seconds 1" in told
    assert "07:00:00 07:50:00 50 minutes 1 1 failed" in told
    assert "ada1 against bo1 07:50:00 07:50:38" in told
    assert f'href="{match.get_absolute_url()}"' in page.content.decode()
    assert "tests" not in told  # the names of the fronts are nobody's business


def test_only_failures_of_the_last_30_days_are_listed(client: Client) -> None:
    make_window(NOW - 3600 * S, NOW)
    voided_match(1, NOW - PERIOD - 3 * S, begin=0, end=1)
    voided_match(2, NOW - PERIOD + 3 * S)  # without its evidence
    left = make_match([make_user("cy"), make_user("di")], now=NOW - 9 * S)
    store.leave(left.pk, left.seats.get(seat=0).user_id or 0, NOW - 5 * S)
    told = text(client.get("/status/"))
    assert "ada2 against bo2 – –" in told
    assert "ada1" not in told
    assert "cy" not in told


def test_the_number_of_queries_does_not_grow_and_long_lists_have_pages(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client.get("/status/")
    for number in range(45):
        make_window(NOW - (200 - 4 * number) * S, NOW - (198 - 4 * number) * S, "stopped")
    for number in range(21):
        voided_match(number, NOW - 100 * S - number * S, begin=0, end=1)
    # windows, the very first one, how many voids, those of the page, their seats
    with django_assert_num_queries(5):
        page = client.get("/status/?windows=2")
    told = text(page)
    assert "Page 1 of 3" in told  # gaps: 44, and the one that lasts
    assert "Page 1 of 2" in told
    assert "Page 2 of 3" in told
    assert "ada0 against" in told
    assert "ada20 against" not in told
    assert 'href="?windows=2&amp;voids=2#voids"' in page.content.decode()
    assert "ada20 against" in text(client.get("/status/?voids=2"))
    assert client.get("/status/?gaps=no&voids=999").status_code == 200


def test_every_page_leads_there(client: Client) -> None:
    assert 'href="/status/"' in client.get("/rules/").content.decode()


def test_the_first_window() -> None:
    assert windows.first_opened() is None
    make_window(5, 6)
    make_window(3, 9)
    assert windows.first_opened() == 3
