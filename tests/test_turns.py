"""Whose turn it is, where tests run side by side."""

from __future__ import annotations

import fcntl
from pathlib import Path
from threading import Thread

from tests.tools import wait_until
from tests.turns import in_turn


def is_held(gate: Path) -> bool:
    with gate.open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def test_one_that_runs_alone_waits_for_the_others_and_is_served_before_who_comes_later(
    tmp_path: Path,
) -> None:
    came: list[str] = []

    def run(name: str, *, alone: bool) -> None:
        with in_turn(tmp_path, alone=alone):
            came.append(name)

    with in_turn(tmp_path, alone=False):
        run("beside", alone=False)
        waiting = Thread(target=run, args=["alone"], kwargs={"alone": True})
        waiting.start()
        wait_until(lambda: is_held(tmp_path / "gate"))
        later = Thread(target=run, args=["later"], kwargs={"alone": False})
        later.start()
        came.append("over")
    waiting.join(10)
    later.join(10)
    assert came == ["beside", "over", "alone", "later"]
