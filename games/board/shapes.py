"""The ways a tile can join an open end."""

from collections.abc import Iterator
from typing import NamedTuple

from .geometry import HALF, STEPS, Box, Square, box_of, sides

STRAIGHT, CORNER, SIDE, ACROSS, IN_LINE, SIDE_IN_LINE = 0.0, 1.0, 1.3, 0.0, 3.0, 2.6
CORNER_OFF_DOUBLE = 2.0
"""What each way costs: the cheapest that fits is taken."""


class End(NamedTuple):
    """Where an arm can go on: from this half of a tile, in this direction."""

    square: Square
    direction: int
    wide: bool = False
    """The last tile is a double lying across: the arm leaves from its middle."""
    spinner: bool = False


class Shape(NamedTuple):
    """A tile in place: its box, the half that joins, and the end it makes."""

    box: Box
    joint: Square
    end: End
    cost: float


def across(square: Square, direction: int) -> Box:
    """The box of a double lying across `direction` with its middle at `square`."""
    dx, dy = STEPS[sides(direction)[0]]
    one, two = abs(dx), abs(dy)
    return Box(square.x - one, square.y - two, square.x + HALF + one, square.y + HALF + two)


def spinner_side(middle: Square, direction: int) -> End:
    """The side end of a spinner whose middle is here: the half that lies in this direction."""
    dx, dy = STEPS[direction]
    return End(Square(middle.x + dx, middle.y + dy), direction, spinner=True)


def bends(end: End, corner: float, side: float) -> Iterator[Shape]:
    """The ways round a corner, both hands."""
    ahead = end.square.step(end.direction)
    for turn in sides(end.direction):
        outer = ahead.step(turn)
        yield Shape(box_of(ahead, outer), ahead, End(outer, turn), corner)
        if not end.wide and not end.spinner:
            near, far = end.square.step(turn), end.square.step(turn, 2)
            yield Shape(box_of(near, far), near, End(far, turn), side)


def straight(end: End, cost: float = STRAIGHT) -> Shape:
    """A tile straight on."""
    near, far = end.square.step(end.direction), end.square.step(end.direction, 2)
    return Shape(box_of(near, far), near, End(far, end.direction), cost)


def ordinary(end: End) -> list[Shape]:
    """Every way for a tile that is no double."""
    corner = CORNER_OFF_DOUBLE if end.wide else CORNER
    return [straight(end), *bends(end, corner, SIDE)]


def crossing(end: End) -> Shape:
    """A double straight on, lying across the arm."""
    middle = end.square.step(end.direction)
    box = across(middle, end.direction)
    return Shape(box, middle, End(middle, end.direction, wide=True), ACROSS)


def double(end: End) -> list[Shape]:
    """Every way for a double that is not the spinner."""
    corner = CORNER_OFF_DOUBLE if end.wide else CORNER
    return [crossing(end), *bends(end, corner, SIDE_IN_LINE), straight(end, IN_LINE)]
