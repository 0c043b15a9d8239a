"""The clocks of the service, and what they prove.

Everything that decides takes its moments as arguments; only the edges of the service
(a frame that arrives, a sweep that begins) ask :func:`now_ms`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass


def now_ms() -> int:
    """The Unix time in whole milliseconds."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class Proof:
    """Evidence that the service was measuring time.

    Everything that reached the service up to ``decided``, in milliseconds since the match was
    created, has been decided. Nobody loses on time at a deadline after it.
    """

    decided: int
