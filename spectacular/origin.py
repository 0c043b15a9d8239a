"""Which pages may open a socket: the site's own, scheme and port included."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from django.conf import settings
from django.http.request import split_domain_port, validate_host

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

NOT_ALLOWED = 4403


class OwnOrigin:
    """Lets a socket through whose Origin is the site itself, or that has none (no browser)."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if is_own(scope):
            return await self.application(scope, receive, send)
        # A socket refused before it is accepted looks like a lost connection to a browser.
        await receive()
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.close", "code": NOT_ALLOWED})
        return None


def is_own(scope: Scope) -> bool:
    """Whether the handshake of ``scope`` comes from a page of this site."""
    headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
    origin = headers.get(b"origin")
    if origin is None or origin in settings.CSRF_TRUSTED_ORIGINS:
        return True
    host = headers.get(b"host", "")
    domain, _port = split_domain_port(host)
    scheme = "https" if _is_secure(scope, headers) else "http"
    return (
        validate_host(domain, settings.ALLOWED_HOSTS)
        and origin.lower() == f"{scheme}://{host}".lower()
    )


def _is_secure(scope: Scope, headers: dict[bytes, str]) -> bool:
    if settings.TRUSTED_PROXIES:
        # A list's last entry is the one our own proxy wrote.
        return headers.get(b"x-forwarded-proto", "").rpartition(",")[2].strip() == "https"
    return scope.get("scheme") == "wss"
