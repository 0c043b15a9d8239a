"""Proof that the service was measuring time, from the windows in which its fronts were up.

A front is a web process. While it is up it has a window: it beats, and each beat says up to
which moment everything that reached the front has been decided. Nobody loses on time without
such a beat at or after the deadline, and a decision that nobody was measuring voids its match.

Everything here is pure, in whole milliseconds, and takes its moments as arguments; only the
edges of the service (a frame that arrives, a sweep that begins) ask :func:`now_ms`.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

APART = 1_000  # ms by which wall and monotonic time may part between two beats
OFF = 2_000  # ms by which the clocks of a front and of the database may differ


def now_ms() -> int:
    """The Unix time in whole milliseconds."""
    return time.time_ns() // 1_000_000


def moment(unix_ms: int) -> datetime:
    """A Unix time in milliseconds, as the database has it."""
    return datetime.fromtimestamp(unix_ms / 1000, UTC)


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch in which a front was up.

    ``beat`` is its last beat, ``decided`` what that beat vouches for, never later. ``broken``
    says that it ended without a clean stop; ``stopped`` that it ended with one.
    """

    id: int
    opened: int
    beat: int
    decided: int
    broken: bool = False
    stopped: bool = False

    def saw(self, moment: int) -> bool:
        """Whether everything that reached this front up to ``moment`` has been decided."""
        return self.opened < moment <= self.decided

    def may_hold(self, moment: int, now: int, tolerance: int) -> bool:
        """Whether this front is up and has not yet decided all that reached it by ``moment``."""
        up = not self.stopped and not self.is_broken(now, tolerance)
        return up and self.opened < moment and self.decided < moment

    def is_broken(self, now: int, tolerance: int) -> bool:
        """Whether it is known to be broken, or has missed its beats for too long."""
        return self.broken or (not self.stopped and now - self.beat > tolerance)

    def shifted(self, epoch: int) -> Window:
        """The same window in time counted from ``epoch``."""
        return replace(
            self,
            opened=self.opened - epoch,
            beat=self.beat - epoch,
            decided=self.decided - epoch,
        )


@dataclass(frozen=True, slots=True)
class Gap:
    """A stretch in which nobody was measuring: after ``begin`` and before ``end``."""

    begin: int
    end: int

    def __len__(self) -> int:
        return self.end - self.begin


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the windows say about the awaited seat: the one of its newest socket's front, or
    None where any front vouches for it, and all windows since before the decision began."""

    own: Window | None
    windows: tuple[Window, ...]
    tolerance: int

    def shifted(self, epoch: int) -> Evidence:
        """The same evidence in time counted from ``epoch``."""
        own = None if self.own is None else self.own.shifted(epoch)
        return replace(self, own=own, windows=tuple(w.shifted(epoch) for w in self.windows))


@dataclass(frozen=True, slots=True)
class Measured:
    """All is well; ``lost`` says that the deadline has provably passed without an answer."""

    lost: bool = False


@dataclass(frozen=True, slots=True)
class Unproven:
    """The deadline has passed, and whether an answer came in time is not known yet."""


@dataclass(frozen=True, slots=True)
class Unmeasured:
    """The service was not measuring this decision."""

    gap: Gap


def decision(
    since: int, deadline: int, now: int, evidence: Evidence
) -> Measured | Unproven | Unmeasured:
    """What is proven at ``now`` of a decision that runs from ``since`` to ``deadline``."""
    own, windows, tolerance = evidence.own, evidence.windows, evidence.tolerance
    # A front that broke just before is not known to be broken when the decision begins.
    if own is not None and own.beat + tolerance >= since and own.is_broken(now, tolerance):
        gap = _gap_after(own, windows, now)
        resumed = gap.end < now and gap.end - own.beat <= tolerance
        touched = gap.begin < deadline and gap.end > since
        if touched and (not resumed or deadline <= gap.end):
            return Unmeasured(gap)
    for gap in gaps(windows, since, min(now, deadline)):
        if len(gap) > tolerance:
            return Unmeasured(gap)
    if now < deadline:
        return Measured()
    return _at_deadline(deadline, now, evidence)


def _at_deadline(deadline: int, now: int, evidence: Evidence) -> Measured | Unproven | Unmeasured:
    own, windows, tolerance = evidence.own, evidence.windows, evidence.tolerance
    if own is not None and own.stopped and own.decided < min(own.beat, deadline):
        return Unmeasured(Gap(own.decided, own.beat))  # it went and left frames undecided
    if now - deadline <= tolerance and any(w.may_hold(deadline, now, tolerance) for w in windows):
        return Unproven()  # a frame that came in time may still wait at another front
    vouches = own is not None and not own.stopped and not own.is_broken(now, tolerance)
    witnesses = (own,) if own is not None and vouches and own.opened < deadline else windows
    if any(window.saw(deadline) for window in witnesses):
        return Measured(lost=True)
    if now - deadline <= tolerance:
        return Unproven()
    seen = [w.decided for w in witnesses if w.decided < deadline]
    again = [w.opened for w in windows if w.opened >= deadline]
    return Unmeasured(Gap(max(seen, default=deadline), min(again, default=now)))


def _gap_after(broken: Window, windows: Sequence[Window], now: int) -> Gap:
    """From what a broken window vouches for until a front opened again, or now."""
    again = [w.opened for w in windows if w.opened > broken.beat]
    return Gap(broken.decided, min([*again, now]))


def gaps(windows: Sequence[Window], begin: int, end: int) -> Iterator[Gap]:
    """The stretches in which no front was up, as far as they touch ``begin`` to ``end``.

    A gap is told whole, from the last beat before it to the next opening, or to ``end``.
    """
    covered: int | None = None
    for window in sorted(windows, key=lambda w: w.opened):
        if covered is None:
            covered = min(begin, window.opened)
        if window.opened > covered and window.opened > begin and covered < end:
            yield Gap(covered, min(window.opened, end))
        covered = max(covered, window.beat)
    if covered is None:
        covered = begin
    if covered < end:
        yield Gap(covered, end)


def interlude_due(begin: int, due: int, now: int, evidence: Evidence) -> int | None:
    """When an interlude that began at ``begin`` ends: ``due``, later where an outage touched
    it, None while the outage goes on. Only time in which the service was up counts."""
    lasting = due - begin
    for gap in gaps(evidence.windows, begin, now):
        # Where the last beat is from before the end, an outage may just have begun.
        if len(gap) > evidence.tolerance or gap.begin < due <= gap.end == now:
            if gap.end >= now:
                return None
            due = max(due, gap.end + lasting)
    return due


def wall_is_sound(wall: int, monotonic: int) -> bool:
    """Whether the wall clock moved as far as the monotonic one since the last beat."""
    return abs(wall - monotonic) <= APART


def clocks_agree(front: int, database: int) -> bool:
    """Whether the clocks of a front and of the database tell the same time."""
    return abs(front - database) <= OFF
