"""The addresses of the sockets."""

from __future__ import annotations

from typing import Any

from channels.sessions import CookieMiddleware
from django.urls import re_path

from .arrival import StampArrivals
from .consumers import JsonMatchConsumer, MatchConsumer, NowhereConsumer, SmallMatchConsumer
from .lobby_consumer import LobbyConsumer

_MATCH = r"^ws/matches/(?P<match_id>[A-Za-z0-9]+)/"


def _socket(consumer: Any) -> Any:
    return StampArrivals(CookieMiddleware(consumer.as_asgi()))


websocket_urlpatterns: list[Any] = [
    re_path(_MATCH + "$", _socket(MatchConsumer)),
    re_path(_MATCH + "json/$", _socket(JsonMatchConsumer)),
    re_path(_MATCH + "small/$", _socket(SmallMatchConsumer)),
    re_path(r"^ws/lobby/$", _socket(LobbyConsumer)),
    re_path("", NowhereConsumer.as_asgi()),
]
