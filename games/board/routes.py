"""Whether every open end still has a way out.

A route is a row of ordinary tiles, straight or bent, from an end to the outside of the table; the
routes of all ends must keep clear of each other. The search spreads over whole boards at once: a
board is one integer, a bit for every place the top left cell of a half could lie at, and a step
of all places is one shift.
"""

from collections.abc import Sequence
from functools import lru_cache

from .geometry import EAST, GAP, HALF, SOUTH, WEST, Box, Square, bounds, box_of, sides
from .shapes import Shape

NEXT = 4
"""Cells by which a next tile can reach beyond the table."""

BORDER = NEXT + 10
"""Cells of open ground around the table: its next tiles, and one tile of a route beyond them."""

Layer = tuple[int, int, int, int]
"""For each direction, the places an arm can have reached heading that way."""


@lru_cache(maxsize=4096)
def _column(width: int, height: int) -> int:
    """One bit at the head of each of `height` rows."""
    return sum(1 << (width * row) for row in range(height))


class Ground:
    """A table, before its next tiles, as boards of bits."""

    def __init__(self, tiles: list[Box]) -> None:
        table = bounds(tiles)
        self.x, self.y = table.x0 - BORDER, table.y0 - BORDER
        self.width = table.x1 + BORDER - self.x
        self.height = table.y1 + BORDER - self.y
        self.open = self.area(
            self.x + HALF, self.y + HALF, self.x + self.width - HALF, self.y + self.height - HALF
        )
        self.outside = self.open & ~self.keep_off(
            Box(table.x0 - NEXT, table.y0 - NEXT, table.x1 + NEXT, table.y1 + NEXT)
        )
        for box in tiles:
            self.open &= ~self.keep_off(box)

    def area(self, x0: int, y0: int, x1: int, y1: int) -> int:
        row = ((1 << (x1 - x0)) - 1) << (x0 - self.x)
        return (row * _column(self.width, y1 - y0)) << ((y0 - self.y) * self.width)

    def keep_off(self, box: Box) -> int:
        """The places too near to this tile."""
        off = HALF + GAP - 1
        return self.area(
            max(self.x, box.x0 - off),
            max(self.y, box.y0 - off),
            min(self.x + self.width, box.x1 + GAP),
            min(self.y + self.height, box.y1 + GAP),
        )

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
        if direction == EAST:
            return board << HALF
        if direction == WEST:
            return board >> HALF
        return board << HALF * self.width if direction == SOUTH else board >> HALF * self.width

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

    def ray(self, shape: Shape, taken: int) -> Box | None:
        """The way straight out for the arm that ends in `shape`, if nothing lies in it."""
        x, y = shape.end.square
        right, bottom = self.x + self.width - HALF, self.y + self.height - HALF
        box = (
            Box(x + HALF, y, right, y + HALF),
            Box(x, y + HALF, x + HALF, bottom),
            Box(self.x + HALF, y, x, y + HALF),
            Box(x, self.y + HALF, x + HALF, y),
        )[shape.end.direction]
        if shape.end.direction in (EAST, WEST):
            places = self.area(box.x0, y, box.x1 - 1, y + 1)
        else:
            places = self.area(x, box.y0, x + 1, box.y1 - 1)
        return None if places & (~self.open | taken) else box

    def route(self, shape: Shape, taken: int = 0) -> list[Box] | None:
        """The shortest way out for the arm that ends in `shape`, as the boxes of its tiles.

        `taken` are places other arms need. The first tile of the route may touch `shape`.
        """
        end = shape.end
        ground = self.open & ~taken
        free = ground & ~self.keep_off(shape.box)
        first = ground & ~self.cover(shape.box)
        start = [0, 0, 0, 0]
        start[end.direction] = self.bit(end.square)
        layers: list[Layer] = [(start[0], start[1], start[2], start[3])]
        seen = start
        while any(layers[-1]):
            for direction, board in enumerate(layers[-1]):
                if board & self.outside:
                    return self.trace(layers, direction, board & self.outside, first, free)
            found = self.spread(layers[-1], first if len(layers) == 1 else free)
            a, b, c, d = (new & ~old for new, old in zip(found, seen, strict=True))
            layers.append((a, b, c, d))
            seen = [old | new for old, new in zip(seen, layers[-1], strict=True)]
        return None

    def way_out(self, shape: Shape) -> bool:
        """Whether the arm that ends in `shape` has a route at all, as far as tiles go."""
        return self.ray(shape, 0) is not None or self.route(shape) is not None

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

    def escape(self, shapes: Sequence[Shape]) -> bool:
        """Whether beyond each of these next tiles there is a route of its own.

        First every arm that can goes straight out; if that keeps another in, all take the
        shortest way.
        """
        zones = [self.keep_off(shape.box) for shape in shapes]
        return self._disjoint(shapes, zones, rays=True) or self._disjoint(shapes, zones, rays=False)

    def _disjoint(self, shapes: Sequence[Shape], zones: list[int], rays: bool) -> bool:
        """Look for the routes one after the other; an end that finds none goes first next time."""
        order = list(range(len(shapes)))
        for _ in range(len(shapes) + 1):
            failed = self._first_without(shapes, zones, order, rays)
            if failed is None:
                return True
            if failed == order[0]:
                return False
            order.remove(failed)
            order.insert(0, failed)
        return False

    def _first_without(
        self, shapes: Sequence[Shape], zones: list[int], order: list[int], rays: bool
    ) -> int | None:
        """The first end in this order that finds no route beside those before it."""
        routes = 0
        for index in order:
            taken = routes
            for other, zone in enumerate(zones):
                if other != index:
                    taken |= zone
            ray = self.ray(shapes[index], taken) if rays else None
            route = [ray] if ray else self.route(shapes[index], taken)
            if route is None:
                return index
            for box in route:
                routes |= self.keep_off(box)
        return None
