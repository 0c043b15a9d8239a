"""Every event of the record, where it is legal and where it is not; R9."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .scenario import Match, deal, encode, refuses, run


def new() -> Match:
    return Match()


def dealt() -> Match:
    return Match().deal("6-6 5-4", "6-5 6-4")


def opening() -> Match:
    return dealt().start()


def play() -> Match:
    return opening().play(0, "6-6", "open")


def round_over() -> Match:
    return Match().jockey(0)


def dealt_again() -> Match:
    return round_over().deal("6-6 5-4", "6-5 6-4")


def auction() -> Match:
    return dealt_again().go_on()


def bid_stands() -> Match:
    return auction().bid(1, 15)


def opening_again() -> Match:
    return auction().decline(1)


def handover() -> Match:
    return Match(shared=True).deal("6-6 5-4", "6-5 6-4").start()


def match_over() -> Match:
    return play().add("resign", seat=0)


PLACES: dict[str, Callable[[], Match]] = {
    place.__name__: place
    for place in (
        *(new, dealt, opening, play, round_over, dealt_again),
        *(auction, bid_stands, opening_again, handover, match_over),
    )
}
DEAL = {key: value for key, value in deal().items() if key != "do"}
#: Every event with keys that could do, and the places in which it is legal with them.
EVENTS: list[tuple[str, dict[str, Any], set[str]]] = [
    ("ready", {"seat": 0}, {"new", "dealt", "round_over", "dealt_again"}),
    ("ready", {"seat": 1}, {"new", "dealt", "round_over", "dealt_again"}),
    ("deal", DEAL, {"new", "round_over"}),
    ("start", {}, {"dealt"}),
    ("continue", {}, {"dealt_again"}),
    ("reveal", {"seat": 0}, {"handover"}),
    ("reveal", {"seat": 1}, set()),
    ("bid", {"seat": 1, "points": 15}, {"auction"}),
    ("bid", {"seat": 0, "points": 20}, {"bid_stands"}),
    ("accept", {"seat": 0}, {"bid_stands"}),
    ("accept", {"seat": 1}, set()),
    ("decline", {"seat": 1}, {"auction"}),
    ("decline", {"seat": 0}, set()),
    ("play", {"seat": 0, "tile": "6-6", "arm": "open"}, {"opening", "opening_again"}),
    ("play", {"seat": 0, "tile": "5-4", "arm": "open"}, {"opening_again"}),
    ("play", {"seat": 1, "tile": "6-5", "arm": "left"}, {"play"}),
    ("play", {"seat": 1, "tile": "6-5", "arm": "up"}, set()),
    ("draw", {"seat": 0}, set()),
    ("draw", {"seat": 1}, set()),
    ("pass", {"seat": 0}, set()),
    ("pass", {"seat": 1}, set()),
    ("resign", {"seat": 0}, set(PLACES) - {"new", "match_over"}),
    ("resign", {"seat": 1}, set(PLACES) - {"new", "match_over"}),
    ("timeout", {"seat": 0}, set()),
    ("timeout", {"seat": 1}, set()),
    ("void", {"reason": "staff"}, set(PLACES) - {"match_over"}),
    ("void", {"reason": "bored"}, set()),
]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("do", "keys", "where"), EVENTS)
def test_where_an_event_is_legal(
    do: str, keys: dict[str, Any], where: set[str], place: str
) -> None:
    match = PLACES[place]()
    if place in where:
        match.add(do, **keys)
        assert "illegal" not in match.state
    else:
        match.refused(do, **keys)


SEATED = [
    ("ready", {}),
    ("reveal", {}),
    ("bid", {"points": 15}),
    ("accept", {}),
    ("decline", {}),
    ("play", {"tile": "6-5", "arm": "left"}),
    ("draw", {}),
    ("pass", {}),
    ("resign", {}),
    ("timeout", {}),
]


@pytest.mark.parametrize("seat", [2, -1, True, False, 0.0, 1.0, "0", None, [0], {}])
@pytest.mark.parametrize(("do", "keys"), SEATED)
def test_a_seat_is_0_or_1(do: str, keys: dict[str, Any], seat: object) -> None:
    state = play().refused(do, seat=seat, **keys)
    assert state["illegal"] == "malformed"


@pytest.mark.parametrize(("do", "keys"), SEATED)
def test_a_seat_is_needed(do: str, keys: dict[str, Any]) -> None:
    assert play().refused(do, **keys)["illegal"] == "malformed"


@pytest.mark.parametrize(
    ("do", "keys"),
    [
        ("play", {"seat": 1, "tile": "6-5"}),
        ("play", {"seat": 1, "arm": "left"}),
        ("void", {}),
    ],
)
def test_other_keys_are_needed(do: str, keys: dict[str, Any]) -> None:
    assert play().refused(do, **keys)["illegal"] == "malformed"


@pytest.mark.parametrize("do", [name for name, _, _ in EVENTS if name != "deal"])
def test_every_event_but_a_deal_needs_its_at(do: str) -> None:
    keys = next(keys for name, keys, _ in EVENTS if name == do)
    assert refuses([*play().events, {"do": do, **keys}])["illegal"] == "malformed"


@pytest.mark.parametrize("do", ["Play", "PLAY", "flag", "ping", "", None, 1, True, ["play"]])
def test_an_unknown_do_is_malformed(do: object) -> None:
    keys = {"seat": 1, "tile": "6-5", "arm": "left", "at": 2_000}
    assert refuses([*play().events, {"do": do, **keys}])["illegal"] == "malformed"


def test_an_event_without_do_is_malformed() -> None:
    state = refuses([*play().events, {"seat": 1, "tile": "6-5", "arm": "left", "at": 9_000}])
    assert state["illegal"] == "malformed"


# ready


def test_ready_once_per_seat_until_the_next_start() -> None:
    match = new().add("ready", seat=1)
    assert match.state["ready"] == [False, True]
    match.refused("ready", "already_ready", seat=1)
    match.deal("6-6")
    assert match.state["ready"] == [False, True]
    match.refused("ready", "already_ready", seat=1)
    match.add("ready", seat=0)
    assert match.state["ready"] == [True, True]
    match.refused("ready", "already_ready", seat=0)
    assert match.start().state["ready"] == [False, False]


def test_ready_again_for_continue() -> None:
    match = new().add("ready", seat=0).add("ready", seat=1).deal_quiet(0, 0).start()
    match.quiet_round(0, 0)
    assert match.state["ready"] == [False, False]
    match.add("ready", seat=0)
    assert match.state["ready"] == [True, False]
    match.deal().refused("ready", "already_ready", seat=0)
    assert match.go_on().state["ready"] == [False, False]


@pytest.mark.parametrize("ready", [[], [0], [1], [0, 1]])
def test_reading_4_start_and_continue_are_legal_whether_or_not_both_are_ready(
    ready: list[int],
) -> None:
    match = new()
    for seat in ready:
        match.add("ready", seat=seat)
    match.deal("6-6").start()
    assert match.state["phase"] == "opening"
    match = round_over()
    for seat in ready:
        match.add("ready", seat=seat)
    match.deal("6-6").go_on()
    assert match.state["phase"] == "auction"


def test_ready_before_anything_else() -> None:
    state = new().add("ready", seat=0, at=0).state
    assert state["phase"] == "new"
    assert state["round"] == 0
    assert state["hands"] == [[], []]
    assert state["boneyard"] == 0
    assert state["legal"] == []


# deal, start, continue


def test_only_start_begins_the_first_round_and_only_continue_a_later_one() -> None:
    dealt().refused("continue", "wrong_phase")
    dealt_again().refused("start", "wrong_phase")
    round_over().refused("start", "wrong_phase")
    new().refused("start", "wrong_phase")


def test_no_second_deal() -> None:
    dealt().refused("deal", "wrong_phase", **DEAL)
    dealt_again().refused("deal", "wrong_phase", **DEAL)


# resign


@pytest.mark.parametrize("place", sorted(set(PLACES) - {"new", "match_over"}))
@pytest.mark.parametrize("seat", [0, 1])
def test_reading_7_the_resigning_player_loses_and_balances_stay(place: str, seat: int) -> None:
    match = PLACES[place]()
    before = match.state
    match.add("resign", seat=seat)
    state = match.state
    assert state["result"] == {"winner": 1 - seat, "reason": "resignation"}
    assert state["phase"] == "match_over"
    assert state["to_act"] is None
    assert state["legal"] == []
    assert state["transfer"] is None
    assert state["bid"] is None
    for key in ("chips", "round", "ends", "count", "hands", "boneyard", "jockey", "ready"):
        assert state[key] == before[key], key


# void


@pytest.mark.parametrize("reason", ["service_failure", "no_show", "abandoned", "staff"])
@pytest.mark.parametrize("place", sorted(set(PLACES) - {"match_over"}))
def test_r8_8_a_void_in_every_phase(place: str, reason: str) -> None:
    match = PLACES[place]()
    before = match.state if match.events else None
    match.add("void", reason=reason)
    state = match.state
    assert state["result"] == {"winner": None, "reason": "void"}
    assert state["phase"] == "match_over"
    assert state["bid"] is None
    if before:
        assert state["clock"]["bank"] == before["clock"]["bank"]
        for key in ("chips", "round", "ends", "count", "hands", "boneyard", "jockey", "ready"):
            assert state[key] == before[key], key


def test_a_void_from_and_to_like_at() -> None:
    match = play()
    match.refused("void", "malformed", reason="service_failure", **{"from": "1", "to": 2})
    match.refused("void", "malformed", reason="service_failure", **{"from": 1, "to": 2.0})
    match.refused("void", "malformed", reason="service_failure", **{"from": -1})
    match.refused("void", "malformed", reason="service_failure", to=True)
    match.add("void", reason="service_failure", **{"from": 2_000, "to": 2_500})
    assert match.state["result"] == {"winner": None, "reason": "void"}


@pytest.mark.parametrize("reason", ["", "Staff", "service failure", "time", "chips"])
def test_a_void_for_any_other_reason_is_illegal(reason: str) -> None:
    play().refused("void", "bad_reason", reason=reason)


@pytest.mark.parametrize("reason", [None, 1, True, ["staff"], {"staff": 1}])
def test_a_reason_is_text(reason: object) -> None:
    play().refused("void", reason=reason)


# R9


def test_r9_1_a_play_ends_the_turn_without_a_clock_button() -> None:
    state = play().state
    assert state["to_act"] == 1
    assert state["clock"]["running"] == 1


@pytest.mark.parametrize("do", ["muggins", "claim", "penalty", "clock", "redeal"])
def test_r9_2_no_claims_penalties_or_arbiters(do: str) -> None:
    play().refused(do, "malformed", seat=0)


def test_r9_3_an_illegal_request_changes_nothing() -> None:
    """A record with refusals in it prints what it prints without them."""
    match = Match().first_round("loud_other")
    lines, noisy = match.lines(), []
    for line in match.lines():
        noisy += [line, encode({"do": "draw", "seat": 0, "at": 10**9}), b"nonsense\n"]
    plain = run(lines)
    after = [state for state in run(noisy, keep_going=True) if "illegal" not in state]
    assert [state | {"n": 0} for state in after] == [state | {"n": 0} for state in plain]


def test_r9_4_won_by_the_balance_the_clock_or_a_resignation() -> None:
    match = Match().jockey(0).deal("6-2", "6-3").pay_to_open(0, 145)
    assert match.plays(0, "6-2 open", "6-3 left").state["result"]["reason"] == "chips"
    match = play()
    match.add("timeout", seat=1, at=match.now + 130_000)
    assert match.state["result"] == {"winner": 0, "reason": "time"}
    assert play().add("resign", seat=1).state["result"]["reason"] == "resignation"


# auto


def test_auto_is_ignored() -> None:
    sixes = "6-6 6-5 6-4 6-3 6-2 6-1 6-0"
    for auto in (True, False):
        match = Match().deal(sixes).start().play(0, "6-6", "open").draw(1, 14)
        match.pass_(1, auto=auto, at=match.now + 11_000)
        assert match.state["to_act"] == 0
        # Judged like any other answer: what the draws and the pass took is charged.
        assert match.state["clock"]["bank"][1] < 120_000
    match = auction().decline(1, auto=True)
    assert match.state["phase"] == "opening"
    match = play().play(1, "6-5", "left", auto=True)
    assert match.state["to_act"] == 0


def test_reading_5_a_compulsory_answer_at_the_instant_before_adds_no_time() -> None:
    sixes = "6-6 6-5 6-4 6-3 6-2 6-1 6-0"
    match = Match().deal(sixes).start().play(0, "6-6", "open")
    begun = match.now
    match.draw(1, 13).add("draw", seat=1, at=begun + 15_000)
    match.pass_(1, auto=True, at=begun + 15_000)
    assert match.state["clock"]["bank"] == [120_000, 115_000]


def test_reading_5_an_only_tile_and_a_draw_are_the_players() -> None:
    """The clock of the seat runs; nothing happens by itself."""
    match = Match().deal("6-6").start()
    assert len(match.state["legal"]) == 1
    assert match.state["clock"]["running"] == 0


def test_unknown_keys_are_ignored() -> None:
    match = Match().deal("6-6").start(note="hello").play(0, "6-6", "open", seen=[1, {"a": None}])
    assert match.state["count"] == 12
