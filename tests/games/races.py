"""Several at once, each in a thread and with a database connection of its own."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import connection

from games.play import Refused


def at_once(work: Callable[[int], Any], times: int) -> list[Any]:
    """What ``times`` threads got from doing the same at once; refusals are their codes."""

    def one(number: int) -> Any:
        try:
            return work(number)
        except Refused as refused:
            return refused.code
        finally:
            connection.close()

    with ThreadPoolExecutor(times) as threads:
        return list(threads.map(one, range(times)))
