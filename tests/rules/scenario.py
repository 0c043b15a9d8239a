"""Short records, written by hand in tests and run through `replay`.

A `Match` collects the lines of a record. Every helper appends one event, a
second after the one before unless `at` says otherwise; `state` runs the whole
record and gives the last state printed. `refused` tries one event more and
holds that nothing has changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from games.rules.record import replay

from .reference import ALL_TILES, is_double

State = dict[str, Any]
Event = dict[str, Any]

DATA = Path(__file__).parent / "data"
HEADER: dict[str, Any] = {
    "format": "spectacular-bid",
    "version": 1,
    "players": ["Ada", "Bo"],
}
DELAY = 10_000
BANK = 120_000

#: Ordinary tiles before doubles, so that tiles filled in rarely decide an opening.
FILLERS = sorted(ALL_TILES, key=lambda tile: (is_double(tile), tile))


def rounds() -> dict[str, dict[str, Any]]:
    """Rounds found by search, each with its deal and its turns."""
    data: dict[str, dict[str, Any]] = json.loads((DATA / "rounds.json").read_text())
    return data


def deal(hand0: str = "", hand1: str = "", boneyard: str = "") -> Event:
    """A whole deal that holds the tiles named; the others fill hand 0, hand 1, boneyard."""
    piles = [hand0.split(), hand1.split(), boneyard.split()]
    chosen = [tile for pile in piles for tile in pile]
    assert len(set(chosen)) == len(chosen), chosen
    assert set(chosen) <= set(ALL_TILES), chosen
    spare = [tile for tile in FILLERS if tile not in chosen]
    for pile, size in zip(piles, (7, 7, 14), strict=True):
        assert len(pile) <= size, pile
        while len(pile) < size:
            pile.append(spare.pop(0))
    return {"do": "deal", "hands": piles[:2], "boneyard": piles[2]}


def encode(value: object) -> bytes:
    return json.dumps(value).encode() + b"\n"


def run(lines: Iterable[bytes], keep_going: bool = False) -> list[State]:
    return list(replay(lines, keep_going=keep_going))


class Match:
    def __init__(self, shared: bool = False) -> None:
        self.header = HEADER | ({"shared_device": True} if shared else {})
        self.events: list[Event] = []
        self.now = 0
        self._states: list[State] = []

    def lines(self) -> list[bytes]:
        return [encode(self.header), *map(encode, self.events)]

    # Running

    @property
    def states(self) -> list[State]:
        """The state after each event; every one of them must have been legal."""
        if len(self._states) != len(self.events):
            self._states = run(self.lines())
            refused = [state for state in self._states if "illegal" in state]
            assert not refused, (refused, self.events[len(self._states) - 1])
        return self._states

    @property
    def state(self) -> State:
        return self.states[-1]

    def shown(self, key: str) -> Any:
        """What the last state shows under this key."""
        return self.state[key]

    def refused(self, do: str, code: str | None = None, **keys: Any) -> State:
        """This event is illegal here, and what follows is as if it had not been tried."""
        event = self._event(do, keys)
        lines, n = self.lines(), len(self.events) + 1
        *_, state = run([*lines, encode(event)])
        assert state["n"] == n
        assert "illegal" in state, (event, state)
        assert set(state) <= {"n", "illegal", "params", "message"}
        if code is not None:
            assert state["illegal"] == code, (event, state)
        self._unchanged(lines, event)
        return state

    def _unchanged(self, lines: list[bytes], event: Event) -> None:
        if self.events and self.state["phase"] == "match_over":
            return
        probe = encode({"do": "void", "at": self.now, "reason": "staff"})
        *_, plain = run([*lines, probe])
        *_, after = run([*lines, encode(event), probe], keep_going=True)
        assert after | {"n": 0} == plain | {"n": 0}, event

    # Events

    def _event(self, do: str, keys: dict[str, Any]) -> Event:
        event: Event = {"do": do, **keys}
        if do != "deal":
            event.setdefault("at", self.now + 1000)
        return event

    def add(self, do: str, **keys: Any) -> Match:
        event = self._event(do, keys)
        self.now = event.get("at", self.now)
        self.events.append(event)
        return self

    def deal(self, hand0: str = "", hand1: str = "", boneyard: str = "") -> Match:
        self.events.append(deal(hand0, hand1, boneyard))
        return self

    def start(self, **keys: Any) -> Match:
        return self.add("start", **keys)

    def go_on(self, **keys: Any) -> Match:
        return self.add("continue", **keys)

    def play(self, seat: int, tile: str, arm: str, **keys: Any) -> Match:
        return self.add("play", seat=seat, tile=tile, arm=arm, **keys)

    def plays(self, first: int, *laid: str) -> Match:
        """Turns in alternation: `plays(0, "6-5 open", "5-5 right")`."""
        for turn, text in enumerate(laid):
            tile, arm = text.split()
            self.play((first + turn) % 2, tile, arm)
        return self

    def draw(self, seat: int, times: int = 1) -> Match:
        for _ in range(times):
            self.add("draw", seat=seat)
        return self

    def pass_(self, seat: int, **keys: Any) -> Match:
        return self.add("pass", seat=seat, **keys)

    def bid(self, seat: int, points: int, **keys: Any) -> Match:
        return self.add("bid", seat=seat, points=points, **keys)

    def accept(self, seat: int, **keys: Any) -> Match:
        return self.add("accept", seat=seat, **keys)

    def decline(self, seat: int, **keys: Any) -> Match:
        return self.add("decline", seat=seat, **keys)

    def reveal(self, seat: int, **keys: Any) -> Match:
        return self.add("reveal", seat=seat, **keys)

    # Whole stretches

    def deal_round(self, name: str, swapped: bool = False) -> Match:
        """The deal of a stored round, in which seat 0 opens (seat 1 if swapped)."""
        found = rounds()[name]
        hands = [hand.split() for hand in found["hands"]]
        if swapped:
            hands.reverse()
        self.add("deal", hands=hands, boneyard=found["boneyard"].split())
        return self

    def turns(self, name: str, swapped: bool = False, until: int | None = None) -> Match:
        """The turns of a stored round: `6-5 left`, `draw` or `pass`, with the seat before it."""
        for text in rounds()[name]["turns"][:until]:
            seat, *words = text.split()
            actor = int(seat) ^ swapped
            if len(words) == 2:
                self.play(actor, *words)
            else:
                self.add(words[0], seat=actor)
        return self

    def first_round(self, name: str, swapped: bool = False, until: int | None = None) -> Match:
        return self.deal_round(name, swapped).start().turns(name, swapped, until)

    def quiet_round(self, winner: int, opener: int) -> Match:
        """The turns of a round in which nobody scores; `winner` goes out."""
        name = "quiet_opener" if winner == opener else "quiet_other"
        return self.turns(name, swapped=opener == 1)

    def deal_quiet(self, winner: int, opener: int) -> Match:
        name = "quiet_opener" if winner == opener else "quiet_other"
        return self.deal_round(name, swapped=opener == 1)

    def jockey(self, seat: int) -> Match:
        """A first round without scores in which `seat` goes out: 150 points each."""
        return self.deal_quiet(seat, seat).start().quiet_round(seat, seat)

    def pay_to_open(self, payer: int, points: int) -> Match:
        """The auction of a round whose jockey is `payer`, who buys the opening for `points`."""
        other = 1 - payer
        return self.go_on().bid(other, 15).bid(payer, points + 15).accept(other)


def refuses(events: Iterable[Event], shared: bool = False) -> State:
    """The last of these events is illegal, and the only one."""
    match = Match(shared)
    match.events = list(events)
    *before, last = run(match.lines())
    assert not [state for state in before if "illegal" in state]
    assert "illegal" in last, last
    return last


def by_text(answers: Iterable[dict[str, Any]]) -> list[str]:
    """Answers in an order of their own, to compare lists in any order."""
    return sorted(json.dumps(answer, sort_keys=True) for answer in answers)
