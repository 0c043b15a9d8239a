"""The laid tiles, their open ends and the count (R4, R5)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from .errors import Illegal
from .tiles import Tile

OPEN = "open"
MAIN_ARMS = ("left", "right")
SIDE_ARMS = ("up", "down")
ARMS = MAIN_ARMS + SIDE_ARMS


@dataclass(frozen=True, slots=True)
class End:
    """An open end: the value a tile must have to join it, and what it counts.

    ``spinner`` says that the spinner itself lies there, so that the next tile takes one of
    its main arms.
    """

    value: int
    count: int
    spinner: bool = False


class Laid(NamedTuple):
    """A tile and the arm it was laid on; ``open`` for the opening tile."""

    tile: Tile
    arm: str


@dataclass(frozen=True, slots=True)
class Table:
    """An immutable table; :meth:`lay` gives the next one."""

    laid: tuple[Laid, ...] = ()
    spinner: Tile | None = None
    ends: tuple[tuple[str, End], ...] = ()

    @property
    def count(self) -> int:
        """The sum over the open counted ends (R5.1)."""
        return sum(end.count for _, end in self.ends)

    def end(self, arm: str) -> End | None:
        """The open end of ``arm``, or None."""
        return next((end for name, end in self.ends if name == arm), None)

    def arms_for(self, tile: Tile) -> tuple[str, ...]:
        """The arms this tile may be laid on, ``("open",)`` on an empty table."""
        if not self.laid:
            return (OPEN,)
        return tuple(arm for arm, end in self.ends if tile.has(end.value))

    def lay(self, tile: Tile, arm: str) -> Table:
        """The table with ``tile`` laid on ``arm``.

        Raises :class:`Illegal` ``no_such_end`` where the arm is not open, ``does_not_fit``
        where no half has the end's value (R4.1).
        """
        if arm == OPEN and not self.laid:
            return self._open(tile)
        end = self.end(arm)
        if end is None:
            raise Illegal("no_such_end", arm=arm)
        if not tile.has(end.value):
            raise Illegal("does_not_fit", tile=str(tile), arm=arm, value=end.value)
        return self._join(tile, arm, end)

    def _open(self, tile: Tile) -> Table:
        spins = tile.is_double
        left, right = End(tile.high, tile.high, spins), End(tile.low, tile.low, spins)
        return Table(
            laid=(Laid(tile, OPEN),),
            spinner=tile if spins else None,
            ends=(("left", left), ("right", right)),
        )

    def _join(self, tile: Tile, arm: str, end: End) -> Table:
        outer = tile.other(end.value)
        becomes_spinner = tile.is_double and self.spinner is None
        new_end = End(outer, tile.pips if tile.is_double else outer, becomes_spinner)
        ends = {**dict(self.ends), arm: new_end}
        if end.spinner:
            _take_main_arm(ends, end.value)
        return replace(
            self,
            laid=(*self.laid, Laid(tile, arm)),
            spinner=tile if becomes_spinner else self.spinner,
            ends=tuple(ends.items()),
        )


def _take_main_arm(ends: dict[str, End], value: int) -> None:
    """Change ``ends`` for one more main arm of the spinner taken (R4.3, R5.3, Readings 2).

    With one of them taken the other counts both halves; with both taken the side arms open
    and count nothing.
    """
    other = next((arm for arm in MAIN_ARMS if ends[arm].spinner), None)
    if other is not None:
        ends[other] = replace(ends[other], count=2 * value)
    else:
        ends.update({arm: End(value, 0) for arm in SIDE_ARMS})
