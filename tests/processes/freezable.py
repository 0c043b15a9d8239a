"""A web process whose event loop stands still on SIGUSR1, its threads running on:
``python -m tests.processes.freezable PORT``."""

from __future__ import annotations

import signal
import sys
import time

import django

from spectacular.web import serve

FROZEN = 6.0  # s, longer than the tolerance of the tests

if __name__ == "__main__":
    django.setup()
    signal.signal(signal.SIGUSR1, lambda *_: time.sleep(FROZEN))
    serve("127.0.0.1", int(sys.argv[1]))
