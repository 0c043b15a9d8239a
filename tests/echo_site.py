"""A server of ours around a tiny application: ``python -m tests.echo_site PORT``.

A socket says back what it hears, ``long`` as a long message; a request is answered after the
pause its path names, in seconds.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from spectacular.web import SiteServer

LONG = 200_000


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    if scope["type"] == "http":
        await asyncio.sleep(float(scope["path"].strip("/") or 0))
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"done"})
        return
    await receive()
    await send({"type": "websocket.accept"})
    while (message := await receive())["type"] == "websocket.receive":
        text = "x" * LONG if message["text"] == "long" else message["text"]
        await send({"type": "websocket.send", "text": text})


if __name__ == "__main__":
    SiteServer(application, "127.0.0.1", int(sys.argv[1])).serve()
