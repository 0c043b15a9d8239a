"""The web server: Daphne's own, started and stopped our way.

Only this module knows Daphne; importing it installs the reactor, so nothing else should.
"""

from __future__ import annotations

import asyncio
import logging
import signal
from typing import Any

# Must come before anything else of Twisted: it chooses the reactor.
from daphne.server import Server  # isort: skip
from daphne.endpoints import build_endpoint_description_strings
from daphne.ws_protocol import WebSocketProtocol
from twisted.internet import reactor
from twisted.internet.defer import Deferred, succeed

from spectacular.signals import front_ready, front_stopped, front_stopping

log = logging.getLogger(__name__)

# A command has at most 4 KB and is told so when it has more; this is where politeness ends.
MAX_INCOMING = 16 * 1024
# Autobahn holds what we send to this one too, and a whole table is larger than any command.
MAX_MESSAGE = 1024 * 1024
# What may wait for a client that does not read, beside what the kernels hold.
MAX_WAITING = 1024 * 1024
SERVICE_RESTART, TOO_SLOW = 1012, 1013
# How long the frames that came before a socket was gone may take to be carried out.
LAST_WORDS_SECONDS = 60
# How long sockets and requests have to end by themselves once we stop.
GRACE_SECONDS = 3.0


class CannotListen(Exception):
    """The address cannot be served; the text says why."""


class Waiting:
    """How much waits for a client; the transport tells when its buffer is full, and empty."""

    def __init__(self) -> None:
        self.full = False
        self.characters = 0

    def add(self, characters: int) -> None:
        if self.full:
            self.characters += characters

    def pauseProducing(self) -> None:  # noqa: N802
        self.full = True

    def resumeProducing(self) -> None:  # noqa: N802
        self.full = False
        self.characters = 0

    def stopProducing(self) -> None:  # noqa: N802
        """The connection is gone."""


class SiteSocket(WebSocketProtocol):  # type: ignore[misc]
    """Daphne's socket that bounds what comes in and what waits to go out, and can close with
    every code there is."""

    def onOpen(self) -> None:  # noqa: N802
        super().onOpen()
        self.waiting = Waiting()
        # Twisted's HTTP channel was told so far, which is done with this connection. Nothing
        # keeps us from reading: a command is in time although its sender reads slowly.
        self.transport.unregisterProducer()
        self.transport.registerProducer(self.waiting, True)

    def serverSend(self, content: str | bytes, binary: bool = False) -> None:  # noqa: N802
        super().serverSend(content, binary)
        self.waiting.add(len(content))
        if self.waiting.characters > MAX_WAITING and self.state == self.STATE_OPEN:
            self.serverClose(TOO_SLOW)

    def onMessageFrameBegin(self, length: int) -> None:  # noqa: N802
        super().onMessageFrameBegin(length)
        if not self.failedByMe and self.message_data_total_length > MAX_INCOMING:
            self._max_message_size_exceeded(
                self.message_data_total_length, MAX_INCOMING, "the message is too large"
            )

    def serverClose(self, code: int | None = None) -> None:  # noqa: N802
        # Autobahn's own refuses 1012 and 1013, which tell a browser to come back.
        if self.state == self.STATE_CONNECTING:
            self.serverReject()
        else:
            self.sendCloseFrame(code=1000 if code is None else code)


class SiteServer(Server):  # type: ignore[misc]
    """Daphne's server that closes its sockets before it goes, and says why it cannot start."""

    def __init__(self, application: Any, host: str, port: int) -> None:
        super().__init__(
            application,
            endpoints=build_endpoint_description_strings(host=host, port=port),
            signal_handlers=False,
            application_close_timeout=LAST_WORDS_SECONDS,
            websocket_max_message_size=MAX_MESSAGE,
            websocket_max_frame_size=MAX_INCOMING,
            ready_callable=self._before_the_loop_runs,
            server_name="spectacular",
        )
        self.failure = ""
        self.stopping: asyncio.Task[None] | None = None
        self.loop: asyncio.AbstractEventLoop = reactor._asyncioEventloop  # noqa: SLF001
        self.ports: list[Any] = []

    def serve(self) -> None:
        """Serve until SIGTERM or SIGINT; raise ``CannotListen`` if that is not possible."""
        self.run()
        if self.failure:
            raise CannotListen(self.failure)

    def _before_the_loop_runs(self) -> None:
        self.ws_factory.protocol = SiteSocket
        # Whoever sends too much is told so before the line goes dead.
        self.ws_factory.setProtocolOptions(failByDrop=False)
        for number in (signal.SIGTERM, signal.SIGINT):
            self.loop.add_signal_handler(number, self._stop_soon)
        self.loop.create_task(announce(front_ready))

    def _stop_soon(self) -> None:
        if self.stopping is None:
            self.stopping = self.loop.create_task(self._stop_gently())

    async def _stop_gently(self) -> None:
        try:
            for port in self.ports:
                port.stopListening()
            await announce(front_stopping)
            for protocol in list(self.connections):
                if isinstance(protocol, WebSocketProtocol):
                    protocol.serverClose(SERVICE_RESTART)
            if running := self._running():
                await asyncio.wait(running, timeout=GRACE_SECONDS)
            await announce(front_stopped)
        finally:
            self.stop()

    def _running(self) -> list[asyncio.Future[Any]]:
        instances = (each.get("application_instance") for each in self.connections.values())
        return [instance for instance in instances if instance and not instance.done()]

    def listen_success(self, port: Any) -> None:
        self.ports.append(port)
        super().listen_success(port)

    def listen_error(self, failure: Any) -> None:
        self.failure = failure.getErrorMessage()
        self.stop()

    def kill_all_applications(self) -> Deferred[Any]:
        """Cancel what is still running; Daphne's own stumbles over idle connections."""
        running = self._running()
        if not running:
            return succeed(None)
        log.warning("stopping with %d requests or sockets still open", len(running))
        for instance in running:
            instance.cancel()
        return Deferred.fromFuture(asyncio.gather(*running, return_exceptions=True))


async def announce(news: Any) -> None:
    """Send a signal of this process; a receiver that fails is logged and stops nobody."""
    for receiver, answer in await news.asend_robust(sender=SiteServer):
        if isinstance(answer, Exception):
            log.error("%r failed", receiver, exc_info=answer)


def serve(host: str, port: int) -> None:
    """Serve the site on ``host`` and ``port`` until told to stop."""
    from spectacular.asgi import application

    SiteServer(application, host, port).serve()
