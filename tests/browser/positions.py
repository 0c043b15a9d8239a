"""Where a match can stand, as the events that lead there; seat 0 is the one most pages are of."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import Any

from games.rules import events
from games.rules.events import Event
from games.rules.match import Phase, State, apply, compulsory, legal
from games.rules.record import parse_event
from games.rules.tiles import ALL_TILES
from tests.games import factory
from tests.rules import scenario

Told = list[Event]

AT = 1000  # ms: everything of a match found by chance happens at one moment


def written(match: scenario.Match) -> Told:
    """The events of a record, with what the server answers by itself."""
    told, state = [], State()
    for data in match.events:
        event = parse_event(data)
        state = apply(state, event)
        told.append(event)
    return told + by_itself(state)


def by_itself(state: State) -> Told:
    """The only answer, where the server makes it (Readings 5)."""
    only = compulsory(state)
    if only is None or state.to_act is None:
        return []
    return [parse_event({"do": only, "seat": state.to_act, "at": state.at, "auto": True})]


def last_moment(told: Told) -> int:
    """The time of the last event, in ms since the match was created."""
    return max((getattr(event, "at", 0) for event in told), default=0)


def opening_forced() -> Told:
    """Seat 0 has to open the first round with the double six."""
    deal = factory.deal("6-6 1-0 2-0 2-1 3-0 5-1 5-2", "6-5 6-4 6-3 6-2 3-1 3-2 5-5", "5-4 4-4")
    return factory.begun(deal)


def first_tile() -> Told:
    """One tile on the table, seven in the hand of seat 0."""
    match = scenario.Match().deal("6-5 6-4 3-3 2-2 5-1 4-0 1-0", "6-6 5-5 4-3 2-1 3-0 3-1 5-0")
    return written(match.start().play(1, "6-6", "open"))


def many_drawn(count: int) -> Told:
    """Seat 0 holds seven tiles and ``count`` drawn ones (1 to 14), of which the last one fits."""
    boneyard = [str(tile) for tile in ALL_TILES if not tile.has(6)]
    hand, rest = boneyard[:7], boneyard[7:]
    others = ["6-6", "6-0", "6-1", "6-2", "6-3", "6-4", rest.pop()]
    rest.insert(count - 1, "6-5")
    match = scenario.Match().deal(" ".join(hand), " ".join(others), " ".join(rest))
    match.start().play(1, "6-6", "open")
    for _ in range(count):
        match.add("draw", seat=0, at=match.now + 200)
    return written(match)


def must_draw() -> Told:
    """Nothing in the hand of seat 0 fits, and one tile has been drawn in vain."""
    return many_drawn(5)[:-3]


def jockey(seat: int) -> scenario.Match:
    """The end of a first round in which ``seat`` went out: 150 points each."""
    return scenario.Match().jockey(seat)


def auction(*bids: int, jockey_seat: int = 1) -> scenario.Match:
    """The auction of the second round after these bids, in turn; seat 0 begins it unless it is
    the jockey."""
    match = jockey(jockey_seat).deal_quiet(jockey_seat, jockey_seat).go_on()
    for turn, points in enumerate(bids):
        match.bid((1 - jockey_seat + turn) % 2, points)
    return match


def scored() -> scenario.Match:
    """Seat 0 has just been paid for its tile, 12 + 3; seat 1 is to move."""
    match = scenario.Match().deal("6-3 6-4 3-3 2-2 5-1 4-0 1-0", "6-6 5-5 4-3 2-1 3-0 3-1 6-5")
    return match.start().play(1, "6-6", "open").play(0, "6-3", "left")


def whole_round(name: str, *, swapped: bool = False) -> scenario.Match:
    """A stored first round, to its end."""
    return scenario.Match().first_round(name, swapped)


Stop = Callable[[State], bool]
Choose = Callable[[State, random.Random], list[Event]]


def _anything(state: State, chance: random.Random) -> list[Event]:
    if state.phase in (Phase.NEW, Phase.ROUND_OVER):
        return factory.whatever_comes(state, chance, AT)
    answers = [answer for answer in legal(state) if answer["do"] != "bid"]
    return [parse_event({**chance.choice(answers), "seat": state.to_act, "at": AT})]


def _greedy(state: State, chance: random.Random) -> list[Event]:
    return factory.whatever_comes(state, chance, AT)


def found(seed: int, stop: Stop, choose: Choose = _anything) -> Told:
    """The match that ``seed`` gives, up to the first state at which to ``stop``."""
    chance, state, told = random.Random(seed), State(), Told()
    while state.phase is not Phase.MATCH_OVER:
        for event in choose(state, chance):
            state = apply(state, event)
            told.append(event)
            if stop(state):
                return told
    raise AssertionError(f"the match of seed {seed} never stands like that")


def _lays(state: State) -> bool:
    return state.phase is Phase.PLAY and any(answer["do"] == "play" for answer in legal(state))


def seat_to_act(told: Told) -> int:
    """Whose answer is awaited after ``told``."""
    state = State()
    for event in told:
        state = apply(state, event)
    assert state.to_act is not None
    return state.to_act


def in_hand(count: int) -> Told:
    """Somebody holds so many tiles and can lay one, 1, 7 or 14, with many on the table."""
    seed = {1: 0, 7: 15, 14: 268}[count]

    def stop(state: State) -> bool:
        if not _lays(state) or state.to_act is None or len(state.table.laid) < 7:
            return False
        return len(state.hands[state.to_act]) == count

    return found(seed, stop)


def on_table(count: int) -> Told:
    """So many tiles lie on the table: up to 26 while somebody can lay one, 27 at the end of the
    round. All 28 cannot, since the round ends with the last tile of one hand."""
    return found(26, lambda state: len(state.table.laid) == count)


def four_ends() -> Told:
    """Somebody can lay a tile on both sides of the spinner; there are four open ends."""

    def stop(state: State) -> bool:
        return _lays(state) and {"up", "down"} <= {answer["arm"] for answer in legal(state)}

    return found(4, stop)


def passed(seat: int) -> Told:
    """``seat`` could neither lay nor draw and has passed; the other is to lay."""
    turns = scenario.rounds()["pass_play_pass"]["turns"]
    until = next(n for n, turn in enumerate(turns, 1) if turn.endswith("pass"))
    passing = int(turns[until - 1][0])
    match = scenario.Match().first_round("pass_play_pass", seat != passing, until)
    return written(match)


@cache
def _won() -> tuple[Told, events.Play]:
    told, tile, arm = factory.nearly_won(AT)
    last = parse_event({"do": "play", "seat": 0, "tile": tile, "arm": arm, "at": AT + 4000})
    assert isinstance(last, events.Play)
    return told, last


def nearly_won() -> Told:
    """Seat 0 can win the match by points with its next tile."""
    return list(_won()[0])


def won_by_points() -> Told:
    """Seat 0 has all the points."""
    told, last = _won()
    return [*told, last]


def too_poor_to_bid() -> Told:
    """Seat 1 cannot afford the least bid: the server has declined, and the jockey opens free."""
    told = found(1, lambda state: state.phase is Phase.AUCTION and bool(compulsory(state)), _greedy)
    return _and_by_itself(told)


def too_poor_to_raise() -> Told:
    """Seat 1 cannot afford to raise: the server has accepted, and the jockey opens."""

    def short(state: State) -> bool:
        poor = state.chips[1] <= 20
        return state.phase is Phase.AUCTION and poor and compulsory(state) is None

    told: list[Any] = found(3, short, _greedy)
    told.append(events.Bid(seat=1, at=AT, points=15))
    told.append(events.Bid(seat=0, at=AT, points=20))
    return _and_by_itself(told)


def _and_by_itself(told: Told) -> Told:
    state = State()
    for event in told:
        state = apply(state, event)
    return told + by_itself(state)
