"""What part of the table's plane a frame shows, and how large."""

from functools import lru_cache
from math import ceil, log
from typing import NamedTuple

from .geometry import HALF, Box

MARGIN = 1.2
"""Cells kept free around everything shown."""

STEP = 0.94
"""One step of zooming out."""

START_AREA = 182.0
"""Square halves shown by an empty table: decides the scale a round starts at."""

LARGEST = 54.0
"""Px per half tile that are large enough; more would only make the arms bend early."""


class Frame(NamedTuple):
    """The room a viewer has for the table, in px."""

    width: int
    height: int


FRAMES = {"tall": Frame(390, 583), "low": Frame(844, 250), "wide": Frame(1280, 535)}
"""Phone upright, phone on its side, desktop."""


class Camera(NamedTuple):
    """The middle of what is shown, in cells, and how many steps it has zoomed out."""

    x: float = 0.0
    y: float = 0.0
    zoom: int = 0
    moves: int = 0


def scale(frame: Frame, zoom: int) -> float:
    """Px per half tile."""
    start: float = min(LARGEST, (frame.width * frame.height / START_AREA) ** 0.5)
    return start * STEP**zoom


@lru_cache(maxsize=4096)
def zoom_for(frame: Frame, box: Box) -> int:
    """The steps of zooming out that show all of this box, wherever the camera stands."""
    wide = (box.x1 - box.x0 + 2 * MARGIN) / HALF
    high = (box.y1 - box.y0 + 2 * MARGIN) / HALF
    fitting = min(frame.width / wide, frame.height / high)
    return max(0, ceil(log(fitting / scale(frame, 0)) / log(STEP) - 1e-9))


@lru_cache(maxsize=256)
def seen(frame: Frame, camera: Camera) -> tuple[float, float, float, float]:
    """The visible rectangle in cells: left, top, right, bottom."""
    pixels = scale(frame, camera.zoom)
    half_wide, half_high = frame.width * HALF / pixels / 2, frame.height * HALF / pixels / 2
    return (
        camera.x - half_wide,
        camera.y - half_high,
        camera.x + half_wide,
        camera.y + half_high,
    )


def shows(frame: Frame, camera: Camera, box: Box) -> bool:
    """Whether the camera need not move for this box."""
    left, top, right, bottom = seen(frame, camera)
    return (
        box.x0 - MARGIN >= left
        and box.y0 - MARGIN >= top
        and box.x1 + MARGIN <= right
        and box.y1 + MARGIN <= bottom
    )


def follow(frame: Frame, camera: Camera, box: Box) -> Camera:
    """The camera that shows all of `box`: this one if it does, else centred on the box."""
    if shows(frame, camera, box):
        return camera
    zoom = max(camera.zoom, zoom_for(frame, box))
    return Camera((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2, zoom, camera.moves + 1)
