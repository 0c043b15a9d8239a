"""What a page needs to draw a table."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from .camera import Camera, Frame, scale, seen
from .geometry import HALF, STEPS, Box, Square
from .state import Laid, Open, StuckError, Table, Way
from .table import lay, opening

Plays = tuple[tuple[str, str], ...]

LABEL = 0.75
"""Half tiles between the middle of an open half and the label of its count."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A tile in its place.

    `x` and `y` are its middle in half tiles, the opening tile at 0, 0. `turn` is in degrees
    clockwise, from a tile lying with its higher half to the left.
    """

    tile: str
    arm: str
    x: float
    y: float
    turn: int


@dataclass(frozen=True, slots=True)
class Target:
    """Where the next tile of an open end will lie, and where the end's count is written.

    `turn` is that of a tile whose higher half joins; `heading` is the way the end points
    (0 right, 90 down, 180 left, 270 up).
    """

    x: float
    y: float
    turn: int
    end_x: float
    end_y: float
    heading: int


@dataclass(frozen=True, slots=True)
class Layout:
    """A whole table; `viewbox` is x, y, width, height in half tiles, in the frame's aspect."""

    tiles: tuple[Placed, ...]
    targets: dict[str, Target]
    viewbox: tuple[float, float, float, float]
    scale: float
    """Px per half tile."""
    camera_moves: int = 0
    relayouts: int = 0


@dataclass(frozen=True, slots=True)
class _State:
    table: Table
    relayouts: int = 0


WAYS = (
    *(Way(mirrored, zoom) for zoom in (0, 2, 4, 5, 8) for mirrored in (True, False)),
    Way(straight=True),
)
"""How a table that got stuck is begun anew: mirrored, smaller, at last with straight arms only."""

FLOOR = 5
"""Steps of zooming out after which it is worth laying the whole table anew to gain size."""


def lay_out(plays: Sequence[tuple[str, str]], frame: Frame) -> Layout:
    """Lay out a round's tiles, given in order of play as tile and arm."""
    if not plays:
        return _empty(frame)
    return _layout(tuple((tile, arm) for tile, arm in plays), frame)


def forget() -> None:
    """Drop every table that is kept for its next tile."""
    _layout.cache_clear()
    _state.cache_clear()


@lru_cache(maxsize=2048)
def _layout(plays: Plays, frame: Frame) -> Layout:
    return _view(_state(plays, frame))


@lru_cache(maxsize=4096)
def _state(plays: Plays, frame: Frame) -> _State:
    """The fold over the plays; what came before the last one is most often still known."""
    tile, arm = plays[-1]
    if len(plays) == 1:
        if arm != "open":
            raise ValueError(f"{tile} cannot be laid at {arm}")
        return _State(opening(frame, Way(), tile))
    before = _state(plays[:-1], frame)
    try:
        table = lay(before.table, tile, arm)
    except StuckError:
        return _State(next(_anew(plays, frame)), before.relayouts + 1)
    if before.table.camera.zoom <= FLOOR < table.camera.zoom:
        for other in _anew(plays, frame):
            if other.camera.zoom <= FLOOR:
                return _State(other, before.relayouts + 1)
    return _State(table, before.relayouts)


def _anew(plays: Plays, frame: Frame) -> Iterator[Table]:
    """The whole table in the other ways, as far as they do not get stuck; the last never does."""
    for way in WAYS:
        try:
            yield _table_in(way, plays, frame)
        except StuckError:
            continue


def _table_in(way: Way, plays: Sequence[tuple[str, str]], frame: Frame) -> Table:
    table = opening(frame, way, plays[0][0])
    for tile, arm in plays[1:]:
        table = lay(table, tile, arm)
    return table


def lay_out_in(way: Way, plays: Sequence[tuple[str, str]], frame: Frame) -> Layout:
    """Lay out a round in one way only, stuck or not."""
    return _view(_State(_table_in(way, plays, frame)))


def _view(state: _State) -> Layout:
    table = state.table
    return Layout(
        tiles=tuple(_placed(laid) for laid in table.tiles),
        targets={arm: _target(end) for arm, end in table.ends if not end.closed},
        viewbox=_viewbox(table.frame, table.camera),
        scale=scale(table.frame, table.camera.zoom),
        camera_moves=table.camera.moves,
        relayouts=state.relayouts,
    )


def _empty(frame: Frame) -> Layout:
    """The table before the first tile."""
    target = Target(0.0, 0.0, 0, 0.0, 0.0, 0)
    return Layout((), {"open": target}, _viewbox(frame, Camera()), scale(frame, 0))


def _viewbox(frame: Frame, camera: Camera) -> tuple[float, float, float, float]:
    left, top, right, bottom = (edge / HALF for edge in seen(frame, camera))
    return left, top, right - left, bottom - top


def _middle(box: Box) -> tuple[float, float]:
    return (box.x0 + box.x1) / 2 / HALF, (box.y0 + box.y1) / 2 / HALF


def _turn(box: Box, high: Square) -> int:
    """The turn that brings the higher half to `high`."""
    if box.x1 - box.x0 > box.y1 - box.y0:
        return 0 if high.x == box.x0 else 180
    return 90 if high.y == box.y0 else 270


def _placed(laid: Laid) -> Placed:
    x, y = _middle(laid.box)
    return Placed(laid.tile, laid.arm, x, y, _turn(laid.box, laid.high))


def _target(end: Open) -> Target:
    x, y = _middle(end.next.box)
    dx, dy = STEPS[end.end.direction]
    square = end.end.square
    return Target(
        x=x,
        y=y,
        turn=_turn(end.next.box, end.next.joint),
        end_x=(square.x + 1) / HALF + dx * LABEL,
        end_y=(square.y + 1) / HALF + dy * LABEL,
        heading=end.end.direction * 90,
    )
