"""Elo's arithmetic against worked examples and tables that others have published."""

from __future__ import annotations

import pytest

from ratings import elo

# "Elo rating system", Wikipedia: a player of 1613 in a tournament of five rounds, with K = 32:
# the opponent's rating, the score, the expected score.
FIVE_ROUNDS = [
    (1609, 0.0, 0.51),
    (1477, 0.5, 0.69),
    (1388, 1.0, 0.79),
    (1586, 1.0, 0.54),
    (1720, 0.0, 0.35),
]

# World Football Elo Ratings, "Sample Winning Expectancies" (eloratings.net): the difference, and
# the expectancy of the higher rated and the lower rated side.
EXPECTANCIES = [
    (0, 0.500, 0.500),
    (10, 0.514, 0.486),
    (20, 0.529, 0.471),
    (50, 0.571, 0.429),
    (90, 0.627, 0.373),
    (100, 0.640, 0.360),
    (150, 0.703, 0.297),
    (200, 0.760, 0.240),
    (250, 0.808, 0.192),
    (300, 0.849, 0.151),
    (350, 0.882, 0.118),
    (400, 0.909, 0.091),
    (500, 0.947, 0.053),
    (600, 0.969, 0.031),
    (700, 0.983, 0.017),
    (800, 0.990, 0.010),
]

# Red Hot Pawn, "Calculating your rating" (2008), K = 32: from and to which difference the higher
# rated side gets the first number by winning and the lower rated one the second.
WON_POINTS = [
    (0, 10, 16, 16),
    (11, 32, 15, 17),
    (33, 54, 14, 18),
    (55, 77, 13, 19),
    (78, 100, 12, 20),
    (101, 124, 11, 21),
    (125, 149, 10, 22),
    (150, 176, 9, 23),
]


def test_the_player_of_1613_and_five_rounds() -> None:
    for opponent, _, expected in FIVE_ROUNDS:
        assert round(elo.expected(1613, opponent), 2) == expected
    scored = sum(score for _, score, _ in FIVE_ROUNDS)
    expected = sum(elo.expected(1613, opponent) for opponent, _, _ in FIVE_ROUNDS)
    assert 1613 + elo.rounded(32 * (scored - expected)) == 1601


@pytest.mark.parametrize(("difference", "higher", "lower"), EXPECTANCIES)
def test_the_table_of_expectancies(difference: int, higher: float, lower: float) -> None:
    assert round(elo.expected(1500 + difference, 1500), 3) == higher
    assert round(elo.expected(1500, 1500 + difference), 3) == lower


@pytest.mark.parametrize(("least", "most", "higher", "lower"), WON_POINTS)
def test_the_table_of_points(least: int, most: int, higher: int, lower: int) -> None:
    for difference in (least, most):
        above = 1400 + difference
        assert elo.change(above, 1400, won=True, k=32) == higher
        assert elo.change(1400, above, won=True, k=32) == lower
        assert elo.change(1400, above, won=False, k=32) == -higher
        assert elo.change(above, 1400, won=False, k=32) == -lower


# Examples in the documentation of the package elo-rating (npm, K = 20), and
# 2400 against 2000 with K = 32 as it is often told.
@pytest.mark.parametrize(
    ("rating", "opponent", "won", "k", "after"),
    [
        (1750, 1535, True, 20, 1754),
        (1535, 1750, False, 20, 1531),
        (1200, 1500, False, 20, 1197),
        (1500, 1200, True, 20, 1503),
        (1800, 1800, True, 20, 1810),
        (2400, 2000, True, 32, 2403),
        (2000, 2400, False, 32, 1997),
    ],
)
def test_single_games(rating: int, opponent: int, won: bool, k: int, after: int) -> None:
    assert rating + elo.change(rating, opponent, won=won, k=k) == after


# The example in the documentation of skillratings (crates.io), module uscf.
def test_eighteen_hundred_against_nineteen_fifty() -> None:
    assert round(elo.expected(1800, 1950), 2) == 0.30
    assert round(elo.expected(1950, 1800), 2) == 0.70


@pytest.mark.parametrize("far", [0, 1, 399, 400, 1000, 3000])
def test_both_expectations_are_one_together(far: int) -> None:
    assert elo.expected(1500, 1500 + far) + elo.expected(1500 + far, 1500) == pytest.approx(1)


@pytest.mark.parametrize("k", [10, 20, 40])
@pytest.mark.parametrize("far", range(0, 801, 7))
def test_what_one_wins_the_other_loses_where_both_have_the_same_factor(k: int, far: int) -> None:
    won = elo.change(1500, 1500 + far, won=True, k=k)
    assert won == -elo.change(1500 + far, 1500, won=False, k=k)
    assert 0 <= won <= k


@pytest.mark.parametrize(
    ("matches", "at_top", "k"),
    [(0, False, 40), (29, False, 40), (30, False, 20), (5000, False, 20), (0, True, 10)],
)
def test_the_factor(matches: int, at_top: bool, k: int) -> None:
    assert elo.factor(matches, at_top=at_top) == k


@pytest.mark.parametrize(
    ("points", "whole"),
    [
        (0.0, 0),
        (0.49, 0),
        (0.5, 1),
        (1.5, 2),
        (2.5, 3),
        (19.5, 20),
        (-0.49, 0),
        (-0.5, -1),
        (-1.5, -2),
        (-2.5, -3),
        (-19.5, -20),
        (-2.6, -3),
    ],
)
def test_halves_are_rounded_away_from_zero(points: float, whole: int) -> None:
    assert elo.rounded(points) == whole


def test_equal_players_with_an_odd_factor_meet_a_half() -> None:
    assert elo.change(1500, 1500, won=True, k=5) == 3
    assert elo.change(1500, 1500, won=False, k=5) == -3
