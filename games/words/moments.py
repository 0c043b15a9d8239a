"""Moments of the clock, all in UTC: the same words for everybody, wherever they are."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time as somebody reads of it at ``now``; Unix times in ms."""

    begin: int
    end: int
    now: int

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


def _day(moment: int) -> int:
    return moment // 86_400_000
