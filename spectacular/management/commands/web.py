"""``manage.py web``: one web process."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser


class Command(BaseCommand):
    help = "Serves the site: pages and sockets. Ends cleanly on SIGTERM."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="where to listen")
        parser.add_argument("--port", type=int, default=8000)

    def handle(self, *_args: Any, **options: Any) -> None:
        from spectacular.web import CannotListen, serve

        try:
            serve(options["host"], options["port"])
        except CannotListen as error:
            raise CommandError(str(error)) from error
