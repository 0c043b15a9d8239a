"""A server of ours around a tiny application: ``python -m tests.echo_site PORT``.

A socket says back what it hears, ``long`` as a long message; a request gets the first half of its
answer at once and the other half a moment later.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from spectacular.web import SiteServer

LONG = 200_000


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"first ", "more_body": True})
        await asyncio.sleep(1)
        await send({"type": "http.response.body", "body": b"last"})
        return
    await receive()
    await send({"type": "websocket.accept"})
    while (message := await receive())["type"] == "websocket.receive":
        text = "x" * LONG if message["text"] == "long" else message["text"]
        await send({"type": "websocket.send", "text": text})


if __name__ == "__main__":
    SiteServer(application, "127.0.0.1", int(sys.argv[1])).serve()
