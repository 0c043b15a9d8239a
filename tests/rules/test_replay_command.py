"""`manage.py replay`: its output, its exit status, its input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from .scenario import HEADER, Match, deal, encode

ROOT = Path(__file__).parents[2]
HEAD = encode(HEADER)


def replay(
    record: bytes, *options: str, path: Path | None = None, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run the command as a process of its own, on a file or on standard input."""
    if path:
        path.write_bytes(record)
    return subprocess.run(
        [sys.executable, "manage.py", "replay", str(path or "-"), *options],
        input=None if path else record,
        stdin=subprocess.DEVNULL if path else None,
        capture_output=True,
        cwd=ROOT,
        env=os.environ | (env or {}),
        timeout=60,
        check=False,
    )


def printed(process: subprocess.CompletedProcess[bytes]) -> list[dict[str, object]]:
    out = process.stdout
    assert b"\r" not in out
    assert not out or out.endswith(b"\n")
    return [json.loads(line) for line in out.split(b"\n")[:-1]]


@pytest.mark.parametrize("from_file", [True, False])
def test_a_legal_record_ends_with_0(tmp_path: Path, from_file: bool) -> None:
    match = Match().first_round("loud_other")
    process = replay(b"".join(match.lines()), path=tmp_path / "a.jsonl" if from_file else None)
    assert process.returncode == 0
    assert process.stderr == b""
    assert printed(process) == match.states


def illegal_record() -> bytes:
    match = Match().deal("6-6", "6-5").start()
    bad = {"do": "play", "seat": 1, "tile": "6-5", "arm": "open", "at": match.now}
    good = {"do": "play", "seat": 0, "tile": "6-6", "arm": "open", "at": match.now}
    return b"".join([*match.lines(), encode(bad), encode(good)])


def test_an_illegal_event_stops_with_1(tmp_path: Path) -> None:
    process = replay(illegal_record(), path=tmp_path / "a.jsonl")
    assert process.returncode == 1
    *legal, last = printed(process)
    assert [state["n"] for state in legal] == [1, 2]
    assert set(last) == {"n", "illegal", "message"}
    assert last["n"] == 3
    assert last["illegal"] == "not_your_turn"
    assert isinstance(last["message"], str)
    assert last["message"]
    assert b"Traceback" not in process.stderr


def test_keep_going_ends_with_1_too() -> None:
    process = replay(illegal_record(), "--keep-going")
    assert process.returncode == 1
    states = printed(process)
    assert [state["n"] for state in states] == [1, 2, 3, 4]
    assert states[3]["count"] == 12


def test_keep_going_over_legal_events_ends_with_0() -> None:
    assert replay(b"".join(Match().deal().lines()), "--keep-going").returncode == 0


@pytest.mark.parametrize("from_file", [True, False])
def test_a_bad_header_ends_with_2(tmp_path: Path, from_file: bool) -> None:
    process = replay(encode(deal()), path=tmp_path / "a.jsonl" if from_file else None)
    assert process.returncode == 2
    assert process.stdout == b""
    assert process.stderr.strip()
    assert b"Traceback" not in process.stderr


@pytest.mark.parametrize(
    "record", [b"", b"\n", b"hello\n", b"\xff\n", encode(HEADER | {"version": 2}), b"[" * 99_999]
)
@pytest.mark.parametrize("options", [[], ["--keep-going"]])
def test_every_bad_header_is_one_clear_error(
    record: bytes, options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(record)
    with pytest.raises(CommandError) as error:
        call_command("replay", str(path), *options)
    assert error.value.returncode == 2
    assert str(error.value)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("name", ["missing.jsonl", "."])
def test_a_file_that_cannot_be_read_is_an_error(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(CommandError) as error:
        call_command("replay", str(tmp_path / name))
    assert error.value.returncode == 2
    assert capsys.readouterr().out == ""


def test_hard_lines_are_illegal_events() -> None:
    lines = [
        HEAD,
        b'{"do": "\\ud800", "seat": 0, "at": 0}\r\n',
        b'{"do": "void", "reason": "\\ud800 \\u0000", "at": 0}\n',
        b'{"do": "ready", "seat": "\xff", "at": 0}\n',
        b"[" * 100_000 + b"\n",
        b'{"do": "ready", "seat": 0, "at": ' + b"9" * 100_000 + b"}\n",
        b'{"do": "bid", "seat": 0, "points": ' + b"9" * 4_000 + b', "at": 0}\n',
        b'{"do": "ready",\r "seat": 0, "note": "\xe2\x80\xa8\xc2\x85", "at": 0}\n',
        b"\x0c \n",
        b"\xc2\xa0\n",
    ]
    for env in ({}, {"PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0"}):
        process = replay(b"".join(lines), "--keep-going", env=env)
        assert process.returncode == 1
        assert b"Traceback" not in process.stderr
        states = printed(process)
        assert [state["n"] for state in states] == list(range(1, 9))
        assert ["illegal" in state for state in states] == [True] * 6 + [False, True]
        for state in states:
            if "illegal" in state:
                assert set(state) == {"n", "illegal", "message"}


def test_names_do_not_disturb_the_output() -> None:
    header = encode(HEADER | {"players": ["\ud800", "あ"]})
    process = replay(header + encode(deal()))
    assert process.returncode in (0, 2)
    assert b"Traceback" not in process.stderr


def test_what_is_printed_before_a_stop_is_printed() -> None:
    """Lines of a long record come as they are read, not all or nothing."""
    match = Match().first_round("block_tie")
    process = replay(b"".join([*match.lines(), b"nonsense\n"]))
    assert process.returncode == 1
    assert len(printed(process)) == len(match.events) + 1


@pytest.mark.parametrize("closed", ["- <&-", "/dev/null >&-"])
def test_a_closed_standard_stream_is_a_plain_error(closed: str) -> None:
    command = f"{sys.executable} manage.py replay {closed}"
    process = subprocess.run(
        ["sh", "-c", command], cwd=ROOT, capture_output=True, timeout=60, check=False
    )
    assert process.returncode == 2
    assert b"Traceback" not in process.stderr
    assert len(process.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (b"{", "no JSON"),
        (b"[]", "no JSON object"),
        (b'{"do": "dance"}', "dance"),
        (b'{"do": "ready", "at": 1}', "seat"),
        (b'{"do": "ready", "seat": 0, "at": "1"}', "at"),
    ],
)
def test_a_malformed_line_is_told_by_what_is_wrong_with_it(line: bytes, told: str) -> None:
    [state] = printed(replay(HEAD + line + b"\n"))
    assert state["illegal"] == "malformed"
    assert told in str(state["message"])
