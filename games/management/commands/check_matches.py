"""``check_matches``: replay every stored log and compare it with the stored snapshot."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.checks import differences
from games.models import Match


class Command(BaseCommand):
    help = "Check that replaying the log of every match gives its stored snapshot."

    def handle(self, *args: Any, **options: Any) -> None:
        checked = wrong = 0
        for match in Match.objects.iterator():
            checked += 1
            for difference in differences(match):
                wrong += 1
                self.stderr.write(f"{match.pk}: {difference}")
        if wrong:
            raise CommandError(f"{wrong} differences in {checked} matches")
        self.stdout.write(f"{checked} matches: every log gives its snapshot")
