"""A match as a fold: ``apply(state, event)`` gives the next state or raises ``Illegal``.

>>> from games.rules.events import Ready
>>> apply(State(), Ready(seat=0, at=500)).ready
(True, False)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple, TypedDict, TypeVar

from . import auction, events
from .clock import Clock
from .errors import Illegal
from .events import Event, Hand
from .table import OPEN, Table
from .tiles import ALL_TILES, BONEYARD_SIZE, HAND_SIZE, Tile, opening_tile, pips

POINTS = 150

T = TypeVar("T")


class Phase(StrEnum):
    """What the match is waiting for."""

    NEW = "new"
    DEALT = "dealt"
    HANDOVER = "handover"
    AUCTION = "auction"
    OPENING = "opening"
    PLAY = "play"
    ROUND_OVER = "round_over"
    MATCH_OVER = "match_over"


@dataclass(frozen=True, slots=True)
class Transfer:
    """Points that one event moved; ``cause`` is ``ends``, ``block`` or ``auction``."""

    payer: int
    payee: int
    points: int
    cause: str


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended; ``winner`` is None for a void one.

    ``reason`` is ``chips``, ``time``, ``resignation`` or ``void``.
    """

    winner: int | None
    reason: str


class Answer(TypedDict, total=False):
    """A legal answer as the record prints it; ``min`` and ``max`` bound a bid, in points."""

    do: str
    tile: str
    arm: str
    min: int
    max: int


class State(NamedTuple):
    """Everything about a match at one moment. ``State()`` is a match before its first event.

    ``hands`` keep the dealt order, drawn tiles last; ``boneyard`` has the next tile first.
    ``must_open`` is the tile R3 forces; ``drawn`` the last tile drawn in this turn;
    ``passed`` says that the turn before this one was a pass. On a shared device ``revealed``
    is the seat that revealed last and ``covered`` the phase behind a hand-over.
    ``transfer`` is what the very last event moved, ``at`` the time of the last timed one.
    """

    shared_device: bool = False
    phase: Phase = Phase.NEW
    round: int = 0
    chips: tuple[int, int] = (POINTS, POINTS)
    hands: tuple[Hand, Hand] = ((), ())
    boneyard: Hand = ()
    table: Table = Table()
    to_act: int | None = None
    jockey: int | None = None
    bid: auction.Bid | None = None
    must_open: Tile | None = None
    drawn: Tile | None = None
    passed: bool = False
    revealed: int | None = None
    covered: Phase | None = None
    ready: tuple[bool, bool] = (False, False)
    clock: Clock = Clock()
    transfer: Transfer | None = None
    result: Result | None = None
    at: int = 0

    @classmethod
    def new(cls, *, shared_device: bool = False) -> State:
        return cls(shared_device=shared_device)


def apply(state: State, event: Event) -> State:
    """The state after ``event``; raises :class:`Illegal` and changes nothing (R9.3)."""
    if state.phase is Phase.MATCH_OVER:
        raise Illegal("match_over")
    if isinstance(event, events.Deal):
        return _deal(state, event)
    if event.at < state.at:
        raise Illegal("time_backwards", at=event.at, last=state.at)
    deadline = state.clock.deadline
    in_time = deadline is None or event.at < deadline
    if not in_time and not isinstance(event, events.Timeout | events.Void):
        raise Illegal("out_of_time", deadline=deadline)
    step: Callable[[State, Any], State] = _STEPS[type(event)]
    return step(state._replace(at=event.at, transfer=None), event)


def legal(state: State) -> tuple[Answer, ...]:
    """The legal answers of the awaited seat, or the server's ``start``, ``continue``; see the
    record's ``legal``. Empty where nothing is awaited but Start, Continue or a deal.
    """
    match state.phase:
        case Phase.DEALT:
            return (Answer(do="start" if state.round == 1 else "continue"),)
        case Phase.HANDOVER:
            return (Answer(do="reveal"),)
        case Phase.AUCTION:
            return _auction_answers(state)
        case Phase.OPENING:
            tiles = (state.must_open,) if state.must_open else _hand(state)
            return tuple(Answer(do="play", tile=str(tile), arm=OPEN) for tile in tiles)
        case Phase.PLAY:
            return _turn_answers(state)
    return ()


COMPULSORY = frozenset({"pass", "decline", "accept"})


def compulsory(state: State) -> str | None:
    """The only answer where there is just one and it is no tile and no draw (Readings 5)."""
    if state.phase not in (Phase.AUCTION, Phase.PLAY):
        return None
    answers = legal(state)
    if len(answers) == 1 and answers[0]["do"] in COMPULSORY:
        return answers[0]["do"]
    return None


def _hand(state: State) -> Hand:
    return () if state.to_act is None else state.hands[state.to_act]


def _auction_answers(state: State) -> tuple[Answer, ...]:
    answers = [Answer(do="accept" if state.bid else "decline")]
    allowed = _bid_range(state)
    if allowed:
        answers.append(Answer(do="bid", min=allowed[0], max=allowed[1]))
    return tuple(answers)


def _bid_range(state: State) -> tuple[int, int] | None:
    assert state.to_act is not None
    balance = state.chips[state.to_act]
    return auction.bid_range(state.to_act, _jockey(state), balance, state.bid)


def _turn_answers(state: State) -> tuple[Answer, ...]:
    """Every tile and end, else a draw, else a pass (R6.1, R6.2, R6.4)."""
    plays = tuple(
        Answer(do="play", tile=str(tile), arm=arm)
        for tile in _tiles_to_lay(state)
        for arm in state.table.arms_for(tile)
    )
    return plays or (Answer(do="draw" if state.boneyard else "pass"),)


def _tiles_to_lay(state: State) -> Hand:
    """The tiles that may be laid: a drawn one that fits alone, else every one that fits."""
    if state.drawn is not None and state.table.arms_for(state.drawn):
        return (state.drawn,)
    return tuple(tile for tile in _hand(state) if state.table.arms_for(tile))


# One step for each event. Each gets the state with `at` set and `transfer` cleared.


def _ready(state: State, event: events.Ready) -> State:
    _expect_phase(state, Phase.NEW, Phase.DEALT, Phase.ROUND_OVER)
    if state.ready[event.seat]:
        raise Illegal("already_ready")
    return state._replace(ready=_with(state.ready, event.seat, True))


def _deal(state: State, event: events.Deal) -> State:
    _expect_phase(state, Phase.NEW, Phase.ROUND_OVER)
    first, second = event.hands
    sizes = (len(first), len(second), len(event.boneyard))
    dealt = sorted((*first, *second, *event.boneyard))
    if sizes != (HAND_SIZE, HAND_SIZE, BONEYARD_SIZE) or dealt != sorted(ALL_TILES):
        raise Illegal("bad_deal")
    return state._replace(
        phase=Phase.DEALT,
        round=state.round + 1,
        hands=event.hands,
        boneyard=event.boneyard,
        table=Table(),
        must_open=None,
        drawn=None,
        passed=False,
        revealed=None,
        transfer=None,
    )


def _start(state: State, event: events.Start | events.Continue) -> State:
    """The first decision of a round: the forced opening (R3.1, R3.2) or the auction (R3.3)."""
    _expect_phase(state, Phase.DEALT)
    if isinstance(event, events.Start) != (state.round == 1):
        raise Illegal("wrong_phase", phase=str(state.phase))
    state = state._replace(ready=(False, False))
    if state.jockey is not None:
        return _begin(state, Phase.AUCTION, 1 - state.jockey)
    seat, tile = opening_tile(state.hands)
    return _begin(state._replace(must_open=tile), Phase.OPENING, seat)


def _reveal(state: State, event: events.Reveal) -> State:
    _expect_turn(state, event, Phase.HANDOVER)
    assert state.covered is not None
    return state._replace(
        phase=state.covered,
        covered=None,
        revealed=event.seat,
        clock=state.clock.start(event.seat, event.at),
    )


def _bid(state: State, event: events.Bid) -> State:
    _expect_turn(state, event, Phase.AUCTION)
    auction.check_bid(event.points, _bid_range(state))
    bid = auction.Bid(event.seat, event.points)
    return _begin(_stop(state)._replace(bid=bid), Phase.AUCTION, 1 - event.seat)


def _accept(state: State, event: events.Accept) -> State:
    """The accepted bidder pays and opens with any tile; paying all loses (R7.3, R7.7)."""
    _expect_turn(state, event, Phase.AUCTION)
    if state.bid is None:
        raise Illegal("no_bid")
    bid, jockey = state.bid, _jockey(state)
    state = _stop(state)._replace(bid=None)
    state = _pay(state, bid.seat, auction.price(bid, jockey), "auction")
    return state if state.result else _begin(state, Phase.OPENING, bid.seat)


def _decline(state: State, event: events.Decline) -> State:
    _expect_turn(state, event, Phase.AUCTION)
    if state.bid is not None:
        raise Illegal("bid_stands")
    return _begin(_stop(state), Phase.OPENING, _jockey(state))


def _play(state: State, event: events.Play) -> State:
    """Lay a tile, score the count, and end the match, the round or the turn (R5.5, R6.5, R6.7)."""
    _expect_turn(state, event, Phase.OPENING, Phase.PLAY)
    _check_tile(state, event.tile)
    hand = tuple(tile for tile in state.hands[event.seat] if tile != event.tile)
    table = state.table.lay(event.tile, event.arm)
    state = _stop(state)._replace(
        table=table,
        hands=_with(state.hands, event.seat, hand),
        must_open=None,
        drawn=None,
        passed=False,
    )
    if table.count > 0 and table.count % 5 == 0:
        state = _pay(state, 1 - event.seat, table.count, "ends")
    if state.result:
        return state
    if not hand:
        return _end_round(state, jockey=event.seat)
    return _begin(state, Phase.PLAY, 1 - event.seat)


def _check_tile(state: State, tile: Tile) -> None:
    if tile not in _hand(state):
        raise Illegal("not_in_hand", tile=str(tile))
    if state.must_open not in (None, tile):
        raise Illegal("must_open_with", tile=str(state.must_open))
    if state.drawn is not None and state.drawn != tile and state.table.arms_for(state.drawn):
        raise Illegal("must_lay_drawn", tile=str(state.drawn))


def _draw(state: State, event: events.Draw) -> State:
    _expect_turn(state, event, Phase.PLAY)
    _expect_nothing_fits(state)
    if not state.boneyard:
        raise Illegal("boneyard_empty")
    drawn, *rest = state.boneyard
    hand = (*state.hands[event.seat], drawn)
    hands = _with(state.hands, event.seat, hand)
    return state._replace(hands=hands, boneyard=tuple(rest), drawn=drawn)


def _pass(state: State, event: events.Pass) -> State:
    _expect_turn(state, event, Phase.PLAY)
    _expect_nothing_fits(state)
    if state.boneyard:
        raise Illegal("must_draw")
    state = _stop(state)._replace(drawn=None)
    if state.passed:
        return _block(state)
    return _begin(state._replace(passed=True), Phase.PLAY, 1 - event.seat)


def _block(state: State) -> State:
    """The smaller hand sum receives the other one, rounded to the nearest five (R6.6)."""
    sums = (pips(state.hands[0]), pips(state.hands[1]))
    if sums[0] != sums[1]:
        payer = sums.index(max(sums))
        state = _pay(state, payer, nearest_five(sums[payer]), "block")
    return state if state.result else _end_round(state, jockey=None)


def nearest_five(points: int) -> int:
    """Readings 11.

    >>> [nearest_five(n) for n in (1, 2, 3, 12, 13, 17, 18)]
    [0, 0, 5, 10, 15, 15, 20]
    """
    return (points + 2) // 5 * 5


def _resign(state: State, event: events.Resign) -> State:
    if state.phase is Phase.NEW:
        raise Illegal("wrong_phase", phase=str(state.phase))
    return _end_match(_stop(state), Result(1 - event.seat, "resignation"))


def _timeout(state: State, event: events.Timeout) -> State:
    deadline = state.clock.deadline
    if deadline is None or event.seat != state.clock.running or event.at < deadline:
        raise Illegal("not_due", deadline=deadline)
    lost = state._replace(clock=state.clock.expire())
    return _end_match(lost, Result(1 - event.seat, "time"))


def _void(state: State, event: events.Void) -> State:
    if event.reason not in events.VOID_REASONS:
        raise Illegal("bad_reason", reason=event.reason)
    return _end_match(state, Result(None, "void"))


_STEPS: dict[type, Callable[[State, Any], State]] = {
    events.Ready: _ready,
    events.Start: _start,
    events.Continue: _start,
    events.Reveal: _reveal,
    events.Bid: _bid,
    events.Accept: _accept,
    events.Decline: _decline,
    events.Play: _play,
    events.Draw: _draw,
    events.Pass: _pass,
    events.Resign: _resign,
    events.Timeout: _timeout,
    events.Void: _void,
}


# What several steps share.


def _expect_phase(state: State, *phases: Phase) -> None:
    if state.phase not in phases:
        raise Illegal("wrong_phase", phase=str(state.phase))


def _jockey(state: State) -> int:
    """The jockey of an auction, which has one by R3.3."""
    assert state.jockey is not None
    return state.jockey


def _expect_turn(state: State, event: events.Seated, *phases: Phase) -> None:
    _expect_phase(state, *phases)
    if event.seat != state.to_act:
        raise Illegal("not_your_turn", to_act=state.to_act)


def _expect_nothing_fits(state: State) -> None:
    if _tiles_to_lay(state):
        raise Illegal("must_lay")


def _stop(state: State) -> State:
    """The running decision ends now."""
    return state._replace(clock=state.clock.stop(state.at).halt())


def _begin(state: State, phase: Phase, seat: int) -> State:
    """A decision of ``seat`` begins: at once, or behind a hand-over (R8.5, Readings 8)."""
    state = state._replace(phase=phase, to_act=seat)
    if state.shared_device and state.revealed != seat and compulsory(state) is None:
        return state._replace(phase=Phase.HANDOVER, covered=phase, clock=state.clock.halt())
    return state._replace(clock=state.clock.start(seat, state.at))


def _pay(state: State, payer: int, points: int, cause: str) -> State:
    """Move points, capped by what the payer has (R1.4); an empty balance loses (R1.5)."""
    moved = min(points, state.chips[payer])
    chips = _with(state.chips, payer, state.chips[payer] - moved)
    chips = _with(chips, 1 - payer, chips[1 - payer] + moved)
    state = state._replace(chips=chips, transfer=Transfer(payer, 1 - payer, moved, cause))
    if chips[payer] > 0:
        return state
    return _end_match(state, Result(1 - payer, "chips"))


def _end_round(state: State, *, jockey: int | None) -> State:
    return state._replace(phase=Phase.ROUND_OVER, to_act=None, jockey=jockey, passed=False)


def _end_match(state: State, result: Result) -> State:
    return state._replace(
        phase=Phase.MATCH_OVER,
        to_act=None,
        bid=None,
        covered=None,
        clock=state.clock.halt(),
        result=result,
    )


def _with(pair: tuple[T, T], seat: int, value: T) -> tuple[T, T]:
    return (value, pair[1]) if seat == 0 else (pair[0], value)
