"""``check_ratings``: recompute every rating and compare it with what is stored."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection, transaction

from games import results
from ratings import check


class Command(BaseCommand):
    help = (
        "Recompute every rating from the rated matches and the decisions of staff, and compare "
        "it, and every change of it, with what is stored. Matches may go on meanwhile."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        wrong = 0
        with one_moment():
            decided = results.annulled()
            recount = check.Recount(results.rated_results(decided))
            for difference in chain(
                results.unsound_annulments(decided), check.differences(recount)
            ):
                wrong += 1
                self.stderr.write(difference)
        counted = f"{len(recount.standings)} ratings, {len(recount.results)} matches"
        if wrong:
            raise CommandError(f"{wrong} differences in {counted}")
        self.stdout.write(f"{counted}: every rating is what the matches give")


@contextmanager
def one_moment() -> Iterator[None]:
    """Let all that is read be of one moment, without keeping anybody waiting who writes.

    Inside somebody's transaction it is whatever that sees.
    """
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    else:
        with connection.cursor() as cursor:
            cursor.execute("BEGIN DEFERRED")  # Django's own begins as a writer
            try:
                yield
            finally:
                cursor.execute("ROLLBACK")
