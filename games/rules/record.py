"""The match record: JSON Lines to events and back, and their replay (format version 1)."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from . import events
from .errors import Illegal
from .events import Event
from .match import Result, State, Transfer, apply, legal
from .table import ARMS, OPEN
from .tiles import Tile, parse_tile

FORMAT = "spectacular-bid"
VERSION = 1
LARGEST = 2**53 - 1  # the largest whole number every JSON reader keeps exactly
QUOTED = 60  # characters of a reader's input that an error quotes

Json = dict[str, Any]


class HeaderError(ValueError):
    """The record has no header that can be read; the text says what is wrong with it."""


def _no_constant(text: str) -> None:
    raise ValueError(f"{text} is no JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError("number out of range")
    return number


def parse_json(text: bytes | str) -> Json:
    """One JSON object of a line or frame; raises :class:`Illegal` ``malformed`` for all else.

    NaN, Infinity, invalid UTF-8, numbers too long and nesting too deep are malformed too.
    """
    try:
        decoded = text.decode() if isinstance(text, bytes) else text
        value = json.loads(decoded, parse_constant=_no_constant, parse_float=_finite)
    except (ValueError, RecursionError):
        raise Illegal("malformed", problem="json", key="") from None
    if not isinstance(value, dict):
        raise Illegal("malformed", problem="object", key="")
    return value


def _get(data: Mapping[str, Any], key: str) -> Any:
    if key not in data:
        raise Illegal("malformed", problem="missing", key=key)
    return data[key]


def _bad(key: str) -> Illegal:
    return Illegal("malformed", problem="type", key=key)


def read_int(data: Mapping[str, Any], key: str) -> int:
    """A JSON integer that is not ``true``, ``5.0`` or too long; ``malformed`` otherwise."""
    value = _get(data, key)
    if type(value) is not int or abs(value) > LARGEST:
        raise _bad(key)
    return value


def _moment(data: Mapping[str, Any], key: str) -> int:
    value = read_int(data, key)
    if value < 0:
        raise _bad(key)
    return value


def _optional_moment(data: Mapping[str, Any], key: str) -> int | None:
    return _moment(data, key) if key in data else None


def _seat(data: Mapping[str, Any]) -> int:
    seat = read_int(data, "seat")
    if seat not in (0, 1):
        raise _bad("seat")
    return seat


def _text(data: Mapping[str, Any], key: str) -> str:
    value = _get(data, key)
    if not isinstance(value, str):
        raise _bad(key)
    return value


def read_tile(data: Mapping[str, Any], key: str = "tile") -> Tile:
    """A tile, higher half first; ``malformed`` otherwise."""
    return _tile(_get(data, key), key)


def _tile(value: object, key: str) -> Tile:
    if not isinstance(value, str):
        raise _bad(key)
    try:
        return parse_tile(value)
    except ValueError:
        raise _bad(key) from None


def _tiles(value: object, key: str) -> tuple[Tile, ...]:
    if not isinstance(value, list):
        raise _bad(key)
    return tuple(_tile(item, key) for item in value)


def read_arm(data: Mapping[str, Any]) -> str:
    """``open``, ``left``, ``right``, ``up`` or ``down``; ``malformed`` otherwise."""
    arm = _text(data, "arm")
    if arm != OPEN and arm not in ARMS:
        raise _bad("arm")
    return arm


def _deal(data: Json) -> events.Deal:
    hands = _get(data, "hands")
    if not isinstance(hands, list) or len(hands) != 2:
        raise _bad("hands")
    first, second = (_tiles(hand, "hands") for hand in hands)
    return events.Deal(hands=(first, second), boneyard=_tiles(_get(data, "boneyard"), "boneyard"))


def _void(data: Json) -> events.Void:
    return events.Void(
        at=_moment(data, "at"),
        reason=_text(data, "reason"),
        begin=_optional_moment(data, "from"),
        end=_optional_moment(data, "to"),
    )


def _seated(kind: type[Any], *more: str) -> Callable[[Json], Event]:
    readers: dict[str, Callable[[Json], object]] = {
        "points": lambda data: read_int(data, "points"),
        "tile": read_tile,
        "arm": read_arm,
        "auto": lambda data: data.get("auto") is True,
    }

    def read(data: Json) -> Event:
        extra = {key: readers[key](data) for key in more}
        event: Event = kind(seat=_seat(data), at=_moment(data, "at"), **extra)
        return event

    return read


_READERS: dict[str, Callable[[Json], Event]] = {
    "ready": _seated(events.Ready),
    "deal": _deal,
    "start": lambda data: events.Start(at=_moment(data, "at")),
    "continue": lambda data: events.Continue(at=_moment(data, "at")),
    "reveal": _seated(events.Reveal),
    "bid": _seated(events.Bid, "points"),
    "accept": _seated(events.Accept, "auto"),
    "decline": _seated(events.Decline, "auto"),
    "play": _seated(events.Play, "tile", "arm"),
    "draw": _seated(events.Draw),
    "pass": _seated(events.Pass, "auto"),
    "resign": _seated(events.Resign),
    "timeout": _seated(events.Timeout),
    "void": _void,
}


def parse_event(data: Json) -> Event:
    """The event of a JSON object; keys it does not know are ignored.

    Raises :class:`Illegal` ``malformed`` for an unknown ``do``, a missing or badly typed key.
    """
    do = _text(data, "do")
    if do not in _READERS:
        raise Illegal("malformed", problem="unknown", key=do[:QUOTED])
    return _READERS[do](data)


def event_json(event: Event) -> Json:
    """The event as the record writes it; ``parse_event`` reads it back."""
    if isinstance(event, events.Deal):
        hands = [[str(tile) for tile in hand] for hand in event.hands]
        return {"do": event.do, "hands": hands, "boneyard": [str(t) for t in event.boneyard]}
    data: Json = {"do": event.do}
    if isinstance(event, events.Seated):
        data["seat"] = event.seat
    data["at"] = event.at
    match event:
        case events.Play():
            data |= {"tile": str(event.tile), "arm": event.arm}
        case events.Bid():
            data["points"] = event.points
        case events.Void():
            span = {"from": event.begin, "to": event.end}
            data |= {"reason": event.reason}
            data |= {key: value for key, value in span.items() if value is not None}
        case events.Answer() if event.auto:
            data["auto"] = True
    return data


def header_json(players: tuple[str, str], **optional: object) -> Json:
    """A header; keys whose value is None are left out."""
    header: Json = {"format": FORMAT, "version": VERSION, "players": list(players)}
    return header | {key: value for key, value in optional.items() if value is not None}


def parse_header(line: bytes) -> Json:
    """The header of a record; raises :class:`HeaderError` where it cannot be read."""
    try:
        header = parse_json(line)
    except Illegal:
        raise HeaderError("the first line is not a JSON object") from None
    if header.get("format") != FORMAT:
        raise HeaderError(f'the header does not say "format": "{FORMAT}"')
    version = header.get("version")
    if type(version) is not int or version != VERSION:
        raise HeaderError(f'the header does not say "version": {VERSION}')
    players = header.get("players")
    if not isinstance(players, list) or [type(name) for name in players] != [str, str]:
        raise HeaderError('"players" is not a list of two strings')
    if not isinstance(header.get("shared_device", False), bool):
        raise HeaderError('"shared_device" is neither true nor false')
    return header


def ends_json(state: State) -> Json:
    """Every open end: its value and what it counts."""
    return {arm: {"value": end.value, "count": end.count} for arm, end in state.table.ends}


def transfer_json(transfer: Transfer | None) -> Json | None:
    """What an event moved, or None."""
    if transfer is None:
        return None
    sides = {"from": transfer.payer, "to": transfer.payee}
    return sides | {"points": transfer.points, "for": transfer.cause}


def result_json(result: Result | None) -> Json | None:
    """How the match ended, or None."""
    return None if result is None else {"winner": result.winner, "reason": result.reason}


def hands_json(state: State) -> list[list[str]]:
    """Both hands, each sorted as text."""
    return [sorted(str(tile) for tile in hand) for hand in state.hands]


def state_json(state: State) -> Json:
    """The state as ``replay`` prints it, without ``n``."""
    bid, clock = state.bid, state.clock
    return {
        "phase": str(state.phase),
        "round": state.round,
        "to_act": state.to_act,
        "chips": list(state.chips),
        "transfer": transfer_json(state.transfer),
        "ends": ends_json(state),
        "count": state.table.count,
        "hands": hands_json(state),
        "boneyard": len(state.boneyard),
        "bid": bid and {"seat": bid.seat, "points": bid.points},
        "jockey": state.jockey,
        "clock": {
            "bank": list(clock.bank),
            "running": clock.running,
            "deadline": clock.deadline,
        },
        "legal": [dict(answer) for answer in legal(state)],
        "ready": list(state.ready),
        "result": result_json(state.result),
    }


def replay(lines: Iterable[bytes], *, keep_going: bool = False) -> Iterator[Json]:
    """Yield what ``replay`` prints for each event of a record.

    ``lines`` are split at LF only. An illegal event yields ``{"n", "illegal", "params"}``
    (the sentence is made elsewhere) and ends the replay unless ``keep_going``. Raises
    :class:`HeaderError`.
    """
    written = (line for line in lines if line.strip())
    header = parse_header(next(written, b""))
    state = State.new(shared_device=header.get("shared_device", False))
    for n, line in enumerate(written, 1):
        try:
            state = apply(state, parse_event(parse_json(line)))
        except Illegal as illegal:
            yield {"n": n, "illegal": illegal.code, "params": illegal.params}
            if not keep_going:
                return
        else:
            yield {"n": n, **state_json(state)}
