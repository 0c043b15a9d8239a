"""Counts and payments of whole sequences of plays, known from elsewhere.

Each sequence is laid in a second round, where the opener is free to open with
any tile; the two seats take turns in laying it.
"""

from __future__ import annotations

import json

import pytest

from .reference import ends_of, halves
from .scenario import DATA, Match

Row = tuple[str, str, int | None, int | None]

COUNTS: dict[str, list[Row]] = json.loads((DATA / "counts.json").read_text())
REFUSED = [
    (name, at) for name, rows in COUNTS.items() for at, row in enumerate(rows) if row[2] is None
]


#: A sequence of fourteen: its opener keeps this tile, which never fits, and draws the last one.
KEPT = {"V23": "4-1"}


def opened_freely(first: list[str], second: list[str], boneyard: str = "") -> Match:
    """Seat 0 went out, nobody has scored, seat 0 opens; the hands hold these tiles."""
    match = Match().jockey(0).deal(" ".join(first), " ".join(second), boneyard)
    return match.go_on().decline(1)


def legal_rows(rows: list[Row]) -> list[tuple[str, str, int, int]]:
    return [(t, arm, n, paid) for t, arm, n, paid in rows if n is not None and paid is not None]


@pytest.mark.parametrize("name", COUNTS)
def test_counts(name: str) -> None:
    rows = legal_rows(COUNTS[name])
    first, second = [row[0] for row in rows[::2]], [row[0] for row in rows[1::2]]
    drawn = first.pop() if name in KEPT else ""
    match = opened_freely([*first, KEPT[name]] if drawn else first, second, drawn)
    start = len(match.events)
    for turn, (tile, arm, _, _) in enumerate(rows):
        if tile == drawn:
            match.draw(0)
        match.play(turn % 2, tile, arm)
    played = [
        state
        for event, state in zip(match.events[start:], match.states[start:], strict=True)
        if event["do"] == "play"
    ]
    chips = [150, 150]
    for turn, (tile, arm, count, paid) in enumerate(rows):
        state = played[turn]
        seat = turn % 2
        chips[seat] += paid
        chips[1 - seat] -= paid
        assert state["count"] == count, (tile, arm)
        assert sum(end["count"] for end in state["ends"].values()) == count
        assert state["chips"] == chips
        expected = {"from": 1 - seat, "to": seat, "points": paid, "for": "ends"} if paid else None
        assert state["transfer"] == expected
        assert state["ends"] == ends_of([row[:2] for row in rows[: turn + 1]])


@pytest.mark.parametrize(("name", "at"), REFUSED)
def test_refused_plays(name: str, at: int) -> None:
    tile, arm, _, _ = COUNTS[name][at]
    rows = legal_rows(COUNTS[name][:at])
    first, second = [row[0] for row in rows[::2]], [row[0] for row in rows[1::2]]
    seat = len(rows) % 2
    (first, second)[seat].append(tile)
    match = opened_freely(first, second)
    for turn, row in enumerate(rows):
        match.play(turn % 2, row[0], row[1])
    assert match.state["to_act"] == seat
    assert tile in match.state["hands"][seat]
    assert {"do": "play", "tile": tile, "arm": arm} not in match.state["legal"]
    end = match.state["ends"].get(arm)
    code = "no_such_end" if end is None else "does_not_fit"
    match.refused("play", code, seat=seat, tile=tile, arm=arm)
    assert end is None or end["value"] not in halves(tile)
