"""A table as it grows, tile by tile."""

from collections.abc import Mapping

from .camera import Camera, Frame, follow
from .geometry import EAST, NORTH, SOUTH, WEST, Box, Square, bounds
from .places import MOVE, choose, fits_between, leaning
from .shapes import End, Shape, across, crossing, double, spinner_side
from .state import Fresh, Laid, Open, StuckError, Table, Way

HEADINGS = {"left": WEST, "right": EAST, "up": NORTH, "down": SOUTH}
OPPOSITE = {"left": "right", "right": "left"}


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
        return _grow(start._replace(spinner=True), laid, found, {})
    left, right = Square(-2, -1), Square(0, -1)
    laid = Laid(tile, "open", Box(-2, -1, 2, 1), left)
    found = {"left": (high, End(left, WEST)), "right": (low, End(right, EAST))}
    return _grow(start, laid, found, {})


def _spinner_ends(middle: Square, direction: int | None, arm: str) -> dict[str, End]:
    """The ends a spinner opens; `direction` is the heading of the arm that reached it."""
    turn = 0 if direction is None else (direction - HEADINGS[arm]) % 4
    ends = {}
    for name, heading in HEADINGS.items():
        turned = (heading + turn) % 4
        if name not in OPPOSITE:
            ends[name] = spinner_side(middle, turned)
        elif direction is None or name == arm:
            ends[name] = End(middle, turned, wide=True, spinner=True)
    return ends


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
        return _grow(table, laid, {arm: (outer, shape.end)}, ends)
    if not table.spinner:
        shape = crossing(joined.end)
        laid = Laid(tile, arm, shape.box, Square(shape.box.x0, shape.box.y0))
        opened = _spinner_ends(shape.end.square, shape.end.direction, arm)
        found = {name: (high, end) for name, end in opened.items()}
        return _grow(table._replace(spinner=True), laid, found, ends)
    return _lay_double(table, tile, arm, joined, ends)


def _high(shape: Shape, joins: bool) -> Square:
    """The half with the higher value, which `joins` or lies at the outside."""
    return shape.joint if joins else shape.end.square


def _lay_double(table: Table, tile: str, arm: str, joined: Open, ends: dict[str, Open]) -> Table:
    """A double that branches nothing: across where that fits, else along a bend."""
    best: tuple[tuple[int, float], Table] | None = None
    for shape in leaning(table, joined.end, double(joined.end)):
        if not fits_between(shape, joined.owner, table.tiles, ends):
            continue
        laid = Laid(tile, arm, shape.box, Square(shape.box.x0, shape.box.y0))
        try:
            grown = _grow(table, laid, {arm: (joined.value, shape.end)}, ends)
        except StuckError:
            continue
        follows = dict(grown.ends)[arm].next.cost
        moved = MOVE if grown.camera.moves > table.camera.moves else 0.0
        rank = grown.camera.zoom, shape.cost + follows + moved
        if best is None or rank < best[0]:
            best = rank, grown
    if best is None:
        raise StuckError
    return best[1]


def _grow(
    table: Table, laid: Laid, opened: Mapping[str, tuple[int, End]], kept: Mapping[str, Open]
) -> Table:
    """Add a tile, keep a place for the next tile at each end it opened, move the camera."""
    owner = len(table.tiles)
    table = table._replace(tiles=(*table.tiles, laid))
    fresh = {arm: Fresh(value, owner, end) for arm, (value, end) in opened.items()}
    choice = choose(table, fresh, kept)
    if choice is None:
        raise StuckError
    box = bounds([*table.boxes(), *(end.next.box for end in choice.ends.values())])
    return table._replace(
        ends=tuple(sorted(_with_sides(choice.ends).items())),
        camera=follow(table.frame, table.camera, box),
    )


def _with_sides(ends: Mapping[str, Open]) -> dict[str, Open]:
    """A spinner's sides are closed while one of its main arms is not taken."""
    main = any(end.end.spinner and end.end.wide for end in ends.values())
    return {
        arm: end._replace(closed=main and end.end.spinner and not end.end.wide)
        for arm, end in ends.items()
    }
