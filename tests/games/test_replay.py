"""Stepping through a finished match."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from accounts.models import User
from games import live
from games.models import Match
from games.rules import events
from games.rules.tiles import parse_tile
from tests.browser import positions as at

from .factory import begun, deal, make_match

pytestmark = pytest.mark.django_db

DEALT = deal("6-6 1-0 2-0 2-1 3-0 3-1 3-2", "6-5 6-4 6-3 6-2 6-1 6-0 5-5", "5-4 4-4 0-0")
PLAYED = [
    *begun(DEALT),
    events.Play(seat=0, at=1500, tile=parse_tile("6-6"), arm="open"),
    events.Play(seat=1, at=2500, tile=parse_tile("6-3"), arm="left"),
]
OVER = [*PLAYED, events.Resign(seat=0, at=9000)]


@pytest.fixture
def over(ada: User, bo: User) -> Match:
    """Two tiles were laid, the second for 15 points, then Ada resigned: events 5, 6 and 7."""
    return make_match([ada, bo], OVER)


def step(client: Client, match: Match, at: str) -> str:
    return client.get(match.get_absolute_url(), {"at": at}).content.decode()


def test_a_step_shows_how_it_stood(client: Client, over: Match) -> None:
    html = step(client, over, "5")
    assert "Step 2 of 4" in html
    assert 'data-tiles="6-6"' in html
    assert re.findall(r'<li id="l(\d+)"', html) == ["3", "5"]
    assert html.count('aria-label="six-three"') == 1  # still in the hand of Bo
    assert 'id="previous" rel="nofollow" href="?at=3"' in html
    assert 'id="next" rel="nofollow" href="?at=6"' in html
    html = step(client, over, "6")
    assert 'data-tiles="6-6 6-3"' in html
    assert 'aria-label="six-three"' not in html
    assert "165" in html


def test_the_first_and_the_last_step_lead_no_further(client: Client, over: Match) -> None:
    assert 'id="first" rel="nofollow" aria-disabled="true"' in step(client, over, "3")
    html = step(client, over, "7")
    assert 'id="last" rel="nofollow" aria-disabled="true"' in html
    assert 'id="first" rel="nofollow" href="?at=3"' in html
    assert "resigns" in html


@pytest.mark.parametrize(("asked", "shown"), [("0", 1), ("4", 1), ("99", 4), ("99999999", 4)])
def test_between_steps_the_one_before_is_shown(
    client: Client, over: Match, asked: str, shown: int
) -> None:
    assert f"Step {shown} of 4" in step(client, over, asked)


@pytest.mark.parametrize("asked", ["", "x", "-1", "٣", "1" * 20, "5.0"])
def test_what_is_no_number_leads_to_the_match(client: Client, over: Match, asked: str) -> None:
    answer = client.get(over.get_absolute_url(), {"at": asked})
    assert (answer.status_code, answer["Location"]) == (302, over.get_absolute_url())


def test_a_running_match_shows_no_moment_to_anybody(client: Client, ada: User, bo: User) -> None:
    match = make_match([ada, bo], PLAYED)
    for user in (None, ada, bo):
        if user is not None:
            client.force_login(user)
        answer = client.get(match.get_absolute_url(), {"at": "5"})
        assert (answer.status_code, answer["Location"]) == (302, match.get_absolute_url())
    with pytest.raises(ValueError, match="not over"):
        live.moment(match, lambda _log: 5)


def test_a_drawn_tile_is_told_to_everybody(client: Client, ada: User, bo: User) -> None:
    told = at.must_draw()
    over = events.Resign(seat=0, at=at.last_moment(told) + 1000)
    match = make_match([ada, bo], [*told, over])
    last_draw = max(n for n, event in enumerate(told, 1) if isinstance(event, events.Draw))
    html = step(client, match, str(last_draw))
    assert re.search(r"<title>Step \d+ of \d+: ada draws [a-z-]+\.", html, re.IGNORECASE)


def test_no_search_engine_keeps_every_step(client: Client, over: Match) -> None:
    answer = client.get(over.get_absolute_url(), {"at": "5"})
    assert answer["X-Robots-Tag"] == "noindex, nofollow"


def test_a_match_nobody_began_has_one_step(client: Client, ada: User, bo: User) -> None:
    match = make_match([ada, bo], [events.Void(at=60_000, reason="no_show")])
    html = step(client, match, "1")
    assert "Step 1 of 1" in html
    assert "void" in html


def test_the_way_there_stands_on_the_page_of_the_match(client: Client, over: Match) -> None:
    html = client.get(over.get_absolute_url()).content.decode()
    assert f'href="{over.get_absolute_url()}?at=1"' in html
