"""R4 and R5: where tiles may lie, and what the ends count."""

from __future__ import annotations

from typing import Any

import pytest

from .scenario import Match, by_text


def free(hand0: str, hand1: str, *laid: str) -> Match:
    """Seat 0 opens a second round freely, at 150 points each."""
    return Match().jockey(0).deal(hand0, hand1).go_on().decline(1).plays(0, *laid)


def ends(match: Match) -> dict[str, tuple[int, int]]:
    """Value and count of each open end."""
    state = match.state
    assert state["count"] == sum(end["count"] for end in state["ends"].values())
    return {arm: (end["value"], end["count"]) for arm, end in state["ends"].items()}


def offered(match: Match) -> set[tuple[str, str]]:
    return {(a["tile"], a["arm"]) for a in match.state["legal"] if a["do"] == "play"}


def test_r4_1_a_tile_joins_an_end_of_its_value() -> None:
    match = free("6-4", "6-1 4-1 2-1", "6-4 open")
    match.refused("play", "does_not_fit", seat=1, tile="6-1", arm="right")
    match.refused("play", "does_not_fit", seat=1, tile="4-1", arm="left")
    match.refused("play", "does_not_fit", seat=1, tile="2-1", arm="left")
    match.play(1, "6-1", "left")
    assert ends(match) == {"left": (1, 1), "right": (4, 4)}


def test_r4_1_the_other_half_becomes_the_end_whichever_is_higher() -> None:
    match = free("6-4 5-1", "6-1 5-4", "6-4 open", "6-1 left", "5-1 left", "5-4 right")
    assert ends(match) == {"left": (5, 5), "right": (5, 5)}


def test_r4_1_the_sides_of_the_table_are_no_ends_before_a_spinner() -> None:
    match = free("6-4", "6-1 4-1", "6-4 open")
    for arm in ("up", "down", "open"):
        match.refused("play", seat=1, tile="6-1", arm=arm)


def test_r4_2_the_opening_double_is_the_spinner() -> None:
    match = free("5-5 3-3", "5-3 5-1 5-0", "5-5 open", "5-3 left", "3-3 left", "5-1 right")
    assert set(ends(match)) == {"left", "right", "up", "down"}
    assert ends(match)["up"] == (5, 0)
    assert ends(match)["down"] == (5, 0)


def test_r4_2_a_later_double_is_the_spinner_if_it_is_the_first() -> None:
    match = free("5-3 6-3", "3-3 5-5", "5-3 open", "3-3 right", "6-3 right", "5-5 left")
    assert ends(match) == {"left": (5, 10), "right": (6, 6), "up": (3, 0), "down": (3, 0)}


def test_r4_2_no_other_double_ever_branches() -> None:
    match = free("5-5 3-3 5-2", "5-3 3-1 5-1 3-0", "5-5 open", "5-3 left", "3-3 left", "3-1 left")
    assert ends(match) == {"left": (1, 1), "right": (5, 10)}
    match.play(0, "5-2", "right")
    assert ends(match) == {"left": (1, 1), "right": (2, 2), "up": (5, 0), "down": (5, 0)}
    for arm in ("up", "down"):
        match.refused("play", "does_not_fit", seat=1, tile="3-0", arm=arm)


def test_r4_3_side_arms_open_only_when_both_main_arms_are_taken() -> None:
    match = free("5-5 5-2", "5-3 5-1", "5-5 open", "5-3 left")
    assert set(ends(match)) == {"left", "right"}
    for arm in ("up", "down"):
        match.refused("play", "no_such_end", seat=0, tile="5-2", arm=arm)
    match.play(0, "5-2", "right")
    assert set(ends(match)) == {"left", "right", "up", "down"}
    match.play(1, "5-1", "up")
    assert ends(match) == {"left": (3, 3), "right": (2, 2), "up": (1, 1), "down": (5, 0)}


def test_r4_3_no_side_arm_beside_a_lone_spinner() -> None:
    match = free("5-5", "5-3", "5-5 open")
    for arm in ("up", "down"):
        match.refused("play", "no_such_end", seat=1, tile="5-3", arm=arm)


def test_r4_4_a_later_spinner_has_one_main_arm_taken() -> None:
    match = free("5-3 3-2 5-1", "3-3", "5-3 open", "3-3 right")
    assert ends(match) == {"left": (5, 5), "right": (3, 6)}
    match.refused("play", "no_such_end", seat=0, tile="3-2", arm="up")
    match.play(0, "3-2", "right")
    assert ends(match) == {"left": (5, 5), "right": (2, 2), "up": (3, 0), "down": (3, 0)}


def test_r4_4_a_play_at_the_far_end_does_not_open_its_sides() -> None:
    match = free("5-3 5-1", "3-3 3-2", "5-3 open", "3-3 right", "5-1 left")
    assert set(ends(match)) == {"left", "right"}
    match.refused("play", "no_such_end", seat=1, tile="3-2", arm="down")


def test_r4_4_a_spinner_on_the_left() -> None:
    match = free("5-3 5-4", "5-5 5-0", "5-3 open", "5-5 left")
    assert ends(match) == {"left": (5, 10), "right": (3, 3)}
    match.play(0, "5-4", "left")
    assert ends(match) == {"left": (4, 4), "right": (3, 3), "up": (5, 0), "down": (5, 0)}
    match.play(1, "5-0", "down")
    assert ends(match) == {"left": (4, 4), "right": (3, 3), "up": (5, 0), "down": (0, 0)}


@pytest.mark.parametrize("order", [("up", "down"), ("down", "up")])
def test_r4_5_side_arms_are_opened_in_either_order(order: tuple[str, str]) -> None:
    match = free("5-5 5-2 5-0", "5-3 5-1 5-4", "5-5 open", "5-3 left", "5-2 right")
    match.play(1, "5-1", order[0])
    assert ends(match)[order[0]] == (1, 1)
    assert ends(match)[order[1]] == (5, 0)
    match.play(0, "5-0", order[1])
    assert ends(match)[order[1]] == (0, 0)


def test_r4_5_a_side_arm_takes_any_tile_of_its_value_and_no_other() -> None:
    match = free("5-5 5-2", "5-3 5-0 5-1 5-4 6-5 3-2 6-0", "5-5 open", "5-3 left", "5-2 right")
    for arm in ("up", "down"):
        fitting = {tile for tile, where in offered(match) if where == arm}
        assert fitting == {"5-0", "5-1", "5-4", "6-5"}
        match.refused("play", "does_not_fit", seat=1, tile="3-2", arm=arm)


def test_r4_5_a_side_arm_goes_on_like_any_other() -> None:
    laid = ("5-5 open", "5-3 left", "5-2 right", "5-1 up", "6-1 up", "6-6 up", "6-4 up")
    match = free("5-5 5-2 6-1 6-4", "5-3 5-1 6-6", *laid[:6])
    assert ends(match)["up"] == (6, 12)
    match.play(0, "6-4", "up")
    assert ends(match) == {"left": (3, 3), "right": (2, 2), "up": (4, 4), "down": (5, 0)}


def test_r4_6_an_arm_goes_on_from_a_later_double_in_one_direction() -> None:
    match = free("5-5 3-3", "5-3 3-1", "5-5 open", "5-3 left", "3-3 left")
    assert ends(match) == {"left": (3, 6), "right": (5, 10)}
    match.play(1, "3-1", "left")
    assert ends(match) == {"left": (1, 1), "right": (5, 10)}


@pytest.mark.parametrize(
    ("hands", "laid", "expected"),
    [
        # R5.4, Readings 1: a lone ordinary tile, its higher half to the left.
        (("6-4", ""), ["6-4 open"], {"left": (6, 6), "right": (4, 4)}),
        (("1-0", ""), ["1-0 open"], {"left": (1, 1), "right": (0, 0)}),
        # Readings 2: a lone spinner is on both ends, once each.
        (("6-6", ""), ["6-6 open"], {"left": (6, 6), "right": (6, 6)}),
        (("0-0", ""), ["0-0 open"], {"left": (0, 0), "right": (0, 0)}),
        # With one main arm taken the other counts both halves.
        (("6-6", "6-1"), ["6-6 open", "6-1 left"], {"left": (1, 1), "right": (6, 12)}),
        (("6-6", "6-1"), ["6-6 open", "6-1 right"], {"left": (6, 12), "right": (1, 1)}),
        # R5.3: nothing after that; an unopened side arm counts 0.
        (
            ("6-6 6-2", "6-1"),
            ["6-6 open", "6-1 left", "6-2 right"],
            {"left": (1, 1), "right": (2, 2), "up": (6, 0), "down": (6, 0)},
        ),
        # R5.2: a later double counts both its halves while it is the end.
        (
            ("6-6 1-1", "6-1"),
            ["6-6 open", "6-1 left", "1-1 left"],
            {"left": (1, 2), "right": (6, 12)},
        ),
        (
            ("6-6 1-1", "6-1 4-1"),
            ["6-6 open", "6-1 left", "1-1 left", "4-1 left"],
            {"left": (4, 4), "right": (6, 12)},
        ),
        # Readings 9: a first double that is not the opening tile.
        (("6-4", "4-4"), ["6-4 open", "4-4 right"], {"left": (6, 6), "right": (4, 8)}),
        (
            ("6-4 4-1", "4-4"),
            ["6-4 open", "4-4 right", "4-1 right"],
            {"left": (6, 6), "right": (1, 1), "up": (4, 0), "down": (4, 0)},
        ),
    ],
)
def test_r5_ends(hands: tuple[str, str], laid: list[str], expected: dict[str, Any]) -> None:
    assert ends(free(*hands, *laid)) == expected


def test_reading_2_a_lone_spinner_offers_both_ends() -> None:
    match = free("6-6", "6-1", "6-6 open")
    assert {("6-1", "left"), ("6-1", "right")} <= offered(match)


@pytest.mark.parametrize(
    ("hands", "laid", "points"),
    [
        (("6-4", ""), ["6-4 open"], 10),
        (("5-0", ""), ["5-0 open"], 5),
        (("5-5", ""), ["5-5 open"], 10),
        (("6-6", "6-3"), ["6-6 open", "6-3 right"], 15),
        (("6-6 4-4", "6-4"), ["6-6 open", "6-4 left", "4-4 left"], 20),
        (("0-0", ""), ["0-0 open"], 0),  # zero pays nothing
        (("6-5", ""), ["6-5 open"], 0),
        (("6-6", ""), ["6-6 open"], 0),
        (("0-0 2-1", "1-0"), ["0-0 open", "1-0 left"], 0),
    ],
)
def test_r5_5_only_a_positive_multiple_of_five_pays(
    hands: tuple[str, str], laid: list[str], points: int
) -> None:
    match = free(*hands, *laid)
    payer = len(laid) % 2
    if points:
        expected = {"from": payer, "to": 1 - payer, "points": points, "for": "ends"}
        assert match.state["transfer"] == expected
        assert match.state["chips"][payer] == 150 - points
    else:
        assert match.state["transfer"] is None


def test_r5_5_a_count_of_zero_late_in_a_round_pays_nothing() -> None:
    match = free("0-0 2-1", "1-0 2-0", "0-0 open", "1-0 left", "2-1 left", "2-0 left")
    assert match.state["count"] == 0
    assert match.state["transfer"] is None
    assert match.state["chips"] == [150, 150]


def test_r5_6_the_turn_passes_after_a_double_and_after_a_score() -> None:
    match = Match().deal("5-5", "5-0").start().play(0, "5-5", "open")
    assert match.state["transfer"]["points"] == 10
    assert match.state["to_act"] == 1
    assert match.play(1, "5-0", "left").state["to_act"] == 0


def test_legal_lists_every_tile_with_every_end_it_fits() -> None:
    match = free("5-5 5-2", "5-3 3-2 5-0 6-4 2-2 3-3 4-1", "5-5 open", "5-3 left", "5-2 right")
    assert by_text(match.state["legal"]) == by_text(
        {"do": "play", "tile": tile, "arm": arm}
        for tile, arm in [
            ("3-2", "left"),
            ("3-2", "right"),
            ("5-0", "up"),
            ("5-0", "down"),
            ("2-2", "right"),
            ("3-3", "left"),
        ]
    )


@pytest.mark.parametrize("arm", ["Left", "LEFT", "l", "middle", "", "open ", None, 1, ["left"]])
def test_an_unknown_arm_is_illegal(arm: object) -> None:
    free("6-4", "6-1", "6-4 open").refused("play", seat=1, tile="6-1", arm=arm)


@pytest.mark.parametrize(
    "tile", ["1-6", "61", "6_1", "6-1 ", " 6-1", "[6|1]", "7-1", "6-7", "٦-١", "", "6–1", 61, None]
)
def test_a_tile_not_written_as_it_should_be_is_illegal(tile: object) -> None:
    free("6-4", "6-1", "6-4 open").refused("play", "malformed", seat=1, tile=tile, arm="left")


def test_a_tile_of_the_boneyard_the_table_or_the_other_hand_is_not_in_hand() -> None:
    match = free("6-4 6-2", "6-1", "6-4 open")
    assert "6-6" not in match.state["hands"][1]
    match.refused("play", "not_in_hand", seat=1, tile="6-6", arm="left")
    match.refused("play", "not_in_hand", seat=1, tile="6-4", arm="left")
    match.refused("play", "not_in_hand", seat=1, tile="6-2", arm="left")
