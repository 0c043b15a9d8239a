"""Restarts that are announced: every page tells them, and no new match starts."""

from __future__ import annotations

import logging
import time

from django.db import DatabaseError
from django.utils import timezone

from .models import RestartNotice

log = logging.getLogger(__name__)

KEPT = 5.0  # s for which a process remembers what it has read for its pages


def announced() -> RestartNotice | None:
    """The restart that is announced now, if one is; asks the database."""
    return RestartNotice.objects.filter(active=True, begins__lte=timezone.now()).first()


class _Memory:
    """What was read last, and until when that is good enough for a page."""

    notice: RestartNotice | None = None
    until: float = 0.0


def to_show() -> RestartNotice | None:
    """The restart a page tells of: one query, and none for the pages of the next seconds."""
    now = time.monotonic()
    if now >= _Memory.until:
        try:
            _Memory.notice = announced()
        except DatabaseError:
            log.warning("whether a restart is announced is not known", exc_info=True)
        _Memory.until = now + KEPT
    return _Memory.notice


def forget() -> None:
    """Ask the database again for the next page of this process."""
    _Memory.notice, _Memory.until = None, 0.0
