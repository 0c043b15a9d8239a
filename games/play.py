"""From a command to the events it brings about: pure, with time and chance passed in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from . import timekeeping
from .rules import events, snapshot
from .rules.errors import Illegal
from .rules.events import Event
from .rules.match import Phase, State, apply, compulsory
from .rules.record import QUOTED, Json, read_arm, read_int, read_tile
from .rules.tiles import Tile
from .timekeeping import Evidence, Measured, Unmeasured

START_WITHIN = 60_000  # ms for both to press the first Start (Readings 4)
CONTINUE_WITHIN = 20_000  # ms after which Continue happens by itself (Readings 4)
ABANDONED_AFTER = 24 * 3600 * 1000  # ms that what nobody else waits for may be left untouched

MOST_EVENTS = 2**31 - 1  # no match has more, and no column takes more

NEVER_STALE = frozenset({"ready", "resign", "flag"})

Deck = Callable[[], events.Deal]


class Refused(Exception):
    """A command that is not accepted; nothing has changed. The sentence is made elsewhere."""

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code, params)
        self.code = code
        self.params = params


@dataclass(frozen=True, slots=True)
class Command:
    """What a player asks for. ``version`` is the number of events on the page it came from,
    None where a command that is never stale did not say it; ``points`` are points; ``seat`` is
    who resigns, which only a shared device has to say."""

    do: str
    version: int | None
    tile: Tile | None = None
    arm: str = ""
    points: int = 0
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Position:
    """What a decision is made on. ``due`` is the end of the interlude or the deadline, in
    milliseconds since the match was created, None once the match is over."""

    state: State
    version: int
    due: int | None

    @classmethod
    def stored(cls, saved: Json, version: int, due: int | None, epoch: int) -> Position:
        """The position of a stored match, whose ``due`` and ``epoch`` are Unix times in ms."""
        return cls(snapshot.restore(saved), version, None if due is None else due - epoch)


@dataclass(frozen=True, slots=True)
class Step:
    """An event and the state after it."""

    event: Event
    state: State


@dataclass(frozen=True, slots=True)
class Decision:
    """Steps from one position, to be stored together, and the next due time.

    A decision without steps only moves the due time, and has no state of its own.
    """

    steps: tuple[Step, ...]
    due: int | None

    @property
    def state(self) -> State:
        return self.steps[-1].state


_PLAYER_EVENTS = frozenset(
    {"ready", "reveal", "bid", "accept", "decline", "play", "draw", "pass", "resign"}
)


def parse_command(data: Json) -> Command:
    """A typed command of a JSON object; raises :class:`Refused` ``malformed``."""
    try:
        do = data.get("do")
        if not isinstance(do, str):
            raise Illegal("malformed", problem="type" if "do" in data else "missing", key="do")
        if do not in _PLAYER_EVENTS and do != "flag":
            raise Illegal("malformed", problem="unknown", key=do[:QUOTED])
        optional = do in NEVER_STALE and "version" not in data
        return Command(
            do=do,
            version=None if optional else _version(data),
            tile=read_tile(data) if do == "play" else None,
            arm=read_arm(data) if do == "play" else "",
            points=read_int(data, "points") if do == "bid" else 0,
            seat=_seat(data) if do == "resign" else None,
        )
    except Illegal as illegal:
        raise Refused(illegal.code, **illegal.params) from None


def _version(data: Json) -> int:
    version = read_int(data, "version")
    if not 0 <= version <= MOST_EVENTS:
        raise Illegal("malformed", problem="type", key="version")
    return version


def _seat(data: Json) -> int | None:
    seat = data.get("seat")
    return seat if type(seat) is int and seat in (0, 1) else None


def seat_on_device(state: State, command: Command) -> int:
    """The seat for which a command from a shared device counts: whoever must act; a Start or
    Continue counts for both. Raises :class:`Refused` where it has to say who resigns."""
    if command.do == "resign":
        if command.seat is None:
            raise Refused("malformed", problem="missing", key="seat")
        return command.seat
    return 0 if state.to_act is None else state.to_act


def event_of(command: Command, seat: int, at: int) -> Event:
    """The event a command of ``seat`` asks for."""
    match command:
        case Command(do="play", tile=Tile() as tile):
            return events.Play(seat=seat, at=at, tile=tile, arm=command.arm)
        case Command(do="bid"):
            return events.Bid(seat=seat, at=at, points=command.points)
    return _PLAIN[command.do](seat=seat, at=at)


_PLAIN: dict[str, Callable[..., Event]] = {
    "ready": events.Ready,
    "reveal": events.Reveal,
    "accept": events.Accept,
    "decline": events.Decline,
    "draw": events.Draw,
    "pass": events.Pass,
    "resign": events.Resign,
}


def decide(position: Position, seat: int, command: Command, arrived: int, deck: Deck) -> Decision:
    """The events that a command brings about, the server's own that follow at once included.

    ``arrived`` is when its frame reached the service, in milliseconds since the match was
    created; a command that waited behind others is stored at the time of the last event at
    the earliest. Raises :class:`Refused` with ``stale`` or a code of the rules.
    """
    if command.do not in NEVER_STALE and command.version != position.version:
        raise Refused("stale", version=position.version)
    at = max(arrived, position.state.at)
    try:
        return _decision(position, event_of(command, seat, at), at, deck)
    except Illegal as illegal:
        raise Refused(illegal.code, **illegal.params) from None


def judge(position: Position, now: int, evidence: Evidence, deck: Deck) -> Decision | None:
    """What happens by itself at ``now``: a loss on time, a void, a Continue; or None.

    A loss on time needs proof that everything which arrived before its deadline has been
    decided, and a decision that nobody measured voids the match. An interlude that an outage
    touched starts its waiting anew: a decision without steps. A hand-over that nobody answers for
    a day voids the match. ``evidence`` is in milliseconds since the match was created.
    """
    state, due = position.state, position.due
    if due is None:
        return None
    at = max(now, state.at)
    if state.clock.running is not None:
        event = _judged(state, state.clock.running, due, now, evidence)
        return None if event is None else _decision(position, event, at, deck)
    if now < due:
        return None
    if state.phase is Phase.HANDOVER:
        return _decision(position, events.Void(at=at, reason="abandoned"), at, deck)
    lasting = START_WITHIN if state.phase is Phase.NEW else CONTINUE_WITHIN
    later = timekeeping.interlude_due(due - lasting, due, now, evidence)
    if later is None or later > now:
        return None if later in (None, due) else Decision((), later)
    if state.phase is Phase.NEW:
        return _decision(position, events.Void(at=at, reason="no_show"), at, deck)
    return _decision(position, deck(), at, deck)


def _judged(state: State, seat: int, due: int, now: int, evidence: Evidence) -> Event | None:
    match timekeeping.decision(state.clock.since, due, now, evidence):
        case Measured(lost=True):
            return events.Timeout(seat=seat, at=due)
        case Unmeasured(gap):
            begin, end = max(0, gap.begin), max(0, gap.end)
            at = max(now, state.at)
            return events.Void(at=at, reason="service_failure", begin=begin, end=end)
    return None


def leave(position: Position, now: int, deck: Deck) -> Decision:
    """A player leaves before both have pressed Start: void. Raises :class:`Refused`."""
    if position.state.phase is not Phase.NEW:
        code = "match_over" if position.state.result else "wrong_phase"
        raise Refused(code, phase=str(position.state.phase))
    at = max(now, position.state.at)
    return _decision(position, events.Void(at=at, reason="abandoned"), at, deck)


def void_by_staff(position: Position, now: int, deck: Deck) -> Decision:
    """Staff end a running match: void. Raises :class:`Refused`."""
    if position.state.result:
        raise Refused("match_over")
    return _decision(
        position, events.Void(at=max(now, position.state.at), reason="staff"), now, deck
    )


def _decision(position: Position, event: Event | None, at: int, deck: Deck) -> Decision:
    """``event`` and whatever the server does at once after it. Raises ``Illegal``."""
    state, steps = position.state, []
    while event is not None:
        state = apply(state, event)
        steps.append(Step(event, state))
        event = _follow(state, at, deck)
    return Decision(tuple(steps), next_due(position, state))


def _follow(state: State, at: int, deck: Deck) -> Event | None:
    """The event that the server makes now: a deal, its start, the only answer (Readings 4, 5)."""
    if state.phase in (Phase.NEW, Phase.ROUND_OVER) and all(state.ready):
        return deck()
    if state.phase in (Phase.NEW, Phase.ROUND_OVER) and state.shared_device and any(state.ready):
        return events.Ready(seat=state.ready.index(False), at=at)
    if state.phase is Phase.DEALT:
        return events.Start(at=at) if state.round == 1 else events.Continue(at=at)
    only = compulsory(state)
    if only is None or state.to_act is None:
        return None
    return _COMPULSORY[only](seat=state.to_act, at=state.at, auto=True)


_COMPULSORY: dict[str, Callable[..., Event]] = {
    "pass": events.Pass,
    "accept": events.Accept,
    "decline": events.Decline,
}


def next_due(position: Position, state: State) -> int | None:
    """The deadline, or the end of the interlude, which a Ready does not move, or of the wait for
    the next player of a shared device."""
    if state.clock.deadline is not None:
        return state.clock.deadline
    if state.phase is Phase.HANDOVER:
        return state.at + ABANDONED_AFTER
    if state.phase not in (Phase.NEW, Phase.ROUND_OVER):
        return None
    before = position.state
    waiting_already = (before.phase, before.round) == (state.phase, state.round)
    return position.due if waiting_already else state.at + CONTINUE_WITHIN
