"""``replay FILE``: print the state after each event of a match record."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games import words
from games.rules.record import HeaderError, replay

ILLEGAL, UNREADABLE = 1, 2


class Command(BaseCommand):
    help = "Replay a match record: one JSON line for each event, with the state after it."
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="a match record; - reads standard input")
        parser.add_argument(
            "--keep-going", action="store_true", help="go on after an illegal event"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if sys.stdout is None and not options.get("stdout"):
            raise CommandError("there is no standard output", returncode=UNREADABLE)
        legal = True
        try:
            with _opened(options["file"]) as lines:
                for printed in replay(lines, keep_going=options["keep_going"]):
                    if "illegal" in printed:
                        legal = False
                        sentence = words.refusal(printed["illegal"], printed.pop("params"))
                        printed["message"] = sentence
                    self.stdout.write(json.dumps(printed))
        except HeaderError as error:
            raise CommandError(f"{options['file']}: {error}", returncode=UNREADABLE) from None
        except OSError as error:
            reason = error.strerror or "cannot be read"
            raise CommandError(f"{options['file']}: {reason}", returncode=UNREADABLE) from None
        if not legal:
            sys.exit(ILLEGAL)


@contextmanager
def _opened(name: str) -> Iterator[IO[bytes]]:
    if name == "-":
        if sys.stdin is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        yield sys.stdin.buffer
        return
    with open(name, "rb") as lines:
        yield lines
