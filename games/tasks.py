"""What the beat fires."""

from __future__ import annotations

from celery import shared_task

from . import store, timekeeping


@shared_task(ignore_result=True)  # type: ignore[untyped-decorator]
def sweep() -> int:
    """Judge the matches that are due; returns how many were."""
    return store.sweep(timekeeping.now_ms())
