"""What the beat fires."""

from __future__ import annotations

import logging

from celery import shared_task
from redis import RedisError

from . import store, sweeps, timekeeping

log = logging.getLogger(__name__)


@shared_task(ignore_result=True)  # type: ignore[untyped-decorator]
def sweep() -> int:
    """Judge the matches that are due; returns how many were."""
    now = timekeeping.now_ms()
    late = store.lateness(now)
    judged = store.sweep(now)
    try:
        sweeps.record(timekeeping.now_ms(), late, judged)
    except RedisError:
        log.warning("nobody will know of this sweep", exc_info=True)
    return judged
