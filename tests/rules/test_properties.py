"""Random matches through the engine's own functions: what holds in every one of them.

RULES_MATCHES says how many. In one of a hundred, and in five at least, every
answer that is not listed is tried in every state, and refused.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Any

import pytest

from games.rules import events as ev
from games.rules.errors import Illegal
from games.rules.match import State, apply, legal
from games.rules.tiles import Tile, parse_tile

from .random_play import pause, random_bid, random_deal
from .reference import ALL_TILES, ARMS

MATCHES = int(os.environ.get("RULES_MATCHES", "100"))
CHUNKS = 20
PROBED = max(5, MATCHES // 100)
#: More events than any match of points and clocks can need.
ENDLESS = 20_000

TILES = tuple(parse_tile(text) for text in ALL_TILES)
ALONE: dict[str, type[Any]] = {
    "reveal": ev.Reveal,
    "accept": ev.Accept,
    "decline": ev.Decline,
    "draw": ev.Draw,
    "pass": ev.Pass,
}


def all_bids(least: int, most: int) -> Iterable[int]:
    return range(least, most + 1, 5)


def some_bids(least: int, most: int) -> Iterable[int]:
    """The bounds and something between."""
    return {least, most, least + (most - least) // 10 * 5}


def answers(
    state: State, at: int, bids: Callable[[int, int], Iterable[int]] = all_bids
) -> Iterator[ev.Event]:
    """Every listed answer as an event."""
    seat = state.to_act
    for listed in legal(state):
        do = listed["do"]
        if do in ("start", "continue"):
            yield ev.Start(at=at) if do == "start" else ev.Continue(at=at)
            continue
        assert seat is not None
        if do == "play":
            tile = parse_tile(listed["tile"])
            yield ev.Play(seat=seat, at=at, tile=tile, arm=listed["arm"])
        elif do == "bid":
            for points in bids(listed["min"], listed["max"]):
                yield ev.Bid(seat=seat, at=at, points=points)
        else:
            yield ALONE[do](seat=seat, at=at)


def every_answer(at: int) -> Iterator[ev.Event]:
    """Every answer there is, of either seat."""
    yield ev.Start(at=at)
    yield ev.Continue(at=at)
    for seat in (0, 1):
        for kind in ALONE.values():
            yield kind(seat=seat, at=at)
        for points in (-15, 1, 16, 22, *range(0, 325, 5)):
            yield ev.Bid(seat=seat, at=at, points=points)
        for tile in TILES:
            for arm in ("open", *ARMS):
                yield ev.Play(seat=seat, at=at, tile=tile, arm=arm)


def to_event(deal: dict[str, Any]) -> ev.Deal:
    def read(texts: list[str]) -> tuple[Tile, ...]:
        return tuple(parse_tile(text) for text in texts)

    one, two = deal["hands"]
    return ev.Deal(hands=(read(one), read(two)), boneyard=read(deal["boneyard"]))


def next_event(rng: Random, state: State) -> ev.Event:
    """Something legal: an answer as a rule, the server's part where nobody is awaited."""
    at = state.at + pause(rng)
    if state.clock.deadline is not None and at >= state.clock.deadline:
        assert state.to_act is not None
        return ev.Timeout(seat=state.to_act, at=at)
    if state.phase in ("new", "round_over", "dealt") and rng.random() < 0.5:
        waiting = [seat for seat in (0, 1) if not state.ready[seat]]
        if waiting:
            return ev.Ready(seat=rng.choice(waiting), at=at)
    if state.phase in ("new", "round_over"):
        return to_event(random_deal(rng))
    choices = answers(state, at, lambda least, most: [random_bid(rng, least, most)])
    return rng.choice(list(choices))


def check(state: State, laid: list[Tile]) -> None:
    """What holds after every event."""
    assert sum(state.chips) == 300
    assert all(chips >= 0 and chips % 5 == 0 for chips in state.chips)
    if state.round:
        everywhere = [*state.hands[0], *state.hands[1], *state.boneyard, *laid]
        assert sorted(everywhere) == sorted(TILES)
    if state.to_act is not None:
        assert legal(state)
    assert (state.result is not None) == (state.phase == "match_over")


def accepts_what_it_lists(state: State) -> None:
    for event in answers(state, state.at, some_bids):
        apply(state, event)


def accepts_what_it_lists_and_nothing_else(state: State) -> None:
    before = repr(state)
    listed = set(answers(state, state.at))
    for event in every_answer(state.at):
        try:
            apply(state, event)
        except Illegal:
            assert event not in listed
        else:
            assert event in listed
    assert repr(state) == before


def play_match(rng: Random, *, shared: bool, probe: bool) -> State:
    state = State.new(shared_device=shared)
    laid: list[Tile] = []
    for _ in range(ENDLESS):
        event = next_event(rng, state)
        if isinstance(event, ev.Deal):
            laid = []
        elif isinstance(event, ev.Play):
            laid.append(event.tile)
        state = apply(state, event)
        check(state, laid)
        if probe:
            accepts_what_it_lists_and_nothing_else(state)
        else:
            accepts_what_it_lists(state)
        if state.result is not None:
            return state
    raise AssertionError("a match without an end")


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_matches_hold(chunk: int) -> None:
    ends = set()
    for seed in range(chunk, MATCHES, CHUNKS):
        state = play_match(Random(seed), shared=seed % 3 == 0, probe=seed < PROBED)
        assert legal(state) == ()
        assert state.result is not None
        ends.add(state.result.reason)
    assert ends <= {"chips", "time"}
