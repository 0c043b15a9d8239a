"""The lattice a table is laid on.

Everything is counted in cells, whole numbers: a cell is a quarter of a tile, a half of a tile is
a square of two by two cells. So a double that lies across and the arms at its middle share one
lattice, and nothing is ever compared as a float.
"""

from collections.abc import Iterable
from typing import NamedTuple

HALF = 2
"""Cells along one half of a tile."""

GAP = 1
"""Cells that stay free between tiles that are not neighbours."""

EAST, SOUTH, WEST, NORTH = range(4)
STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""The four directions, clockwise on a screen, whose y grows downwards."""


def sides(direction: int) -> tuple[int, int]:
    """The two directions square to this one, clockwise first."""
    return (direction + 1) % 4, (direction + 3) % 4


class Square(NamedTuple):
    """One half of a tile, by its top left cell."""

    x: int
    y: int

    def step(self, direction: int, halves: int = 1) -> "Square":
        dx, dy = STEPS[direction]
        return Square(self.x + dx * HALF * halves, self.y + dy * HALF * halves)


class Box(NamedTuple):
    """A rectangle of cells; x1 and y1 are the first cells outside it."""

    x0: int
    y0: int
    x1: int
    y1: int

    def near(self, other: "Box", gap: int = GAP) -> bool:
        """Whether less than `gap` cells lie between the two; with 0, whether they overlap."""
        return (
            self.x0 < other.x1 + gap
            and other.x0 < self.x1 + gap
            and self.y0 < other.y1 + gap
            and other.y0 < self.y1 + gap
        )


def box_of(a: Square, b: Square) -> Box:
    """The box of a tile whose halves are `a` and `b`."""
    return Box(min(a.x, b.x), min(a.y, b.y), max(a.x, b.x) + HALF, max(a.y, b.y) + HALF)


def bounds(boxes: Iterable[Box]) -> Box:
    """The smallest box around all of them."""
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return Box(min(x0), min(y0), max(x1), max(y1))
