"""Play now: who is paired with whom, as a pure function of who waits."""

from __future__ import annotations

import doctest
import random

import pytest

from games import pairing
from games.pairing import Waiter

NOW = 1_800_000_000_000


def waiter(player: int, rating: int, waited: int = 0, *, rated: bool = True) -> Waiter:
    """Somebody who pressed Play now ``waited`` ms ago."""
    return Waiter(f"offer-{player}", player, rating, rated, NOW - waited)


def seeker(player: int, rating: int, least: int | None, most: int | None) -> Waiter:
    return Waiter(f"offer-{player}", player, rating, True, NOW - 1, True, least, most)


def paired(*waiters: Waiter, apart: set[tuple[int, int]] | None = None) -> list[tuple[int, int]]:
    found = pairing.pairs(waiters, apart or set(), now=NOW)
    return [(first.player, second.player) for first, second in found]


def test_the_examples_hold() -> None:
    assert doctest.testmod(pairing).failed == 0


def test_nobody_and_one_alone_are_not_paired() -> None:
    assert paired() == []
    assert paired(waiter(1, 1500, 90_000)) == []


def test_the_nearest_ratings_go_first() -> None:
    assert paired(waiter(1, 1500), waiter(2, 1580), waiter(3, 1590)) == [(2, 3)]


@pytest.mark.parametrize(("away", "fits"), [(100, True), (101, False)])
def test_at_once_a_hundred_points_are_near_enough(away: int, fits: bool) -> None:
    assert bool(paired(waiter(1, 1500), waiter(2, 1500 + away))) is fits
    assert bool(paired(waiter(1, 1500), waiter(2, 1500 - away))) is fits


@pytest.mark.parametrize(
    ("waited", "away", "fits"),
    [
        (4_999, 140, True),
        (4_999, 141, False),
        (5_000, 150, True),
        (59_999, 690, True),
        (59_999, 691, False),
        (60_000, 2_500, True),
    ],
)
def test_the_window_widens_with_time(waited: int, away: int, fits: bool) -> None:
    both = waiter(1, 1500, waited), waiter(2, 1500 + away, waited)
    assert bool(paired(*both)) is fits


def test_each_must_lie_within_the_window_of_the_other() -> None:
    assert paired(waiter(1, 1500, 90_000), waiter(2, 1700)) == []
    assert paired(waiter(1, 1500, 90_000), waiter(2, 1700, 10_000)) == [(1, 2)]


def test_rated_and_casual_are_apart() -> None:
    assert paired(waiter(1, 1500), waiter(2, 1500, rated=False)) == []


def test_players_who_are_apart_are_not_paired_but_with_others() -> None:
    three = waiter(1, 1500, 3), waiter(2, 1500, 2), waiter(3, 1550, 1)
    assert paired(*three, apart={(1, 2), (2, 1)}) == [(1, 3)]


def test_of_two_as_near_the_longer_waiting_is_served() -> None:
    assert paired(waiter(1, 1500), waiter(2, 1550, 1_000), waiter(3, 1450, 2_000)) == [(3, 1)]


def test_the_longer_waiting_comes_first_in_its_pair() -> None:
    assert paired(waiter(1, 1500, 1_000), waiter(2, 1510, 2_000)) == [(2, 1)]


def test_everybody_is_paired_once_at_most() -> None:
    crowd = [waiter(n, 1500 + n) for n in range(7)]
    flat = [player for pair in paired(*crowd) for player in pair]
    assert len(flat) == len(set(flat)) == 6


def test_the_order_in_which_they_are_given_makes_no_difference() -> None:
    chance = random.Random(5)
    crowd = [waiter(n, 1400 + chance.randrange(200), chance.randrange(3) * 1000) for n in range(20)]
    once = paired(*crowd)
    for _ in range(5):
        chance.shuffle(crowd)
        assert paired(*crowd) == once


def test_a_seek_takes_whom_it_says_and_no_other_seek() -> None:
    assert paired(waiter(1, 1500), seeker(2, 1560, None, None)) == [(2, 1)]
    assert paired(waiter(1, 1500), seeker(2, 1560, 1510, 1610)) == []
    assert paired(waiter(1, 1500), seeker(2, 1560, 1500, 1620)) == [(2, 1)]
    assert paired(waiter(1, 1500), seeker(2, 1900, None, None)) == []  # too far for who waits
    assert paired(seeker(1, 1500, None, None), seeker(2, 1500, None, None)) == []


def test_one_who_waits_and_seeks_does_not_play_oneself() -> None:
    assert paired(waiter(1, 1500), seeker(1, 1500, None, None)) == []
