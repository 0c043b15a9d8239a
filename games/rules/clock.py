"""The match clock (R8): a bank for the match and a delay for each decision, in milliseconds."""

from __future__ import annotations

from dataclasses import dataclass, replace

BANK = 120_000
DELAY = 10_000


@dataclass(frozen=True, slots=True)
class Clock:
    """Both banks, and the running decision: its seat and the moment it began, or None."""

    bank: tuple[int, int] = (BANK, BANK)
    running: int | None = None
    since: int = 0

    @property
    def deadline(self) -> int | None:
        """The moment at which the running seat has lost (R8.7); None while both stand."""
        if self.running is None:
            return None
        return self.since + DELAY + self.bank[self.running]

    def start(self, seat: int, at: int) -> Clock:
        """A new decision of ``seat`` begins, with a fresh delay (R8.1)."""
        return Clock(self.bank, seat, at)

    def stop(self, at: int) -> Clock:
        """The running decision ends: what went beyond its delay leaves the bank (R8.1)."""
        if self.running is None:
            return self
        over = max(0, at - self.since - DELAY)
        return self._with_bank(self.running, max(0, self.bank[self.running] - over))

    def expire(self) -> Clock:
        """The running decision ended on time: nothing is left of its bank."""
        return self if self.running is None else self._with_bank(self.running, 0)

    def halt(self) -> Clock:
        """Both clocks stand, and nothing is charged (R8.8)."""
        return replace(self, running=None, since=0)

    def _with_bank(self, seat: int, left: int) -> Clock:
        return Clock((left, self.bank[1]) if seat == 0 else (self.bank[0], left))
