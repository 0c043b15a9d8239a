"""Choosing the places kept for the next tile of every open end.

A tile is laid where its place was kept, so a target shown is where the tile will lie, and the room
for it is in the frame before it is needed.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from .camera import MARGIN, seen, shows, zoom_for
from .geometry import EAST, SOUTH, WEST, Box, bounds, sides
from .routes import Ground
from .shapes import End, Shape, crossing, ordinary, spinner_side, straight
from .state import Fresh, Laid, Open, Table

LEAN = 0.25
"""How much the side with more room is preferred when an arm bends."""

MASS = 0.4
"""How much the side with fewer tiles is preferred when an arm bends."""

HAND = 0.01
"""What decides when both sides are alike."""

MOVE = 2.4
"""What moving the camera costs beside a bend, when the table fills the frame."""

SPINNER = 1.0
"""What a place costs for each step a spinner laid beyond it would zoom out."""

TRIES, MOST_TRIES = 20, 40
"""Sets of places tried: for the sake of a larger scale alone, and before giving up."""

NEVER = 10**6
"""More zooming out than there is."""


class Choice(NamedTuple):
    """A set of places; the least is the best.

    `unsafe`: some end has no room for a spinner, and none is laid yet.
    """

    unsafe: bool
    zoom: int
    ends: dict[str, Open]

    @property
    def rank(self) -> tuple[bool, int]:
        return self.unsafe, self.zoom


def choose(table: Table, fresh: Mapping[str, Fresh], kept: Mapping[str, Open]) -> Choice | None:
    """Find a place for each fresh end; those kept for other ends stay unless that costs scale."""
    ground = Ground(table.boxes())
    choice = _best(table, ground, fresh, kept, None)
    if kept and (choice is None or choice.rank > (False, table.camera.zoom)):
        every = {**fresh, **{arm: end.fresh() for arm, end in kept.items()}}
        return _best(table, ground, every, {}, choice) or choice
    return choice


def _best(
    table: Table,
    ground: Ground,
    fresh: Mapping[str, Fresh],
    kept: Mapping[str, Open],
    beat: Choice | None,
) -> Choice | None:
    """The best set of places for the fresh ends, if it is better than the choice to beat."""
    others = [end.next for end in kept.values()]
    base = bounds([*table.boxes(), *(shape.box for shape in others)])
    limit = NEVER if beat is None or beat.unsafe else beat.zoom
    options = [
        [
            shape
            for shape in _options(table, end, kept)
            if _rank(table, base, [shape])[0] < limit and ground.way_out(shape)
        ]
        for end in fresh.values()
    ]
    ranked = sorted(
        (_rank(table, base, shapes), index, shapes)
        for index, shapes in enumerate(product(*options))
        if _apart(shapes)
    )
    found: Choice | None = None
    for (zoom, _), _, shapes in ranked[: TRIES if beat else MOST_TRIES]:
        if beat and (found or not beat.unsafe) and zoom >= beat.zoom:
            break
        if not ground.escape([*shapes, *others]):
            continue
        ends = {**kept, **_opened(fresh, shapes)}
        if table.spinner or _room_for_spinner(table, ends):
            return Choice(False, zoom, ends)
        found = found or Choice(True, zoom, ends)
    return found if found and (beat is None or found.rank < beat.rank) else None


def _opened(fresh: Mapping[str, Fresh], shapes: Sequence[Shape]) -> dict[str, Open]:
    return {
        arm: Open(end.value, end.owner, end.end, shape)
        for (arm, end), shape in zip(fresh.items(), shapes, strict=True)
    }


def fits_between(
    shape: Shape, owner: int, tiles: tuple[Laid, ...], ends: Mapping[str, Open]
) -> bool:
    """Whether a tile here keeps clear of all tiles but the one it joins, and of places kept."""
    return not any(
        shape.box.near(laid.box, gap=0 if index == owner else 1) for index, laid in enumerate(tiles)
    ) and not any(shape.box.near(other.next.box) for other in ends.values())


def _apart(shapes: Sequence[Shape]) -> bool:
    return not any(a.box.near(b.box) for index, a in enumerate(shapes) for b in shapes[index + 1 :])


def _options(table: Table, fresh: Fresh, kept: Mapping[str, Open]) -> Iterator[Shape]:
    """The places an end could have for its next tile, taken alone."""
    for shape in leaning(table, fresh.end, ordinary(fresh.end)):
        if not fits_between(shape, fresh.owner, table.tiles, kept):
            continue
        if table.spinner:
            yield shape
        else:
            yield shape._replace(cost=shape.cost + _spinner_cost(table, shape))


def _rank(table: Table, base: Box, shapes: Sequence[Shape]) -> tuple[int, float]:
    """Least zooming out first, then the cheapest."""
    x0, y0, x1, y1 = base
    cost = 0.0
    for box, _, _, price in shapes:
        x0, y0, x1, y1 = min(x0, box.x0), min(y0, box.y0), max(x1, box.x1), max(y1, box.y1)
        cost += price
    box = Box(x0, y0, x1, y1)
    if shows(table.frame, table.camera, box):
        return table.camera.zoom, cost
    return max(table.camera.zoom, zoom_for(table.frame, box)), cost + _move_cost(table, box)


def _move_cost(table: Table, box: Box) -> float:
    """Moving the camera is cheap while there is much room to gain by it."""
    left, top, right, bottom = seen(table.frame, table.camera)
    fill = 0.0
    if box.x0 < left + MARGIN or box.x1 > right - MARGIN:
        fill = (box.x1 - box.x0) / (right - left)
    if box.y0 < top + MARGIN or box.y1 > bottom - MARGIN:
        fill = max(fill, (box.y1 - box.y0) / (bottom - top))
    return MOVE * fill**2


def leaning(table: Table, end: End, shapes: list[Shape]) -> Iterator[Shape]:
    """The shapes, those that bend to the fuller side made a little dearer."""
    second = sides(end.direction)[0 if table.way.mirrored else 1]
    for shape in shapes:
        heading = shape.end.direction
        if heading == end.direction:
            yield shape
        elif not table.way.straight:
            lean = LEAN * (1 - _room(table, shape.end)) + MASS * _mass(table, end, heading)
            yield shape._replace(cost=shape.cost + lean + (HAND if heading == second else 0.0))


def _room(table: Table, end: End) -> float:
    """How far an arm can go straight on, as a share of the frame."""
    left, top, right, bottom = seen(table.frame, table.camera)
    x, y = end.square
    room = (right - x, bottom - y, x - left, y - top)[end.direction]
    for laid in table.tiles:
        room = min(room, _distance(end, laid.box))
    span = (right - left) if end.direction in (EAST, WEST) else (bottom - top)
    return max(0.0, room) / span


def _distance(end: End, box: Box) -> float:
    """How far an arm can go from this end before it meets the box."""
    x, y = end.square
    if end.direction in (EAST, WEST):
        beside = box.y1 < y or box.y0 > y + 2
        ahead = box.x0 - x if end.direction == EAST else x - box.x1
    else:
        beside = box.x1 < x or box.x0 > x + 2
        ahead = box.y0 - y if end.direction == SOUTH else y - box.y1
    return ahead if ahead > 0 and not beside else float("inf")


def _mass(table: Table, end: End, heading: int) -> float:
    """The share of the table that lies to this side of an end."""
    x, y = end.square
    count = 0
    for laid in table.tiles:
        middle_x, middle_y = laid.box.x0 + laid.box.x1, laid.box.y0 + laid.box.y1
        side = (middle_x - 2 * x - 2, middle_y - 2 * y - 2)
        ahead = side[heading % 2] * (1 if heading in (EAST, SOUTH) else -1)
        count += ahead > 0
    return count / len(table.tiles)


def _beyond(end: End) -> tuple[Shape, list[Shape]]:
    """A spinner laid straight on at an end, and a straight tile at each end it opens."""
    spinner = crossing(end)
    halves = [spinner_side(spinner.end.square, side) for side in sides(end.direction)]
    return spinner, [straight(spinner.end), *(straight(half) for half in halves)]


def _spinner_cost(table: Table, shape: Shape) -> float:
    """What it would cost to lay the spinner beyond this place."""
    spinner, nexts = _beyond(shape.end)
    box = bounds([*table.boxes(), spinner.box, *(follower.box for follower in nexts)])
    return SPINNER * max(0, zoom_for(table.frame, box) - table.camera.zoom)


def _room_for_spinner(table: Table, ends: Mapping[str, Open]) -> bool:
    """Whether each end could take the spinner now, and after one tile more."""
    boxes = table.boxes()
    for arm, end in ends.items():
        others = [other.next for name, other in ends.items() if name != arm]
        if not _takes_spinner(boxes, end.owner, end.end, others):
            return False
        if not _takes_spinner([*boxes, end.next.box], len(boxes), end.next.end, others):
            return False
    return True


def _takes_spinner(boxes: list[Box], owner: int, end: End, others: list[Shape]) -> bool:
    spinner, nexts = _beyond(end)
    for shape in (spinner, *nexts):
        for index, box in enumerate(boxes):
            if shape.box.near(box, gap=0 if index == owner and shape is spinner else 1):
                return False
        if any(shape.box.near(other.box) for other in others):
            return False
    return Ground([*boxes, spinner.box]).escape([*nexts, *others])
