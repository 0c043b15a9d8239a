"""The double-six set (R2.1)."""

from __future__ import annotations

import re
from itertools import combinations_with_replacement
from typing import NamedTuple

_TEXT = re.compile(r"([0-6])-([0-6])", re.ASCII)


class Tile(NamedTuple):
    """A tile, its higher half first: ``Tile(6, 5)`` is written ``6-5``."""

    high: int
    low: int

    @property
    def is_double(self) -> bool:
        return self.high == self.low

    @property
    def pips(self) -> int:
        """The sum of both halves."""
        return self.high + self.low

    def has(self, value: int) -> bool:
        return value in self

    def other(self, value: int) -> int:
        """The half that stays open when the other one joins an end of ``value``."""
        return self.low if value == self.high else self.high

    def __str__(self) -> str:
        return f"{self.high}-{self.low}"


ALL_TILES: tuple[Tile, ...] = tuple(
    Tile(high, low) for low, high in combinations_with_replacement(range(7), 2)
)
HAND_SIZE = 7
BONEYARD_SIZE = len(ALL_TILES) - 2 * HAND_SIZE


def parse_tile(text: str) -> Tile:
    """Read a tile as the record writes it.

    >>> parse_tile("6-5")
    Tile(high=6, low=5)

    Raises ``ValueError``, quoting the text, for anything else, the lower half first included.
    """
    match = _TEXT.fullmatch(text)
    if match is None or match[1] < match[2]:
        raise ValueError(f"{text!r} is not a tile")
    return Tile(int(match[1]), int(match[2]))


def pips(hand: tuple[Tile, ...]) -> int:
    """The sum of a hand, as a blocked round compares it (R6.6)."""
    return sum(tile.pips for tile in hand)


def opening_tile(hands: tuple[tuple[Tile, ...], tuple[Tile, ...]]) -> tuple[int, Tile]:
    """Who must open, and with what: ``(seat, tile)`` (R3.1, R3.2, Readings 9).

    The highest double among the dealt hands; without one the largest pip sum, equal sums
    going to the larger higher half.
    """

    def rank(held: tuple[int, Tile]) -> tuple[bool, int, int]:
        tile = held[1]
        return (tile.is_double, tile.pips, tile.high)

    return max(((seat, tile) for seat in (0, 1) for tile in hands[seat]), key=rank)
