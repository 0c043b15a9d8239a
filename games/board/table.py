"""A table as it grows, tile by tile."""

from collections.abc import Iterable, Iterator
from itertools import product
from typing import NamedTuple

from .camera import Camera, Frame, follow, seen, zoom_for
from .geometry import EAST, NORTH, SOUTH, WEST, Box, Square, bounds, sides
from .routes import escape
from .shapes import End, Shape, across, crossing, double, ordinary

HEADINGS = {"left": WEST, "right": EAST, "up": NORTH, "down": SOUTH}
OPPOSITE = {"left": "right", "right": "left"}

LEAN = 0.25
"""How much the emptier side is preferred when an arm bends."""


class StuckError(Exception):
    """No place is left that keeps a way open for every end."""


class Laid(NamedTuple):
    """A tile on the table; `high` is the half with its higher value."""

    tile: str
    arm: str
    box: Box
    high: Square


class Open(NamedTuple):
    """An open end: its value, where it is, and the place kept for its next tile.

    `owner` is the number of the tile it belongs to; `closed` marks a spinner's side that may not
    be used yet but needs its room all the same.
    """

    value: int
    owner: int
    end: End
    next: Shape
    closed: bool = False


class Way(NamedTuple):
    """How a round is being laid out; a table that got stuck is begun anew in another way."""

    mirrored: bool = False
    zoom: int = 0
    straight: bool = False


class Table(NamedTuple):
    """Everything the next step needs to know."""

    frame: Frame
    way: Way
    camera: Camera
    tiles: tuple[Laid, ...] = ()
    ends: tuple[tuple[str, Open], ...] = ()
    spinner: bool = False

    def boxes(self) -> list[Box]:
        return [laid.box for laid in self.tiles]


def values(tile: str) -> tuple[int, int]:
    """Both values of a tile, the higher first."""
    a, _, b = tile.partition("-")
    return max(int(a), int(b)), min(int(a), int(b))


def opening(frame: Frame, way: Way, tile: str) -> Table:
    """The table after the first tile."""
    high, low = values(tile)
    start = Table(frame, way, Camera(zoom=way.zoom))
    if high == low:
        box = across(Square(-1, -1), EAST)
        laid = Laid(tile, "open", box, Square(box.x0, box.y0))
        found = {arm: (high, end) for arm, end in _spinner_ends(Square(-1, -1), None, "").items()}
        return _reserve(start._replace(spinner=True), laid, found, {})
    left, right = Square(-2, -1), Square(0, -1)
    laid = Laid(tile, "open", Box(-2, -1, 2, 1), left)
    found = {"left": (high, End(left, WEST)), "right": (low, End(right, EAST))}
    return _reserve(start, laid, found, {})


def _spinner_ends(middle: Square, direction: int | None, arm: str) -> dict[str, End]:
    """The ends a spinner opens; `direction` is the heading of the arm that reached it."""
    turn = 0 if direction is None else (direction - HEADINGS[arm]) % 4
    ends = {}
    for name, heading in HEADINGS.items():
        if direction is not None and name == OPPOSITE[arm]:
            continue
        turned, main = (heading + turn) % 4, name in OPPOSITE
        square = middle if main else _half_step(middle, turned)
        ends[name] = End(square, turned, wide=main, spinner=True)
    return ends


def _half_step(square: Square, direction: int) -> Square:
    further = square.step(direction)
    return Square((square.x + further.x) // 2, (square.y + further.y) // 2)


def lay(table: Table, tile: str, arm: str) -> Table:
    """The table after one tile more."""
    ends = dict(table.ends)
    high, low = values(tile)
    joined = ends.get(arm)
    if joined is None or joined.closed or joined.value not in (high, low):
        raise ValueError(f"{tile} cannot be laid at {arm}")
    del ends[arm]
    if high != low:
        shape, outer = joined.next, low if joined.value == high else high
        laid = Laid(tile, arm, shape.box, _high(shape, joined.value == high))
        return _reserve(table, laid, {arm: (outer, shape.end)}, ends)
    if not table.spinner:
        shape = crossing(joined.end)
        laid = Laid(tile, arm, shape.box, Square(shape.box.x0, shape.box.y0))
        opened = _spinner_ends(shape.end.square, shape.end.direction, arm)
        found = {name: (high, end) for name, end in opened.items()}
        return _reserve(table._replace(spinner=True), laid, found, ends)
    return _lay_double(table, tile, arm, joined, ends)


def _high(shape: Shape, joins: bool) -> Square:
    """The half with the higher value, which `joins` or lies at the outside."""
    return shape.joint if joins else shape.end.square


def _lay_double(table: Table, tile: str, arm: str, joined: Open, ends: dict[str, Open]) -> Table:
    """A double that branches nothing: across where that fits, else along a bend."""
    best: Table | None = None
    ways = _leaning(table, joined.end, double(joined.end))
    for shape in sorted(ways, key=lambda shape: shape.cost):
        if not _fits_between(shape, joined.owner, table.tiles, ends):
            continue
        laid = Laid(tile, arm, shape.box, Square(shape.box.x0, shape.box.y0))
        try:
            grown = _reserve(table, laid, {arm: (joined.value, shape.end)}, ends)
        except StuckError:
            continue
        if grown.camera.zoom == table.camera.zoom:
            return grown
        if best is None or grown.camera.zoom < best.camera.zoom:
            best = grown
    if best is None:
        raise StuckError
    return best


def _fits_between(shape: Shape, owner: int, tiles: tuple[Laid, ...], ends: dict[str, Open]) -> bool:
    """Whether a tile here keeps clear of all tiles but the one it joins, and of reserved places."""
    return not any(
        shape.box.near(laid.box, gap=0 if index == owner else 1) for index, laid in enumerate(tiles)
    ) and not any(shape.box.near(other.next.box) for other in ends.values())


def _leaning(table: Table, end: End, shapes: list[Shape]) -> Iterator[Shape]:
    """The shapes, those that bend to the fuller side made a little dearer."""
    second = sides(end.direction)[0 if table.way.mirrored else 1]
    left, top, right, bottom = seen(table.frame, table.camera)
    for shape in shapes:
        heading = shape.end.direction
        if heading != end.direction and table.way.straight:
            continue
        x, y = shape.end.square
        limit = (right - x, bottom - y, x - left, y - top)[heading]
        span = (right - left) if heading in (EAST, WEST) else (bottom - top)
        room = limit
        for laid in table.tiles:
            room = min(room, _distance(shape.end.square, heading, laid.box))
        lean = LEAN * (1 - max(0.0, room) / span) + (0.01 if heading == second else 0.0)
        yield shape._replace(cost=shape.cost + lean)


def _distance(square: Square, heading: int, box: Box) -> float:
    """How far an arm can go from this half before it meets the box."""
    x, y = square
    if heading in (EAST, WEST):
        if box.y1 + 1 <= y or box.y0 >= y + 3:
            return 1e9
        ahead = box.x0 - x if heading == EAST else x - box.x1
    else:
        if box.x1 + 1 <= x or box.x0 >= x + 3:
            return 1e9
        ahead = box.y0 - y if heading == SOUTH else y - box.y1
    return ahead if ahead > 0 else 1e9


def _reserve(
    table: Table, laid: Laid, found: dict[str, tuple[int, End]], kept: dict[str, Open]
) -> Table:
    """Add a tile; keep a place for the next tile at each end it opened, and move the camera.

    Places kept for other ends stay where they are unless staying would mean zooming out.
    """
    tiles = (*table.tiles, laid)
    owner = len(table.tiles)
    table = table._replace(tiles=tiles)
    fresh = {arm: (value, owner, end) for arm, (value, end) in found.items()}
    choice = _choose(table, fresh, kept)
    if (choice is None or choice[0] > table.camera.zoom) and kept:
        every = fresh | {arm: (end.value, end.owner, end.end) for arm, end in kept.items()}
        wider = _choose(table, every, {})
        if wider is not None and (choice is None or wider[0] < choice[0]):
            choice = wider
    if choice is None:
        raise StuckError
    _, ends = choice
    box = bounds([*table.boxes(), *(end.next.box for end in ends.values())])
    return table._replace(
        ends=tuple(sorted(_with_sides(ends).items())),
        camera=follow(table.frame, table.camera, box),
    )


def _with_sides(ends: dict[str, Open]) -> dict[str, Open]:
    """A spinner's sides are closed while one of its main arms is not taken."""
    main = any(end.end.spinner and end.end.wide for end in ends.values())
    return {
        arm: end._replace(closed=main and end.end.spinner and not end.end.wide)
        for arm, end in ends.items()
    }


def _choose(
    table: Table, fresh: dict[str, tuple[int, int, End]], kept: dict[str, Open]
) -> tuple[int, dict[str, Open]] | None:
    """The best set of places for the ends in `fresh`, beside those `kept`."""
    options = [
        [
            shape
            for shape in _leaning(table, end, ordinary(end))
            if _fits_between(shape, owner, table.tiles, kept)
        ]
        for _, owner, end in fresh.values()
    ]
    boxes = table.boxes()
    base = bounds([*boxes, *(end.next.box for end in kept.values())])
    ranked = sorted(
        (_rank(table, base, shapes), index, shapes)
        for index, shapes in enumerate(product(*options))
        if _apart(shapes)
    )
    others = [end.next for end in kept.values()]
    for (zoom, _), _, shapes in ranked:
        if escape(boxes, [*shapes, *others]):
            ends = {
                arm: Open(value, owner, end, shape)
                for (arm, (value, owner, end)), shape in zip(fresh.items(), shapes, strict=True)
            }
            return zoom, kept | ends
    return None


def _rank(table: Table, base: Box, shapes: Iterable[Shape]) -> tuple[int, float]:
    """Least zooming out first, then the cheapest."""
    box = bounds([base, *(shape.box for shape in shapes)])
    zoom = max(table.camera.zoom, zoom_for(table.frame, box))
    return zoom, sum(shape.cost for shape in shapes)


def _apart(shapes: tuple[Shape, ...]) -> bool:
    return not any(a.box.near(b.box) for index, a in enumerate(shapes) for b in shapes[index + 1 :])
