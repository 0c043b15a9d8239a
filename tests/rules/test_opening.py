"""R3: who opens, and with what."""

from __future__ import annotations

import pytest

from .scenario import Match, by_text

HIGH = ["6-5", "6-4", "5-4", "6-3", "6-2", "6-6", "5-5", "4-4", "3-3", "2-2", "1-1", "0-0"]


def opening(match: Match) -> tuple[int, str]:
    """The seat and the tile of a ranked opening."""
    state = match.state
    assert state["phase"] == "opening"
    (answer,) = state["legal"]
    assert answer["do"] == "play"
    assert answer["arm"] == "open"
    return state["to_act"], answer["tile"]


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    ("mine", "theirs", "tile"),
    [
        ("6-6 5-5", "4-4", "6-6"),
        ("5-5", "4-4 3-3 6-5", "5-5"),
        ("1-1", "0-0 6-5", "1-1"),
        ("0-0", "6-5 6-4", "0-0"),
        ("2-2 1-1 0-0", "6-5", "2-2"),
    ],
)
def test_r3_1_the_highest_double_opens(seat: int, mine: str, theirs: str, tile: str) -> None:
    hands = (mine, theirs) if seat == 0 else (theirs, mine)
    match = Match().deal(*hands).start()
    assert opening(match) == (seat, tile)
    match.play(seat, tile, "open")
    assert match.state["to_act"] == 1 - seat


def test_r3_1_no_other_tile_may_open() -> None:
    match = Match().deal("6-6 5-5 6-5", "4-4").start()
    for tile in ("5-5", "6-5"):
        match.refused("play", "must_open_with", seat=0, tile=tile, arm="open")
    match.refused("play", "not_your_turn", seat=1, tile="4-4", arm="open")
    match.refused("play", "not_in_hand", seat=0, tile="4-4", arm="open")
    for arm in ("left", "right", "up", "down"):
        match.refused("play", seat=0, tile="6-6", arm=arm)


def test_r3_1_a_lone_0_0_is_the_highest_double() -> None:
    match = Match().deal("6-5 6-4 5-4", "0-0").start()
    assert opening(match) == (1, "0-0")
    state = match.play(1, "0-0", "open").state
    assert state["count"] == 0
    assert state["transfer"] is None
    assert state["ends"] == {"left": {"value": 0, "count": 0}, "right": {"value": 0, "count": 0}}


def test_r3_1_after_a_block_the_highest_double_opens_again() -> None:
    match = Match().first_round("block_tie")
    assert match.state["jockey"] is None
    match.deal("3-3 6-5", "4-4").go_on()
    assert opening(match) == (1, "4-4")
    assert match.state["bid"] is None
    for do in ("accept", "decline"):
        match.refused(do, "wrong_phase", seat=1)
    match.refused("bid", "wrong_phase", seat=1, points=15)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    ("mine", "theirs", "tile"),
    [
        ("6-5", "6-4", "6-5"),
        ("6-4", "5-4 6-2", "6-4"),
        # Equal sums: the larger higher half.
        ("6-3", "5-4", "6-3"),
        ("6-3 5-4", "6-2", "6-3"),
    ],
)
def test_r3_2_without_a_double_the_largest_sum_opens(
    seat: int, mine: str, theirs: str, tile: str
) -> None:
    hands = (mine, theirs) if seat == 0 else (theirs, mine)
    named = (mine + " " + theirs).split()
    away = [name for name in HIGH if name not in named]
    match = Match().deal(*hands, " ".join(away)).start()
    assert opening(match) == (seat, tile)
    match.play(seat, tile, "open")


@pytest.mark.parametrize("seat", [0, 1])
def test_r3_2_equal_sums_of_lower_tiles(seat: int) -> None:
    """[6|1], [5|2] and [4|3] sum to 7 and nothing dealt sums to more."""
    mine, theirs = "6-1 2-0 3-0 4-0 5-0 6-0 2-1", "5-2 4-3 3-1 4-1 5-1 3-2 4-2"
    hands = (mine, theirs) if seat == 0 else (theirs, mine)
    match = Match().deal(*hands).start()
    assert opening(match) == (seat, "6-1")


def test_reading_9_the_boneyard_does_not_count_for_the_opening() -> None:
    match = Match().deal("1-1", "", "6-6 5-5 4-4 3-3 2-2 6-5").start()
    assert opening(match) == (0, "1-1")


def test_r3_3_after_somebody_went_out_there_is_an_auction() -> None:
    match = Match().jockey(0).deal("6-6", "5-5").go_on()
    assert match.state["phase"] == "auction"
    assert match.state["to_act"] == 1
    match.refused("play", "wrong_phase", seat=1, tile="5-5", arm="open")


def test_r3_3_whoever_opens_after_an_auction_opens_with_any_tile() -> None:
    match = Match().jockey(0).deal("6-6", "5-5").go_on().decline(1)
    state = match.state
    assert state["phase"] == "opening"
    assert state["to_act"] == 0
    assert by_text(state["legal"]) == by_text(
        {"do": "play", "tile": tile, "arm": "open"} for tile in state["hands"][0]
    )
    for tile in state["hands"][0]:
        again = Match().jockey(0).deal("6-6", "5-5").go_on().decline(1)
        assert again.play(0, tile, "open").state["to_act"] == 1


def test_r3_4_the_opening_tile_scores_like_any_other() -> None:
    match = Match().deal("5-5").start().play(0, "5-5", "open")
    assert match.state["transfer"] == {"from": 1, "to": 0, "points": 10, "for": "ends"}
    assert match.state["chips"] == [160, 140]
    match = Match().jockey(0).deal("6-4").go_on().decline(1).play(0, "6-4", "open")
    assert match.state["count"] == 10
    assert match.state["chips"] == [160, 140]
    match = Match().jockey(0).deal("6-5").go_on().decline(1).play(0, "6-5", "open")
    assert match.state["transfer"] is None


def test_r6_1_the_opening_offers_no_draw_and_no_pass() -> None:
    match = Match().deal("6-6").start()
    match.refused("draw", seat=0)
    match.refused("pass", seat=0)
