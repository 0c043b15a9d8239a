"""What travels at every move stays small, however much lies on the table."""

from __future__ import annotations

import pytest

from games import live
from games.models import Match, Seat
from games.play import Decision, Step
from games.rendering import AS_FRAGMENTS, render_view
from games.rules.match import State, apply
from games.rules.sight import Viewer
from tests.browser import positions

MOST = 8 * 1024  # bytes of a view
NAME = "Maximilian-Alexander"  # as long as a name may be


def fullest() -> tuple[State, Step, int]:
    """The state before the last move of a round with 26 tiles on the table, the move, and the
    number of events before it; the table cannot hold more while somebody plays."""
    told = positions.on_table(26)
    state = State()
    for event in told[:-1]:
        state = apply(state, event)
    last = told[-1]
    return state, Step(last, apply(state, last)), len(told) - 1


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_a_view_of_a_full_table_is_small(viewer: Viewer) -> None:
    _, step, base = fullest()
    match = Match(id="a" * 10, epoch=0, rated=True)
    seats = [Seat(seat=seat, name=NAME, rating=2400, provisional=False) for seat in (0, 1)]
    news = live.News(match.pk, 0, base, Decision((step,), 131_000))
    message = live.message_for(news, viewer, 1000)
    page = live.Page(live.info_of(match, seats), message["view"], message["log"], whole=False)
    assert len(message["view"]["table"]) == 26
    assert len(render_view(AS_FRAGMENTS, "en", page).encode()) < MOST
