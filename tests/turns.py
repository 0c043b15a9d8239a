"""Tests that run side by side, and those that must have the machine to themselves."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def in_turn(folder: Path, *, alone: bool) -> Iterator[None]:
    """Wait until one may run: alone, or beside any number of others who do not ask for that.

    ``folder`` is shared by all. Whoever asks first is served first: the gate is held while one
    waits, so that nobody slips in before.
    """
    with (folder / "gate").open("w") as gate, (folder / "turn").open("w") as turn:
        fcntl.flock(gate, fcntl.LOCK_EX)
        fcntl.flock(turn, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        fcntl.flock(gate, fcntl.LOCK_UN)
        yield
