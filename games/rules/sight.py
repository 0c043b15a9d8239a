"""What a viewer may see. Everything that leaves the server is built here, as an allow-list.

A viewer is a seat, 0 or 1, or None for a spectator (R2.3, Readings 3 and 6). On a shared device
both seats are played on one, which is an audience of its own: it sees what the seat sees that has
revealed, and else no more than a spectator (R8.5).
"""

from __future__ import annotations

from typing import Any, Final, Literal

from . import events
from .events import Event
from .match import Phase, State, legal
from .record import Json, ends_json, event_json, result_json, state_json, transfer_json

Viewer = int | None

DEVICE: Final = "device"
Audience = Viewer | Literal["device"]

_PUBLIC = (
    "phase",
    "round",
    "to_act",
    "chips",
    "transfer",
    "ends",
    "count",
    "boneyard",
    "bid",
    "jockey",
    "ready",
    "result",
)
_FACE_DOWN = frozenset({Phase.NEW, Phase.DEALT, Phase.HANDOVER})
_HANDS_SHOWN = frozenset({Phase.ROUND_OVER, Phase.MATCH_OVER})
_PRESSABLE = frozenset({Phase.NEW, Phase.DEALT, Phase.ROUND_OVER})
_REVEALED = frozenset({Phase.AUCTION, Phase.OPENING, Phase.PLAY})


def seats_of(audience: Audience) -> tuple[int, ...]:
    """The seats that an audience plays."""
    if audience is None:
        return ()
    return (0, 1) if audience == DEVICE else (audience,)


def view_for(state: State, viewer: Viewer) -> Json:
    """The state as ``viewer`` may see it: the record's keys without clock and version.

    ``hand`` is the viewer's own tiles or None, ``hands`` both where a round or the match is
    over, ``legal`` the viewer's own answers, ``table`` the tiles in order of play.
    """
    full = state_json(state)
    view: Json = {"you": viewer} | {key: full[key] for key in _PUBLIC}
    hidden = viewer is None or state.phase in _FACE_DOWN
    view["hand"] = None if hidden else full["hands"][viewer]
    view["hand_sizes"] = [len(hand) for hand in state.hands]
    if state.phase in _HANDS_SHOWN:
        view["hands"] = full["hands"]
    view["legal"] = _answers(state, viewer)
    view["table"] = [{"tile": str(laid.tile), "arm": laid.arm} for laid in state.table.laid]
    return view


def revealed_seat(state: State) -> int | None:
    """On a shared device: the seat whose tiles may be shown now, if any."""
    return state.revealed if state.phase in _REVEALED else None


def device_view_for(state: State, *, shown: bool) -> Json:
    """The state as a shared device may show it, where the seat that has revealed has asked to see
    its tiles (``shown``), or where nobody has: then ``you`` is None.

    ``covered`` says that table and tiles are to be covered, and ``legal`` has the reveal that
    uncovers them, which shows a turn that runs once more and stops no clock.
    """
    seat = revealed_seat(state) if shown else None
    view = view_for(state, seat)
    view["covered"] = seat is None and state.phase in _REVEALED | {Phase.HANDOVER}
    if view["covered"]:
        view["legal"] = [{"do": "reveal"}]
    elif state.phase in _PRESSABLE:
        view["legal"] = [] if all(state.ready) else [{"do": "ready"}]
    return view


def _answers(state: State, viewer: Viewer) -> list[dict[str, Any]]:
    if viewer is None:
        return []
    if state.phase in _PRESSABLE:
        return [] if state.ready[viewer] else [{"do": "ready"}]
    return [dict(answer) for answer in legal(state)] if viewer == state.to_act else []


def clock_for(state: State, at: int) -> Json:
    """The clock at the moment ``at``: banks, who runs, and the milliseconds left.

    ``left`` is the time until the deadline and ``delay_left`` what remains of the delay, both
    None while the clocks stand; neither falls below 0.
    """
    clock = state.clock
    bank, running, deadline = list(clock.bank), clock.running, clock.deadline
    if running is None or deadline is None:
        return {"bank": bank, "running": None, "left": None, "delay_left": None}
    left = max(0, deadline - max(at, clock.since))
    return {
        "bank": bank,
        "running": running,
        "left": left,
        "delay_left": max(0, left - clock.bank[running]),
    }


def event_for(event: Event, after: State, viewer: Viewer) -> Json:
    """One event in public form: a deal has no tiles, and a draw its tile for the drawer alone."""
    if isinstance(event, events.Deal):
        return {"do": event.do}
    public = event_json(event)
    if isinstance(event, events.Draw) and event.seat == viewer:
        public["tile"] = str(after.drawn)
    return public


def entry_for(n: int, event: Event, after: State, viewer: Viewer) -> Json:
    """One line of the story of a match: the public event ``n`` and what it brought about."""
    return (
        {"n": n, "auto": False}
        | event_for(event, after, viewer)
        | {
            "phase": str(after.phase),
            "round": after.round,
            "transfer": transfer_json(after.transfer),
            "ends": ends_json(after),
            "count": after.table.count,
            "bank": list(after.clock.bank),
            "result": result_json(after.result),
        }
    )
