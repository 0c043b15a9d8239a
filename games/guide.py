"""The guided first round: a match by the real rules in which both sides follow a script.

The reader plays seat 0 and is told what to do; another answer than the script's is refused. Nina
on seat 1 answers a moment later, by herself. The clocks stand: what is stored of the time is never
more than a free delay, so that nobody's bank shrinks while a sentence is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial

from . import play
from .play import ABANDONED_AFTER, Command, Decision, Deck, Position, Refused, Step
from .rules import events
from .rules.match import Phase, State, apply
from .rules.tiles import HAND_SIZE, parse_tile

READER, NINA = 0, 1
NAME = "Nina"  # of who plays by the script
PAUSE = 900  # ms until Nina answers
THINKING = 4_000  # ms that a decision takes at most, as far as the log knows


@dataclass(frozen=True, slots=True)
class Turn:
    """One answer of the script. ``hint`` names what the reader is told before it."""

    seat: int
    do: str
    tile: str = ""
    arm: str = ""
    points: int = 0
    hint: str = ""

    def command(self, version: int) -> Command:
        tile = parse_tile(self.tile) if self.tile else None
        return Command(self.do, version, tile, self.arm, self.points)

    def is_answered_by(self, command: Command) -> bool:
        asked = self.command(0)
        same = (command.do, command.tile, command.arm) == (asked.do, asked.tile, asked.arm)
        return same and command.points == asked.points


def _deal(mine: str, hers: str, boneyard: str) -> events.Deal:
    hands = [tuple(parse_tile(tile) for tile in hand.split()) for hand in (mine, hers)]
    assert [len(hand) for hand in hands] == [HAND_SIZE, HAND_SIZE]
    rest = tuple(parse_tile(tile) for tile in boneyard.split())
    return events.Deal(hands=(hands[READER], hands[NINA]), boneyard=rest)


DEALS = (
    _deal(
        "6-1 5-0 4-3 1-0 6-4 5-5 4-0",
        "4-4 3-3 6-5 3-0 4-2 1-1 5-2",
        "5-1 2-1 5-4 6-2 6-6 2-2 3-2 2-0 6-3 5-3 0-0 4-1 6-0 3-1",
    ),
    _deal(
        "6-4 5-3 4-1 3-3 2-0 6-2 1-1",
        "5-5 6-1 4-2 3-0 5-2 2-2 4-0",
        "0-0 1-0 2-1 3-1 3-2 4-3 4-4 5-0 5-1 5-4 6-0 6-3 6-5 6-6",
    ),
)

SCRIPT = (
    Turn(READER, "ready", hint="start"),
    Turn(READER, "play", "5-5", "open", hint="open"),
    Turn(NINA, "play", "5-2", "right"),
    Turn(READER, "play", "5-0", "left", hint="join"),
    Turn(NINA, "play", "3-0", "left"),
    Turn(READER, "play", "4-3", "left", hint="paid"),
    Turn(NINA, "play", "4-2", "left"),
    Turn(READER, "draw", hint="draw"),
    Turn(READER, "play", "5-1", "down", hint="side"),
    Turn(NINA, "play", "1-1", "down"),
    Turn(READER, "play", "6-1", "down", hint="double"),
    Turn(NINA, "play", "6-5", "up"),
    Turn(READER, "play", "6-4", "up", hint="four"),
    Turn(NINA, "play", "4-4", "up"),
    Turn(READER, "play", "4-0", "up", hint="blank"),
    Turn(NINA, "draw"),
    Turn(NINA, "play", "2-1", "right"),
    Turn(READER, "play", "1-0", "up", hint="last"),
    Turn(READER, "ready", hint="jockey"),
    Turn(NINA, "bid", points=15),
    Turn(READER, "bid", points=20, hint="raise"),
    Turn(NINA, "accept"),
    Turn(READER, "play", "6-4", "open", hint="bought"),
    Turn(NINA, "resign"),
)
HINTS = tuple(turn.hint for turn in SCRIPT if turn.hint)


def begin() -> Decision:
    """What a new match begins with: Nina has pressed Start."""
    return Decision(_nina_is_ready(State.new()), ABANDONED_AFTER)


def turn_at(version: int) -> Turn | None:
    """Whose answer the script wants after ``version`` events, and which; None after the last."""
    return _turns().get(version)


def steps_before(version: int) -> int:
    """How many answers of the reader were given within the first ``version`` events."""
    return sum(turn.seat == READER and n < version for n, turn in _turns().items())


def decide(position: Position, seat: int, command: Command, arrived: int, deck: Deck) -> Decision:
    """What a command of the reader brings about; see :func:`games.play.decide`.

    Raises :class:`Refused`, with ``guided`` for what the rules allow and the script does not.
    """
    at = min(arrived, position.state.at + THINKING)
    decision = play.decide(position, seat, command, at, partial(_deal_after, position.state))
    if command.do == "resign":
        return decision
    turn = turn_at(position.version)
    if turn is None or turn.seat != READER or not turn.is_answered_by(command):
        raise Refused("guided")
    return _goes_on(position, decision, arrived)


def judge(position: Position, now: int) -> Decision | None:
    """Nina's answer once it is due, or a void where nobody has answered for a day; or None.

    ``now`` is in milliseconds since the match was created.
    """
    if position.due is None or now < position.due:
        return None
    turn = turn_at(position.version)
    if turn is None or turn.seat == READER:
        event = events.Void(at=position.state.at, reason="abandoned")
        return Decision((Step(event, apply(position.state, event)),), None)
    command = turn.command(position.version)
    at = position.state.at + PAUSE
    decision = play.decide(position, NINA, command, at, partial(_deal_after, position.state))
    return _goes_on(position, decision, now)


def _goes_on(position: Position, decision: Decision, now: int) -> Decision:
    """A decision with what follows by itself, and when somebody has to look again."""
    steps = decision.steps + _nina_is_ready(decision.state)
    state = steps[-1].state
    if state.result:
        return Decision(steps, None)
    turn = turn_at(position.version + len(steps))
    waits = PAUSE if turn is not None and turn.seat == NINA else ABANDONED_AFTER
    return Decision(steps, max(now, state.at) + waits)


def _nina_is_ready(state: State) -> tuple[Step, ...]:
    if state.phase not in (Phase.NEW, Phase.ROUND_OVER) or state.ready[NINA]:
        return ()
    event = events.Ready(seat=NINA, at=state.at)
    return (Step(event, apply(state, event)),)


def _deal_after(state: State) -> events.Deal:
    return DEALS[state.round]


@cache
def _turns() -> dict[int, Turn]:
    """The script by the number of events before each answer."""
    return dict(_played())


def _played() -> Iterator[tuple[int, Turn]]:
    steps = begin().steps
    state, version = steps[-1].state, len(steps)
    for turn in SCRIPT:
        yield version, turn
        position = Position(state, version, None)
        deck = partial(_deal_after, state)
        told = play.decide(position, turn.seat, turn.command(version), state.at, deck)
        steps = told.steps + _nina_is_ready(told.state)
        state, version = steps[-1].state, version + len(steps)
