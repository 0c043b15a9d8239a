"""Elo's arithmetic, in whole points (A. Elo, The Rating of Chessplayers, Past and Present, 1978).

>>> change(1500, 1500, won=True, k=40)
20
>>> change(1613, 1477, won=False, k=20)
-14
"""

from __future__ import annotations

SCALE = 400  # points of difference at which the stronger side is expected to score ten to one
NEW, USUAL, TOP = 40, 20, 10  # factors K
NEW_MATCHES = 30  # the rated matches that count with the factor of a new player
TOP_RATING = 2400  # whoever has reached it keeps the smallest factor for good


def expected(rating: int, opponent: int) -> float:
    """The score, between 0 and 1, that ``rating`` is expected to make against ``opponent``."""
    return float(1 / (1 + 10 ** ((opponent - rating) / SCALE)))


def factor(matches: int, *, at_top: bool) -> int:
    """The factor K for the next match after ``matches`` rated ones."""
    if at_top:
        return TOP
    return NEW if matches < NEW_MATCHES else USUAL


def change(rating: int, opponent: int, *, won: bool, k: int) -> int:
    """By how many points ``rating`` changes; halves are rounded away from zero."""
    return rounded(k * (won - expected(rating, opponent)))


def rounded(points: float) -> int:
    """The nearest whole number; halves away from zero.

    >>> [rounded(x) for x in (2.5, -2.5, 2.4, -2.6)]
    [3, -3, 2, -3]
    """
    whole = int(abs(points) + 0.5)
    return whole if points >= 0 else -whole
