"""A whole state as JSON and back: the cache beside the log.

``restore(take(state)) == state`` for every state of every match.
"""

from __future__ import annotations

from typing import Any

from .auction import Bid
from .clock import Clock
from .match import Phase, Result, State, Transfer
from .table import Table
from .tiles import Tile, parse_tile


def take(state: State) -> dict[str, Any]:
    """The state as JSON values; the table is kept as its tiles in order of play."""
    clock, bid, transfer, result = state.clock, state.bid, state.transfer, state.result
    return {
        "shared_device": state.shared_device,
        "phase": str(state.phase),
        "round": state.round,
        "chips": list(state.chips),
        "hands": [_write(hand) for hand in state.hands],
        "boneyard": _write(state.boneyard),
        "laid": [[str(tile), arm] for tile, arm in state.table.laid],
        "to_act": state.to_act,
        "jockey": state.jockey,
        "bid": bid and [bid.seat, bid.points],
        "must_open": state.must_open and str(state.must_open),
        "drawn": state.drawn and str(state.drawn),
        "passed": state.passed,
        "revealed": state.revealed,
        "covered": state.covered and str(state.covered),
        "ready": list(state.ready),
        "clock": [list(clock.bank), clock.running, clock.since],
        "transfer": transfer and [transfer.payer, transfer.payee, transfer.points, transfer.cause],
        "result": result and [result.winner, result.reason],
        "at": state.at,
    }


def restore(data: dict[str, Any]) -> State:
    """The state that :func:`take` wrote down."""
    bank, running, since = data["clock"]
    table = Table()
    for tile, arm in data["laid"]:
        table = table.lay(parse_tile(tile), arm)
    return State(
        shared_device=data["shared_device"],
        phase=Phase(data["phase"]),
        round=data["round"],
        chips=(data["chips"][0], data["chips"][1]),
        hands=(_read(data["hands"][0]), _read(data["hands"][1])),
        boneyard=_read(data["boneyard"]),
        table=table,
        to_act=data["to_act"],
        jockey=data["jockey"],
        bid=Bid(*data["bid"]) if data["bid"] else None,
        must_open=parse_tile(data["must_open"]) if data["must_open"] else None,
        drawn=parse_tile(data["drawn"]) if data["drawn"] else None,
        passed=data["passed"],
        revealed=data["revealed"],
        covered=Phase(data["covered"]) if data["covered"] else None,
        ready=(data["ready"][0], data["ready"][1]),
        clock=Clock((bank[0], bank[1]), running, since),
        transfer=Transfer(*data["transfer"]) if data["transfer"] else None,
        result=Result(*data["result"]) if data["result"] else None,
        at=data["at"],
    )


def _write(tiles: tuple[Tile, ...]) -> list[str]:
    return [str(tile) for tile in tiles]


def _read(texts: list[str]) -> tuple[Tile, ...]:
    return tuple(parse_tile(text) for text in texts)
