"""Whether every open end still has a way out.

A route is a row of ordinary tiles, straight or bent, from an end to the outside of the table; the
routes of all ends must keep clear of each other. The search spreads over whole boards at once: a
board is one integer, a bit for every place the top left cell of a half could lie at, and a step
of all places is one shift.
"""

from functools import lru_cache
from itertools import permutations

from .geometry import GAP, HALF, STEPS, Box, Square, bounds, box_of, sides
from .shapes import Shape

BORDER = 12
"""Cells of open ground kept around the table: room for one tile more in each direction."""

Layer = tuple[int, int, int, int]
"""For each direction, the places an arm can have reached heading that way."""


@lru_cache(maxsize=4096)
def _column(width: int, height: int) -> int:
    """One bit at the head of each of `height` rows."""
    return sum(1 << (width * row) for row in range(height))


class Ground:
    """The table as boards of bits."""

    def __init__(self, boxes: list[Box]) -> None:
        table = bounds(boxes)
        self.x, self.y = table.x0 - BORDER, table.y0 - BORDER
        self.width = table.x1 + BORDER - self.x
        self.height = table.y1 + BORDER - self.y
        self.shifts = tuple(HALF * (dx + dy * self.width) for dx, dy in STEPS)
        inner = self.area(
            self.x + HALF, self.y + HALF, self.x + self.width - HALF, self.y + self.height - HALF
        )
        self.open = inner
        self.outside = inner & ~self.keep_off(table)

    def area(self, x0: int, y0: int, x1: int, y1: int) -> int:
        row = ((1 << (x1 - x0)) - 1) << (x0 - self.x)
        return (row * _column(self.width, y1 - y0)) << ((y0 - self.y) * self.width)

    def keep_off(self, box: Box) -> int:
        """The places too near to this tile."""
        off = HALF + GAP - 1
        return self.area(box.x0 - off, box.y0 - off, box.x1 + GAP, box.y1 + GAP)

    def cover(self, box: Box) -> int:
        """The places that overlap this tile."""
        off = HALF - 1
        return self.area(box.x0 - off, box.y0 - off, box.x1, box.y1)

    def bit(self, square: Square) -> int:
        return 1 << ((square.y - self.y) * self.width + square.x - self.x)

    def square(self, bit: int) -> Square:
        y, x = divmod(bit.bit_length() - 1, self.width)
        return Square(x + self.x, y + self.y)

    def move(self, board: int, direction: int) -> int:
        shift = self.shifts[direction]
        return board << shift if shift > 0 else board >> -shift

    def spread(self, layer: Layer, free: int) -> Layer:
        """Where one tile more can bring the arms."""
        reached = [0, 0, 0, 0]
        for direction, board in enumerate(layer):
            if not board:
                continue
            ahead = self.move(board, direction) & free
            reached[direction] |= self.move(ahead, direction) & free
            for turn in sides(direction):
                beside = self.move(board, turn) & free
                reached[turn] |= self.move(ahead | beside, turn) & free
        return reached[0], reached[1], reached[2], reached[3]

    def route(self, shape: Shape, first: int, free: int) -> list[Box] | None:
        """The shortest way out for the arm that ends in `shape`, as the boxes of its tiles.

        `first` are the places free to the tile that touches `shape`, `free` those for the rest.
        """
        end = shape.end
        start = [0, 0, 0, 0]
        start[end.direction] = self.bit(end.square)
        layers: list[Layer] = [(start[0], start[1], start[2], start[3])]
        seen = layers[0]
        while any(layers[-1]):
            for direction, board in enumerate(layers[-1]):
                if board & self.outside:
                    return self.trace(layers, direction, board & self.outside, first, free)
            found = self.spread(layers[-1], first if len(layers) == 1 else free)
            a, b, c, d = (new & ~old for new, old in zip(found, seen, strict=True))
            layers.append((a, b, c, d))
            seen = (seen[0] | a, seen[1] | b, seen[2] | c, seen[3] | d)
        return None

    def trace(
        self, layers: list[Layer], direction: int, goals: int, first: int, free: int
    ) -> list[Box]:
        """Go back from a place that was reached to the start."""
        place = goals & -goals
        tiles = []
        for index in range(len(layers) - 1, 0, -1):
            allowed = first if index == 1 else free
            place, middle, direction, last = self.back(layers[index - 1], place, direction, allowed)
            tiles.append(box_of(self.square(middle), self.square(last)))
        return tiles

    def back(
        self, layer: Layer, place: int, direction: int, free: int
    ) -> tuple[int, int, int, int]:
        """One tile back: where it was joined, its first half, the heading there, its last half."""
        opposite = (direction + 2) % 4
        middle = self.move(place, opposite) & free
        origin = self.move(middle, opposite)
        if origin & layer[direction]:
            return origin, middle, direction, place
        for turn in sides(direction):
            if origin & layer[turn]:
                return origin, middle, turn, place
            corner = self.move(middle, (turn + 2) % 4)
            if corner & layer[turn]:
                return corner, middle, turn, place
        raise AssertionError("a place was reached from nowhere")


def escape(tiles: list[Box], reserved: list[Shape]) -> bool:
    """Whether every reserved next tile has a route of its own beyond it."""
    ground = Ground([*tiles, *(shape.box for shape in reserved)])
    laid = 0
    for box in tiles:
        laid |= ground.keep_off(box)
    zones = [ground.keep_off(shape.box) for shape in reserved]
    firsts, frees = [], []
    for index, shape in enumerate(reserved):
        others = laid
        for other, zone in enumerate(zones):
            if other != index:
                others |= zone
        firsts.append(ground.open & ~(others | ground.cover(shape.box)))
        frees.append(ground.open & ~(others | zones[index]))
    return _all_out(ground, reserved, firsts, frees)


def _all_out(ground: Ground, reserved: list[Shape], firsts: list[int], frees: list[int]) -> bool:
    """Try the ends in every order until all their routes keep clear of each other."""
    alone = [
        ground.route(shape, firsts[index], frees[index]) for index, shape in enumerate(reserved)
    ]
    if any(route is None for route in alone):
        return False
    for order in permutations(range(len(reserved))):
        taken = 0
        for place, index in enumerate(order):
            route = (
                alone[index]
                if place == 0
                else ground.route(reserved[index], firsts[index] & ~taken, frees[index] & ~taken)
            )
            if route is None:
                break
            for box in route:
                taken |= ground.keep_off(box)
        else:
            return True
    return False
