"""What the beat fires."""

from __future__ import annotations

import logging
from collections.abc import Callable

from celery import shared_task
from redis import RedisError

from . import lobby, store, sweeps, timekeeping

log = logging.getLogger(__name__)


@shared_task(ignore_result=True)  # type: ignore[untyped-decorator]
def sweep() -> int:
    """Judge the matches that are due, then see to who waits in the lobby; returns how many
    matches were due."""
    now = timekeeping.now_ms()
    late = store.lateness(now)
    judged = store.sweep(now)
    try:
        sweeps.record(timekeeping.now_ms(), late, judged)
    except RedisError:
        log.warning("nobody will know of this sweep", exc_info=True)
    _see_to(lobby.expire)
    _see_to(lobby.pair)
    return judged


def _see_to(part: Callable[[int], int]) -> None:
    """One part of the lobby; where it fails, the others and the matches are no worse for it."""
    try:
        part(timekeeping.now_ms())
    except Exception:
        log.exception("the lobby could not be seen to: %s", part.__name__)
