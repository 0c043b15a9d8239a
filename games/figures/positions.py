"""The positions that the rules page shows, as data: who holds what, and what is laid.

Nothing here says what a table counts or pays: that comes from playing it by the rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Position:
    """A round as far as a figure shows it.

    ``plays`` are tiles and arms in order of play, ``"6-4 open, 6-1 left"``. ``deal`` names both
    hands and the boneyard, the next tile first; without one each player holds what they lay, turn
    by turn, and other tiles up to seven. ``frame`` is the frame of the match page that the table
    is laid out for: ``wide`` keeps arms straight, ``tall`` folds them.
    """

    plays: str
    deal: tuple[str, str, str] | None = None
    frame: str = "wide"


POSITIONS: Mapping[str, Position] = {
    "opening": Position("6-4 open"),
    "joined": Position("6-5 open, 6-1 left"),
    "spinner": Position("5-5 open"),
    "one_arm": Position("5-5 open, 5-3 left"),
    "main_arms": Position("5-5 open, 5-2 left, 5-3 right"),
    "side_arm": Position("5-5 open, 5-3 left, 5-4 right, 6-3 left, 4-4 right, 6-5 up"),
    "four_arms": Position("5-5 open, 5-3 left, 5-2 right, 3-3 left, 6-5 up, 5-1 down"),
    "later_double": Position("6-6 open, 6-4 left, 4-4 left"),
    "late_spinner": Position("4-2 open, 4-4 left"),
    "late_spinner_taken": Position("4-2 open, 4-4 left, 4-3 left"),
    "zero": Position("0-0 open"),
    "no_score": Position("6-5 open, 6-1 left, 5-3 right, 4-1 left"),
    "score": Position("6-5 open, 6-1 left, 5-3 right, 4-1 left, 3-1 right"),
    "going_out": Position(
        "6-0 open, 6-6 left, 6-3 left, 3-2 left, 5-0 right, 6-2 up, 5-3 right, 2-1 up, 3-0 right, "
        "6-5 down, 5-4 down, 4-0 right, 5-1 up",
        deal=(
            "6-0 6-3 5-0 5-3 3-0 5-4 5-1",
            "6-6 3-2 6-2 2-1 6-5 4-0 6-4",
            "0-0 1-0 1-1 2-0 2-2 3-1 3-3 4-1 4-2 4-3 4-4 5-2 5-5 6-1",
        ),
        frame="tall",
    ),
    "blocked": Position(
        "6-0 open, 3-0 right, 6-2 left, 6-3 right, 2-1 left, 6-1 right, 4-1 right, 4-0 right, "
        "0-0 right, 1-0 right, 3-1 left, 1-1 right, 3-2 left, 2-0 down, 4-2 left, 5-2 down, "
        "4-4 left, 5-5 down, 5-4 left, 5-0 left, 5-1 right, 5-3 down, 6-5 right, 4-3 down, "
        "6-4 right",
        deal=(
            "4-2 6-0 5-4 2-1 0-0 4-4 6-2",
            "5-5 1-1 3-0 6-1 6-3 1-0 4-0",
            "2-2 4-1 3-2 3-1 2-0 3-3 5-2 5-0 5-1 6-6 6-4 4-3 5-3 6-5",
        ),
        frame="tall",
    ),
}
"""The tables, by the names that the templates use."""

BLOCKS: Mapping[str, tuple[str, str]] = {
    "rounded_up": ("3-1", "6-6 5-1"),
    "rounded_down": ("2-2", "6-5 4-2"),
    "equal": ("5-1", "4-2"),
}
"""Hands that are left when a round is blocked."""

STORIES: Mapping[str, tuple[str, ...]] = {
    "jockey_wins": ("bid 15", "bid 20", "accept"),
    "opponent_wins": ("bid 15", "bid 20", "bid 25", "accept"),
    "nobody_bids": ("decline",),
}
"""Auctions, answer by answer; the jockey's opponent speaks first."""

BIDS = (15, 20, 25, 30, 45)
"""Bids, in points, whose prices are compared."""

BALANCES = (150, 20, 15, 10, 5)
"""Balances, in points, that allow different bids."""

ROUNDINGS = (1, 2, 3, 12, 13, 17, 18)
"""Hand sums of a blocked round, in pips."""

DECISIONS = (8, 10, 13, 30)
"""Lengths of a decision, in seconds."""
