"""How the log is kept readable."""

from __future__ import annotations

import logging


class Brief(logging.Filter):
    """Lets a message through without its traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.exc_info = record.exc_text = None
        return True
