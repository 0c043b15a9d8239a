"""Several programs run as one: their lines in one stream, and all of them stop together."""

from __future__ import annotations

import asyncio
import ctypes
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

STOP_SECONDS = 8.0
LONGEST_LINE = 1024 * 1024
PR_SET_PDEATHSIG = 1


@dataclass
class Part:
    """One program of the whole.

    Parts of a higher ``layer`` stop first. A ``quiet`` one is heard only when it dies.
    """

    name: str
    command: Sequence[str]
    layer: int = 1
    quiet: bool = False
    last_lines: deque[str] = field(default_factory=lambda: deque(maxlen=20), repr=False)
    process: asyncio.subprocess.Process | None = field(default=None, repr=False)

    @property
    def runs(self) -> bool:
        return self.process is not None and self.process.returncode is None


class Stopped(Exception):
    """Somebody asked the whole to stop."""


class Died(Exception):
    """A part ended that should not have; the text names it."""


class Supervisor:
    """Starts parts, passes on what they say, and stops them all."""

    def __init__(
        self, env: Mapping[str, str], folder: Path, say: Callable[[str], None], width: int = 6
    ) -> None:
        self.env = dict(env)
        self.folder = folder
        self.say = say
        self.width = width
        self.parts: list[Part] = []
        self.tasks: list[asyncio.Task[None]] = []
        self.ending: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def listen_for_signals(self) -> None:
        """Let Ctrl-C, a closed terminal and SIGTERM stop the whole."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self._end, Stopped())

    def _end(self, why: Exception) -> None:
        if not self.ending.done():
            self.ending.set_exception(why)

    async def start(self, part: Part) -> None:
        """Start ``part`` in a process group of its own: Ctrl-C reaches us, and we stop it."""
        part.process = await asyncio.create_subprocess_exec(
            *part.command,
            cwd=self.folder,
            env=self.env,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            limit=LONGEST_LINE,
            process_group=0,
            preexec_fn=_die_with_parent,
        )
        self.parts.append(part)
        self.tasks.append(asyncio.create_task(self._follow(part, part.process)))

    async def _follow(self, part: Part, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        with suppress(ValueError):  # a line longer than any we know
            async for line in process.stdout:
                self._hear(part, line.decode("utf-8", "replace").rstrip())
        status = await process.wait()
        if part.quiet and not self.ending.done():
            part.quiet = False
            for text in part.last_lines:
                self._hear(part, text)
        self._end(Died(f"{part.name} stopped by itself ({_spelled(status)})"))

    def _hear(self, part: Part, text: str) -> None:
        if part.quiet:
            part.last_lines.append(text)
        elif text:
            self.say(f"{part.name:<{self.width}} | {text}")

    async def wait(self) -> None:
        """Return never: raise ``Stopped`` or ``Died`` when it is time to stop."""
        await asyncio.shield(self.ending)

    async def until(self, condition: Callable[[], bool], pause: float = 0.05) -> None:
        """Wait until ``condition`` holds; raise as ``wait`` does if the end comes first."""
        while not await asyncio.to_thread(condition):
            await asyncio.wait([self.ending], timeout=pause)
            if self.ending.done():
                self.ending.result()

    async def stop(self) -> None:
        """Stop every part, layer by layer, and wait for it; one that lingers is killed."""
        self._end(Stopped())
        self.ending.exception()
        for layer in sorted({part.layer for part in self.parts}, reverse=True):
            await self._stop_layer([part for part in self.parts if part.layer == layer])
        await asyncio.gather(*self.tasks)

    async def _stop_layer(self, parts: Sequence[Part]) -> None:
        running = [part.process for part in parts if part.process and part.runs]
        for process in running:
            with suppress(ProcessLookupError):
                process.send_signal(signal.SIGTERM)
        waits = [asyncio.ensure_future(process.wait()) for process in running]
        if waits:
            await asyncio.wait(waits, timeout=STOP_SECONDS)
        for process in running:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    process.kill()


def _spelled(status: int) -> str:
    return f"status {status}" if status >= 0 else f"killed by {signal.Signals(-status).name}"


def _die_with_parent() -> None:
    """On Linux, let the kernel stop this child when its parent is killed outright."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() == 1:
            os._exit(1)
