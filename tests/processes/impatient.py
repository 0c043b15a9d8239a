"""A web process that closes silent sockets soon: ``python -m tests.processes.impatient PORT``."""

from __future__ import annotations

import sys

import django

from spectacular.web import serve

SILENCE = 8_000  # ms

if __name__ == "__main__":
    django.setup()

    from games import hub

    hub.SILENCE = SILENCE
    serve("127.0.0.1", int(sys.argv[1]))
