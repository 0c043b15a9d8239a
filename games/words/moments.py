"""Moments of the clock, all in UTC: the same words for everybody, wherever they are."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time as somebody reads of it at ``now``; Unix times in ms."""

    begin: int
    end: int
    now: int

    @property
    def lasted(self) -> str:
        """How long it was, in its two largest units."""
        return length(self.end - self.begin)

    @property
    def began(self) -> SafeString:
        """Its first moment, with the day where that is not today."""
        return clock_time(self.begin, self.now)

    @property
    def ended(self) -> SafeString:
        """Its last moment, whole seconds up, with the day where that is another one."""
        end = -(-self.end // 1000) * 1000
        same_day = _day(self.begin) == _day(end)
        return clock_time(end, end if same_day else self.now)


def clock_time(moment: int, now: int) -> SafeString:
    """A moment to the second, with the day where that is not the one of ``now``."""
    at = datetime.fromtimestamp(moment // 1000, UTC)
    words = f"{at:%H:%M:%S}"
    if _day(moment) != _day(now):
        day = date_format(at, "DATE_FORMAT")
        words = _("%(day)s, %(time)s") % {"day": day, "time": words}
    return format_html('<time datetime="{}">{}</time>', f"{at:%Y-%m-%dT%H:%M:%SZ}", words)


def length(ms: int) -> str:
    """How long something lasted, in words: its largest unit, and what the next one adds."""
    seconds = max(0, ms) // 1000
    units = [seconds // 86_400, seconds // 3600 % 24, seconds // 60 % 60, seconds % 60]
    largest = next((i for i, number in enumerate(units) if number), None)
    if largest is None:
        return _("less than a second")
    told = [
        ngettext("%(n)d day", "%(n)d days", units[0]),
        ngettext("%(n)d hour", "%(n)d hours", units[1]),
        ngettext("%(n)d minute", "%(n)d minutes", units[2]),
        ngettext("%(n)d second", "%(n)d seconds", units[3]),
    ]
    pair = slice(largest, largest + 2)
    return " ".join(
        words % {"n": number}
        for words, number in zip(told[pair], units[pair], strict=True)
        if number
    )


def _day(moment: int) -> int:
    return moment // 86_400_000
