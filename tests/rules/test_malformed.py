"""Bad lines are illegal events, bad headers are errors; neither is ever a traceback."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.rules.record import HeaderError

from .scenario import HEADER, Match, deal, encode, run

READY = b'{"do": "ready", "seat": 0, "at": 0}\n'
HEAD = encode(HEADER)


def with_key(value: bytes) -> bytes:
    """A legal event but for what stands under a key nobody knows."""
    return b'{"do": "ready", "seat": 0, "at": 0, "note": ' + value + b"}\n"


BAD_LINES = {
    "no JSON": b"hello\n",
    "an open brace": b"{\n",
    "half an event": READY[:20] + b"\n",
    "two events": READY[:-1] + READY,
    "a trailing comma": b'{"do": "ready", "seat": 0, "at": 0,}\n',
    "single quotes": b"{'do': 'ready', 'seat': 0, 'at': 0}\n",
    "a comment": READY[:-1] + b" // yes\n",
    "a list": b'["ready", 0, 0]\n',
    "text": b'"ready"\n',
    "a number": b"1\n",
    "null": b"null\n",
    "true": b"true\n",
    "an empty object": b"{}\n",
    "NaN": b"NaN\n",
    "NaN under a key": with_key(b"NaN"),
    "Infinity under a key": with_key(b"Infinity"),
    "-Infinity under a key": with_key(b"-Infinity"),
    "NaN for at": b'{"do": "ready", "seat": 0, "at": NaN}\n',
    "Infinity for at": b'{"do": "ready", "seat": 0, "at": Infinity}\n',
    "a huge float for at": b'{"do": "ready", "seat": 0, "at": 1e999}\n',
    "an over-long at": b'{"do": "ready", "seat": 0, "at": ' + b"9" * 5_000 + b"}\n",
    "an over-long seat": b'{"do": "ready", "seat": ' + b"9" * 5_000 + b', "at": 0}\n',
    "an over-long number under a key": with_key(b"9" * 100_000),
    "an over-long negative number": with_key(b"-" + b"9" * 100_000),
    "invalid UTF-8": b'{"do": "ready", "seat": 0, "at": 0, "note": "\xff"}\n',
    "a lone continuation byte": with_key(b'"\x80"'),
    "an overlong encoding": with_key(b'"\xc0\xaf"'),
    "an encoded surrogate": with_key(b'"\xed\xa0\x80"'),
    "latin-1": 'é{"do": "ready"}\n'.encode("latin-1"),
    "UTF-16": READY.decode().encode("utf-16"),
    "zero bytes": b"\x00\x00\x00\n",
    "100,000 brackets": b"[" * 100_000 + b"\n",
    "100,000 brackets that close": b"[" * 100_000 + b"]" * 100_000 + b"\n",
    "100,000 brackets under a key": with_key(b"[" * 100_000 + b"]" * 100_000),
    "100,000 objects": b'{"a":' * 100_000 + b"1" + b"}" * 100_000 + b"\n",
    "a raw tab in text": with_key(b'"a\tb"'),
    "white space that is not ASCII": b"\xc2\xa0\n",
    "a line separator": "\u2028\n".encode(),
    "a byte order mark": b"\xef\xbb\xbf" + READY,
    "a number with a leading zero": b'{"do": "ready", "seat": 0, "at": 00}\n',
    "hexadecimal": b'{"do": "ready", "seat": 0, "at": 0x0}\n',
}


@pytest.mark.parametrize("name", BAD_LINES)
def test_a_bad_line_is_an_illegal_event(name: str) -> None:
    line = BAD_LINES[name]
    assert line.count(b"\n") == 1 or name == "UTF-16"
    states = run([HEAD, line, READY], keep_going=True)
    assert len(states) == 2
    assert states[0]["n"] == 1
    assert states[0]["illegal"] == "malformed"
    assert states[1]["n"] == 2
    assert states[1]["ready"] == [True, False]


@pytest.mark.parametrize("name", BAD_LINES)
def test_replay_stops_at_a_bad_line(name: str) -> None:
    states = run([HEAD, BAD_LINES[name], READY])
    assert len(states) == 1
    assert "illegal" in states[0]
    json.dumps(states[0], allow_nan=False)


SURROGATE = "\ud800"
ODD_VALUES: list[Any] = [
    SURROGATE,
    "\x00",
    "a" * 100_000,
    10**400,
    -(10**400),
    -1,
    1.5,
    1e300,
    True,
    None,
    [],
    [[[]]],
    {},
    {"do": "play"},
    "0",
    "6-6",
    "٣",
]
EVENTS: list[dict[str, Any]] = [
    {"do": "ready", "seat": 0, "at": 9},
    {"do": "bid", "seat": 0, "points": 15, "at": 9},
    {"do": "play", "seat": 0, "tile": "6-6", "arm": "open", "at": 9},
    {"do": "void", "reason": "staff", "at": 9},
    {"do": "timeout", "seat": 0, "at": 9},
    {"do": "resign", "seat": 0, "at": 9},
    deal(),
]


@pytest.mark.parametrize("value", ODD_VALUES, ids=lambda value: repr(value)[:20])
@pytest.mark.parametrize("event", EVENTS, ids=lambda event: str(event["do"]))
def test_an_odd_value_is_never_a_traceback(event: dict[str, Any], value: object) -> None:
    """Under any key: the event is legal or not, and what is printed is JSON."""
    for key in (*event, "from", "to", "auto"):
        for before in ([], [encode(deal("6-6"))], [encode(deal("6-6")), START]):
            lines = [HEAD, *before, encode({**event, key: value})]
            for state in run(lines, keep_going=True):
                json.dumps(state, allow_nan=False).encode()


START = encode({"do": "start", "at": 0})

BLANK = [b"\n", b"\r\n", b" \n", b"\t\n", b"  \t \r\n", b" \r\n", b"\x0c\n", b""]


@pytest.mark.parametrize("blank", BLANK)
def test_a_blank_line_is_not_counted(blank: bytes) -> None:
    states = run([HEAD, blank, READY, blank, blank, encode(deal()), blank])
    assert [state["n"] for state in states] == [1, 2]


def test_lines_may_end_with_cr_lf() -> None:
    match = Match().first_round("loud_other")
    lines = [line.replace(b"\n", b"\r\n") for line in match.lines()]
    assert run(lines) == match.states


def test_the_last_line_needs_no_lf() -> None:
    match = Match().first_round("loud_other")
    lines = match.lines()
    lines[-1] = lines[-1].rstrip(b"\n")
    assert run(lines) == match.states
    assert run([line.rstrip(b"\n") for line in match.lines()]) == match.states


def test_json_may_be_written_in_any_way() -> None:
    line = (
        b'  {"at":0 ,\t"seat" : 0,"\\u0064o":"re\\u0061dy", "note": "\xe2\x80\xa8 \xc2\x85"}  \r\n'
    )
    (state,) = run([HEAD, line])
    assert state["ready"] == [True, False]


def test_a_carriage_return_inside_a_line_does_not_end_it() -> None:
    (state,) = run([HEAD, b'{"do": "ready",\r"seat": 0, "at": 0}\n'])
    assert state["ready"] == [True, False]


def test_integers_are_json_integers() -> None:
    for seat in (b"0.0", b"0e0", b"false", b'"0"', b"1.0", b"true", b"null", b"1E0"):
        line = b'{"do": "ready", "at": 0, "seat": ' + seat + b"}\n"
        assert run([HEAD, line])[0]["illegal"] == "malformed"


GOOD_HEADERS: dict[str, dict[str, Any]] = {
    "plain": {},
    "shared": {"shared_device": True},
    "not shared": {"shared_device": False},
    "everything": {
        "id": "x7",
        "rated": True,
        "played_on": "2024-05-04",
        "result": {"winner": 0, "reason": "chips"},
        "annulled": False,
    },
    "deals that are wrong": {"deals": [{"commitment": "00" * 32, "nonce": "11" * 32}]},
    "an unknown key": {"comment": ["any", {"thing": None}]},
    "empty names": {"players": ["", ""]},
    "equal names": {"players": ["Ada", "Ada"]},
    "other letters": {"players": ["Łukasz", "あ"]},
}


@pytest.mark.parametrize("name", GOOD_HEADERS)
def test_a_header(name: str) -> None:
    (state,) = run([encode(HEADER | GOOD_HEADERS[name]), READY])
    assert state["ready"] == [True, False]


def test_a_record_without_events_prints_nothing() -> None:
    assert run([HEAD]) == []
    assert run([HEAD, b"\n", b"\r\n"]) == []
    assert run([HEAD.rstrip(b"\n") + b"\r\n"]) == []


def without(key: str) -> bytes:
    return encode({name: value for name, value in HEADER.items() if name != key})


BAD_HEADERS = {
    "an event": READY,
    "no JSON": b"spectacular-bid 1\n",
    "a list": b"[]\n",
    "null": b"null\n",
    "text": b'"spectacular-bid"\n',
    "an empty object": b"{}\n",
    "NaN": HEAD.replace(b"1,", b"NaN,"),
    "invalid UTF-8": HEAD.replace(b"Ada", b"\xff"),
    "brackets": b"[" * 100_000 + b"\n",
    "an over-long number": HEAD.replace(b"1,", b"1" * 5_000 + b","),
    "no format": without("format"),
    "no version": without("version"),
    "no players": without("players"),
    "another format": encode(HEADER | {"format": "pgn"}),
    "a format in capitals": encode(HEADER | {"format": "Spectacular-Bid"}),
    "a format that is no text": encode(HEADER | {"format": ["spectacular-bid"]}),
    "version 2": encode(HEADER | {"version": 2}),
    "version 0": encode(HEADER | {"version": 0}),
    "version as text": encode(HEADER | {"version": "1"}),
    "version true": encode(HEADER | {"version": True}),
    "version 1.0": encode(HEADER | {"version": 1.0}),
    "version null": encode(HEADER | {"version": None}),
    "one player": encode(HEADER | {"players": ["Ada"]}),
    "three players": encode(HEADER | {"players": ["Ada", "Bo", "Cy"]}),
    "players that are numbers": encode(HEADER | {"players": [1, 2]}),
    "players null": encode(HEADER | {"players": None}),
    "players that are one text": encode(HEADER | {"players": "AB"}),
    "players that are an object": encode(HEADER | {"players": {"0": "Ada", "1": "Bo"}}),
    "shared_device 1": encode(HEADER | {"shared_device": 1}),
    "shared_device as text": encode(HEADER | {"shared_device": "true"}),
    "shared_device null": encode(HEADER | {"shared_device": None}),
}


@pytest.mark.parametrize("name", BAD_HEADERS)
@pytest.mark.parametrize("keep_going", [False, True])
def test_a_bad_header_is_an_error(name: str, keep_going: bool) -> None:
    with pytest.raises(HeaderError):
        run([BAD_HEADERS[name], READY], keep_going=keep_going)


def test_no_header_at_all() -> None:
    with pytest.raises(HeaderError):
        run([])
    with pytest.raises(HeaderError):
        run([b"\n", b"  \r\n"])


def test_an_illegal_event_stops_the_replay_or_not() -> None:
    lines = [HEAD, READY, READY, encode(deal("6-6"))]
    assert [state["n"] for state in run(lines)] == [1, 2]
    states = run(lines, keep_going=True)
    assert [state["n"] for state in states] == [1, 2, 3]
    assert ["illegal" in state for state in states] == [False, True, False]
