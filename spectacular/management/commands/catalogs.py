"""``manage.py catalogs``: bring the catalogs of translations up to date, and compile them."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser


class Command(BaseCommand):
    help = (
        "Reads what is to be translated, keeps the translations there are, and compiles them. "
        "A text that has changed stands empty until it is translated anew."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("languages", nargs="*", help="such as it; all, where none is named")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            from spectacular import catalogs
        except ModuleNotFoundError as error:
            raise CommandError(
                f"{error.name} is missing: run this where the dev group is installed (uv sync)"
            ) from None
        chosen = options["languages"] or catalogs.languages()
        unknown = sorted(set(chosen) - set(catalogs.languages()))
        if unknown:
            known = ", ".join(catalogs.languages())
            raise CommandError(f"there is no language {', '.join(unknown)}: there are {known}")
        try:
            found = catalogs.extracted()
        except catalogs.NotATextError as error:
            raise CommandError(str(error)) from None
        for language in chosen:
            catalog = catalogs.merged(language, found)
            path = catalogs.path_of(language)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(catalogs.as_po(catalog))
            path.with_suffix(".mo").write_bytes(catalogs.as_mo(catalog))
            empty = len(catalogs.untranslated(catalog))
            self.stdout.write(f"{language}: {len(catalog)} texts, {empty} of them not translated")
