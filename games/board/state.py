"""What is known of a table: its tiles, its open ends, and where the camera stands."""

from typing import NamedTuple

from .camera import Camera, Frame
from .geometry import Box, Square
from .shapes import End, Shape


class StuckError(Exception):
    """No place is left that keeps a way open for every end."""


class Laid(NamedTuple):
    """A tile on the table; `high` is the half with its higher value."""

    tile: str
    arm: str
    box: Box
    high: Square


class Fresh(NamedTuple):
    """An open end without a place for its next tile: its value, its tile's number, where it is."""

    value: int
    owner: int
    end: End


class Open(NamedTuple):
    """An open end and the place kept for its next tile.

    `closed` marks a spinner's side that may not be used yet but needs its room all the same.
    """

    value: int
    owner: int
    end: End
    next: Shape
    closed: bool = False

    def fresh(self) -> Fresh:
        return Fresh(self.value, self.owner, self.end)


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
