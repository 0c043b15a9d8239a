"""Positions played out by the rules: what a figure tells is what a match would do."""

from __future__ import annotations

from dataclasses import dataclass

from games.rules import auction, events
from games.rules.clock import BANK, Clock
from games.rules.match import POINTS, Phase, State, apply, legal, nearest_five
from games.rules.table import Table
from games.rules.tiles import ALL_TILES, HAND_SIZE, Tile, parse_tile, pips

from .positions import Position

Hands = tuple[tuple[Tile, ...], tuple[Tile, ...]]


def tiles(text: str) -> tuple[Tile, ...]:
    """The tiles of a text such as ``"6-5 4-2"``."""
    return tuple(parse_tile(word) for word in text.split())


def plays(position: Position) -> list[tuple[Tile, str]]:
    """Each tile laid, and its arm."""
    words = (play.split() for play in position.plays.split(", "))
    return [(parse_tile(tile), arm) for tile, arm in words]


def play(position: Position) -> State:
    """The match after the plays of a position; who must draw or pass first, does.

    It is a later round, seat 0 opens with any tile, and both players have 150 points. Raises
    :class:`games.rules.errors.Illegal` or ``ValueError`` for what the rules do not allow.
    """
    hands, boneyard = _dealt(position)
    state = State(
        phase=Phase.OPENING,
        round=2,
        hands=hands,
        boneyard=boneyard,
        to_act=0,
        jockey=0,
        clock=Clock().start(0, 0),
    )
    for tile, arm in plays(position):
        while tile not in state.hands[_awaited(state)]:
            state = _draw_or_pass(state)
        state = apply(state, events.Play(seat=_awaited(state), at=0, tile=tile, arm=arm))
    while state.phase is Phase.PLAY and not state.boneyard and _compelled(state):
        state = _draw_or_pass(state)
    return state


def _dealt(position: Position) -> tuple[Hands, tuple[Tile, ...]]:
    if position.deal:
        first, second, boneyard = (tiles(text) for text in position.deal)
        return (first, second), boneyard
    laid = [tile for tile, _arm in plays(position)]
    rest = [tile for tile in ALL_TILES if tile not in laid]
    hands = []
    for seat in (0, 1):
        own = laid[seat::2]
        own += [rest.pop() for _ in range(HAND_SIZE - len(own))]
        hands.append(tuple(own))
    return (hands[0], hands[1]), tuple(rest)


def _awaited(state: State) -> int:
    if state.to_act is None:
        raise ValueError("the round is over")
    return state.to_act


def _compelled(state: State) -> bool:
    """Whether the only answer is to pass, or to draw."""
    return {answer["do"] for answer in legal(state)} <= {"draw", "pass"}


def _draw_or_pass(state: State) -> State:
    seat = _awaited(state)
    if state.boneyard:
        return apply(state, events.Draw(seat=seat, at=0))
    return apply(state, events.Pass(seat=seat, at=0))


def block(hands: Hands, chips: tuple[int, int] = (POINTS, POINTS)) -> State:
    """The match after both players passed with these hands, on a table of blank ends."""
    state = State(
        phase=Phase.PLAY,
        round=2,
        chips=chips,
        hands=hands,
        table=Table().lay(Tile(0, 0), "open"),
        to_act=0,
        clock=Clock().start(0, 0),
    )
    for seat in (0, 1):
        state = apply(state, events.Pass(seat=seat, at=0))
    return state


@dataclass(frozen=True, slots=True)
class Step:
    """An answer in an auction: its seat, ``do`` as in the record, and the points of a bid.

    ``price`` is what the bid that stands then costs whoever made it; None where none stands.
    """

    seat: int
    do: str
    points: int | None
    price: int | None


def auctioned(answers: tuple[str, ...]) -> tuple[list[Step], State]:
    """The steps of an auction, and the match after it. Seat 0 is the jockey; 150 points each."""
    state = State(
        phase=Phase.AUCTION,
        round=2,
        hands=(ALL_TILES[:HAND_SIZE], ALL_TILES[HAND_SIZE : 2 * HAND_SIZE]),
        to_act=1,
        jockey=0,
        clock=Clock().start(1, 0),
    )
    steps = []
    for answer in answers:
        do, _, amount = answer.partition(" ")
        seat, standing = _awaited(state), state.bid
        state = apply(state, _answer(do, seat, amount))
        standing = state.bid or standing
        steps.append(
            Step(
                seat,
                do,
                int(amount) if amount else None,
                auction.price(standing, 0) if standing else None,
            )
        )
    return steps, state


def _answer(do: str, seat: int, amount: str) -> events.Event:
    if do == "bid":
        return events.Bid(seat=seat, at=0, points=int(amount))
    if do == "accept":
        return events.Accept(seat=seat, at=0)
    return events.Decline(seat=seat, at=0)


def prices(points: int) -> tuple[int, int]:
    """What a winning bid of so many points costs: the jockey, and the jockey's opponent."""
    return (
        auction.price(auction.Bid(0, points), jockey=0),
        auction.price(auction.Bid(1, points), jockey=0),
    )


def bids(balance: int) -> tuple[tuple[int, int] | None, tuple[int, int] | None]:
    """The least and greatest bid that a balance allows, or None.

    First those with which the jockey's opponent may begin, then those with which the jockey may
    raise the least of them.
    """
    least = auction.Bid(1, auction.FIRST_BID)
    return (
        auction.bid_range(1, 0, balance, None),
        auction.bid_range(0, 0, balance, least),
    )


def spent(seconds: int) -> int:
    """What a decision of so many seconds costs the bank, in seconds."""
    after = Clock().start(0, 0).stop(seconds * 1000)
    return (BANK - after.bank[0]) // 1000


def rounded(sum_of_pips: int) -> int:
    """What a hand of so many pips pays in a blocked round."""
    return nearest_five(sum_of_pips)


def sums(state: State) -> tuple[int, int]:
    """Both hands' pips."""
    return pips(state.hands[0]), pips(state.hands[1])
