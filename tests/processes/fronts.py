"""Web processes by name, and the deal they are tested with."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.games.factory import deal

from .site import Front, site_env, wait_for_sessions

# Seat 0 must open with 6-6; seat 1 can follow with five tiles on each side.
DEALT = deal("6-6 1-0 2-0 2-1 3-0 3-1 3-2", "6-5 6-4 6-3 6-2 6-1 6-0 5-5", "5-4 4-4 0-0")


SPECIAL = frozenset({"impatient", "freezable"})  # fronts that are modules of their own


class Fronts:
    """The web processes of a run, by name."""

    def __init__(self, redis_url: str, folder: Path) -> None:
        self.redis_url, self.folder = redis_url, folder
        self.running: dict[str, Front] = {}
        self.name = f"fronts in {folder.name}"
        self.count = 0

    def get(self, *names: str) -> list[Front]:
        """Web processes that serve; those that do not run are started, all at once."""
        for name in names:
            if name not in self.running or not self.running[name].runs:
                self.running[name] = self._start(name)
        for name in names:
            self.running[name].ready()
        return [self.running[name] for name in names]

    def _start(self, name: str) -> Front:
        self.count += 1
        program = ["-m", f"tests.processes.{name}"] if name in SPECIAL else []
        front = Front(
            site_env(self.redis_url, self.name), self.folder / f"{self.count}-{name}.log", program
        )
        front.start()
        return front

    def end(self) -> None:
        for front in self.running.values():
            front.end()
        wait_for_sessions(self.name)
        for log in sorted(self.folder.glob("*.log")):
            sys.stdout.write(f"--- {log.name}\n{log.read_text(errors='replace')}")
