"""The pictures and tables of the rules page: what they show is what the rules make of it."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from games.figures import figure, played, shown
from games.figures.positions import BLOCKS, POSITIONS, STORIES
from games.rules.match import Phase, legal
from games.words import tile_name
from tests.rules.reference import count_of, ends_of
from tests.rules.scenario import DATA

COUNTS: dict[str, list[Any]] = json.loads((DATA / "counts.json").read_text())

# Which known sequence a figure is the beginning of, and how many plays of it are laid.
KNOWN = {
    "opening": ("V01", 1),
    "zero": ("V02", 1),
    "spinner": ("V13", 1),
    "main_arms": ("V13", 3),
    "one_arm": ("V14", 2),
    "side_arm": ("V14", 6),
    "late_spinner": ("V16", 2),
    "late_spinner_taken": ("V16", 3),
    "joined": ("V18", 2),
    "no_score": ("V18", 4),
    "score": ("V18", 5),
    "later_double": ("V23", 3),
}

# What the captions say, reckoned by hand.
SUMS = {
    "opening": "6 + 4 = 10: the opponent pays 10",
    "joined": "1 + 5 = 6: no multiple of five",
    "spinner": "5 + 5 = 10: the opponent pays 10",
    "one_arm": "3 + 10 = 13: no multiple of five",
    "main_arms": "2 + 3 = 5: the opponent pays 5",
    "side_arm": "6 + 8 + 6 = 20: the opponent pays 20",
    "four_arms": "6 + 2 + 6 + 1 = 15: the opponent pays 15",
    "later_double": "8 + 12 = 20: the opponent pays 20",
    "late_spinner": "8 + 2 = 10: the opponent pays 10",
    "late_spinner_taken": "3 + 2 = 5: the opponent pays 5",
    "zero": "0 + 0 = 0: zero pays nothing",
    "no_score": "4 + 3 = 7: no multiple of five",
    "score": "4 + 1 = 5: the opponent pays 5",
    "going_out": "2 + 4 + 5 + 4 = 15: the opponent pays 15",
}


def laid(name: str) -> list[tuple[str, str]]:
    return [(str(tile), arm) for tile, arm in played.plays(POSITIONS[name])]


@pytest.mark.parametrize("name", KNOWN)
def test_a_figure_counts_and_pays_what_is_known_of_its_plays(name: str) -> None:
    sequence, length = KNOWN[name]
    rows = COUNTS[sequence][:length]
    assert laid(name) == [(tile, arm) for tile, arm, _count, _paid in rows]
    assert [figure(name).count, figure(name).paid] == rows[-1][2:]


@pytest.mark.parametrize("name", POSITIONS)
def test_a_figure_has_the_ends_of_the_reference(name: str) -> None:
    assert figure(name).view["ends"] == ends_of(laid(name))
    assert figure(name).count == count_of(laid(name))


@pytest.mark.parametrize("name", SUMS)
def test_a_caption_tells_sum_and_payment(name: str) -> None:
    assert figure(name).told.startswith(SUMS[name])


@pytest.mark.parametrize("name", POSITIONS)
def test_a_figure_draws_every_tile_and_every_end(name: str) -> None:
    shown_figure = figure(name)
    drawn = [tile for sheet in shown_figure.drawing.sheets for tile in sheet.tiles]
    assert sorted(tile.key for tile in drawn) == sorted(
        tile.replace("-", "") for tile, _arm in laid(name)
    )
    assert [tile.key for tile in drawn if tile.last] == [laid(name)[-1][0].replace("-", "")]
    counts = sorted(int(mark.what) for mark in shown_figure.drawing.ends)
    assert counts == sorted(end["count"] for end in ends_of(laid(name)).values())


@pytest.mark.parametrize("name", POSITIONS)
def test_a_figure_shows_all_it_draws(name: str) -> None:
    drawing = figure(name).drawing
    left, top, width, height = (float(edge) for edge in drawing.viewbox.split())
    places = [
        _turned(tile.x, tile.y, sheet.turn) for sheet in drawing.sheets for tile in sheet.tiles
    ]
    places += [_moved(mark.transform) for mark in drawing.ends]
    for x, y in places:
        assert left + 0.5 < x < left + width - 0.5
        assert top + 0.5 < y < top + height - 0.5


def _turned(x: str, y: str, turn: int) -> tuple[float, float]:
    across, down = float(x or 0), float(y or 0)
    return {
        0: (across, down),
        90: (-down, across),
        180: (-across, -down),
        270: (down, -across),
    }[turn]


def _moved(transform: str) -> tuple[float, float]:
    found = re.match(r"translate\((\S+) (\S+)\)", transform)
    assert found
    return float(found[1]), float(found[2])


@pytest.mark.parametrize("name", POSITIONS)
def test_a_figure_is_large_enough_on_a_phone(name: str) -> None:
    """A half tile has at least 20 px where a page of 390 px leaves 338 to the figure."""
    wide = float(figure(name).drawing.viewbox.split()[2])
    assert min(figure(name).width, 338) / wide >= 20


@pytest.mark.parametrize("name", POSITIONS)
def test_a_figure_is_told_in_words(name: str) -> None:
    alt = figure(name).alt
    assert f"The count is {figure(name).count}." in alt
    if len(laid(name)) <= shown.LONG:
        assert [tile for tile, _arm in laid(name) if tile_name(tile) not in alt] == []


def test_going_out_ends_the_round_and_adds_nothing() -> None:
    state = played.play(POSITIONS["going_out"])
    assert (state.phase, state.jockey, state.hands[0]) == (Phase.ROUND_OVER, 0, ())
    assert state.transfer
    assert state.transfer.points == state.table.count == 15
    assert [held.sum for held in figure("going_out").hands] == [0, 10]


def test_the_blocked_table_is_blocked() -> None:
    state = played.play(POSITIONS["blocked"])
    assert state.phase is Phase.ROUND_OVER
    assert state.jockey is None
    assert not state.boneyard
    assert [
        arm for hand in state.hands for tile in hand for arm in state.table.arms_for(tile)
    ] == []
    shown_block = shown.blocked(state)
    assert [held.sum for held in shown_block.hands] == [4, 18]
    assert shown_block.paid == 20


@pytest.mark.parametrize(
    ("name", "sums", "paid", "told"),
    [
        ("rounded_up", [4, 18], 20, "receives 20 points"),
        ("rounded_down", [4, 17], 15, "receives 15 points"),
        ("equal", [6, 6], 0, "nothing is paid"),
    ],
)
def test_blocks_pay_by_the_rules(name: str, sums: list[int], paid: int, told: str) -> None:
    first, second = (played.tiles(text) for text in BLOCKS[name])
    block = shown.blocked(played.block((first, second)))
    assert [held.sum for held in block.hands] == sums
    assert block.paid == paid
    assert told in block.told


@pytest.mark.parametrize(
    ("name", "prices", "balances", "opens"),
    [
        ("jockey_wins", [15, 5, 5], (145, 155), 0),
        ("opponent_wins", [15, 5, 25, 25], (175, 125), 1),
        ("nobody_bids", [None], (150, 150), 0),
    ],
)
def test_auctions_end_by_the_rules(
    name: str, prices: list[int | None], balances: tuple[int, int], opens: int
) -> None:
    steps, state = played.auctioned(STORIES[name])
    assert [step.price for step in steps] == prices
    assert state.phase is Phase.OPENING
    assert (state.chips, state.to_act) == (balances, opens)
    assert len(legal(state)) == 7  # with any tile
    assert shown.story(name).end.startswith("The jockey" if opens == 0 else "The opponent")


def test_tables_of_figures() -> None:
    context = shown.context()
    assert [(price.bid, price.sum, price.opponent) for price in context["prices"]] == [
        (15, "15 − 15 = 0", 15),
        (20, "20 − 15 = 5", 20),
        (25, "25 − 15 = 10", 25),
        (30, "30 − 15 = 15", 30),
        (45, "45 − 15 = 30", 45),
    ]
    assert [(room.balance, room.opponent, room.jockey) for room in context["rooms"]] == [
        (150, "15 to 150", "20 to 165"),
        (20, "15 to 20", "20 to 35"),
        (15, "15 only", "20 to 30"),
        (10, "must decline", "20 to 25"),
        (5, "must decline", "20 only"),
    ]
    assert context["roundings"] == [
        (1, 0),
        (2, 0),
        (3, 5),
        (12, 10),
        (13, 15),
        (17, 15),
        (18, 20),
    ]
    assert [lost for _taken, lost in context["decisions"]] == [
        "0 seconds",
        "0 seconds",
        "3 seconds",
        "20 seconds",
    ]
    assert context["counter_rows"] == [(150, 150, 30), (165, 135, 33)]
