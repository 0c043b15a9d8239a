"""Saying once that something is away, however many notice it."""

from __future__ import annotations

import logging


class Outage:
    """Something a process can do without for a while; told when it goes and when it is back."""

    def __init__(self, log: logging.Logger, what: str) -> None:
        self._log, self._what = log, what
        self._away = False

    def failed(self, error: Exception) -> None:
        """It was needed and did not answer."""
        if not self._away:
            self._away = True
            self._log.error("%s is away: %s", self._what, error or type(error).__name__)

    def answered(self) -> None:
        """It was needed and did answer."""
        if self._away:
            self._away = False
            self._log.warning("%s is back", self._what)
