"""How many matches that need no opponent may be started."""

from __future__ import annotations

import logging

from allauth.core.internal import ratelimit
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from redis import RedisError

log = logging.getLogger(__name__)

#: Matches that may be started from one address, also where a whole school is behind it.
LIMIT = "20/m/ip,300/h/ip"


def too_many(request: HttpRequest) -> HttpResponse | None:
    """The page that says so, or None; a Redis that is away counts nobody."""
    try:
        if ratelimit.consume(request, app="games", action="two", config={"two": LIMIT}):
            return None
    except RedisError:
        log.warning("who starts matches is not counted", exc_info=True)
        return None
    return render(request, "429.html", status=429)
