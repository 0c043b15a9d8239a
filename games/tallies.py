"""What each player did in a match, in figures: a fold of its events, pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from .rules import events
from .rules.events import Event
from .rules.match import State, Transfer, apply

_GAINS = {"ends": "from_ends", "block": "from_blocks", "auction": "from_auctions"}


@dataclass(frozen=True, slots=True)
class Tally:
    """The figures of one seat; ``games.models.Tally`` says what each one means."""

    rounds: int = 0
    rounds_won: int = 0
    from_ends: int = 0
    from_blocks: int = 0
    from_auctions: int = 0
    bids: int = 0
    bought: int = 0
    paid: int = 0
    brought: int = 0
    decisions: int = 0
    thought: int = 0
    bank: int = 0


def tallied(begin: State, told: Iterable[Event]) -> tuple[Tally, Tally]:
    """The figures of both seats for these events, which follow on ``begin``; raises
    ``Illegal`` as ``apply`` does."""
    state, count = begin, _Count()
    for event in told:
        after = apply(state, event)
        count.add(state, event, after)
        state = after
    return count.tally(0, begin, state), count.tally(1, begin, state)


class _Count:
    """What has been counted so far, by seat and figure; ``buyer`` bought this round's opening."""

    def __init__(self) -> None:
        self.counts: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        self.buyer: int | None = None

    def add(self, before: State, event: Event, after: State) -> None:
        """Count one event, between the states around it."""
        match event:
            case events.Deal():
                self.buyer = None
            case events.Bid(seat=seat):
                self.counts[seat]["bids"] += 1
            case events.Accept():
                assert before.bid is not None
                self.buyer = before.bid.seat
                self.counts[self.buyer]["bought"] += 1
            case events.Play(seat=seat) if not after.hands[seat]:
                self.counts[seat]["rounds_won"] += 1
        if after.transfer is not None:
            self._moved(after.transfer)
        if not isinstance(event, events.Deal):
            self._decided(before, event, after)

    def _moved(self, transfer: Transfer) -> None:
        payer, payee, points = transfer.payer, transfer.payee, transfer.points
        self.counts[payee][_GAINS[transfer.cause]] += points
        if transfer.cause == "auction":
            self.counts[payer]["paid"] += points
        elif self.buyer is not None:
            self.counts[self.buyer]["brought"] += points if payee == self.buyer else -points

    def _decided(self, before: State, event: Event, after: State) -> None:
        """A decision is over when its clock stops, however it came about; what the server
        answers at once is none, unless the player has drawn before."""
        seat, since = before.clock.running, before.clock.since
        if seat is None or (after.clock.running, after.clock.since) == (seat, since):
            return
        self.counts[seat]["thought"] += after.at - since
        if before.drawn is not None or not getattr(event, "auto", False):
            self.counts[seat]["decisions"] += 1

    def tally(self, seat: int, begin: State, end: State) -> Tally:
        rounds, bank = end.round - begin.round, begin.clock.bank[seat] - end.clock.bank[seat]
        return Tally(rounds=rounds, bank=bank, **self.counts[seat])
