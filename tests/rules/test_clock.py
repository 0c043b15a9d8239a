"""R8: banks, delays, deadlines, and which decision is on the clock."""

from __future__ import annotations

import pytest

from .scenario import Match, refuses

DOUBLE_SIX = "6-6 6-5 6-4 6-3 6-2 6-1 6-0"


def opened(at: int = 0) -> Match:
    """Seat 0 opened with [6|6] at `at`, the match having started at 0."""
    match = Match().deal("6-6 5-4", "6-5 6-4").start(at=0)
    return match.play(0, "6-6", "open", at=at)


def clock(match: Match) -> tuple[list[int], int | None, int | None]:
    shown = match.state["clock"]
    return shown["bank"], shown["running"], shown["deadline"]


def test_r8_1_a_bank_of_120_s_and_a_delay_of_10_s() -> None:
    match = Match().deal("6-6")
    assert clock(match) == ([120_000, 120_000], None, None)
    match.start(at=2_000)
    assert clock(match) == ([120_000, 120_000], 0, 132_000)


@pytest.mark.parametrize(
    ("took", "cost"),
    [
        (0, 0),
        (8_000, 0),
        (9_999, 0),
        (10_000, 0),
        (10_001, 1),
        (13_000, 3_000),
        (129_999, 119_999),
    ],
)
def test_r8_1_the_bank_pays_only_what_goes_beyond_the_delay(took: int, cost: int) -> None:
    match = opened(at=took)
    assert clock(match) == ([120_000 - cost, 120_000], 1, took + 130_000)


def test_r8_1_a_fresh_delay_for_every_decision_and_no_bank_refilled() -> None:
    match = opened(at=13_000).play(1, "6-5", "left", at=23_000)
    assert clock(match) == ([117_000, 120_000], 0, 23_000 + 10_000 + 117_000)
    match.play(0, "5-4", "left", at=36_500)
    assert clock(match) == ([113_500, 120_000], 1, 36_500 + 130_000)


def test_r8_1_the_bank_lasts_for_the_whole_match() -> None:
    whole = Match().deal_round("quiet_opener").start(at=0).turns("quiet_opener")
    for event in whole.events[2:]:
        event["at"] += 14_000
    whole.now += 14_000
    assert whole.state["phase"] == "round_over"
    assert clock(whole) == ([115_000, 120_000], None, None)
    whole.deal().go_on().decline(1)
    assert clock(whole)[0] == [115_000, 120_000]
    assert clock(whole)[2] == whole.now + 10_000 + 115_000


def test_r8_1_a_bank_of_1_ms() -> None:
    match = opened(at=129_999).play(1, "6-5", "left", at=130_000)
    assert clock(match) == ([1, 120_000], 0, 140_001)
    match.refused("play", "out_of_time", seat=0, tile="5-4", arm="left", at=140_001)
    match.refused("timeout", "not_due", seat=0, at=140_000)
    match.play(0, "5-4", "left", at=140_000)
    assert clock(match)[0] == [1, 120_000]


def test_r8_1_a_bank_of_1_ms_runs_out() -> None:
    match = opened(at=129_999).play(1, "6-5", "left", at=130_000)
    match.add("timeout", seat=0, at=140_001)
    assert match.state["result"] == {"winner": 1, "reason": "time"}
    assert clock(match) == ([0, 120_000], None, None)


def test_r8_2_draws_do_not_restart_the_delay() -> None:
    match = Match().deal(DOUBLE_SIX).start(at=0).play(0, "6-6", "open", at=1_000)
    for at in (5_000, 9_000, 14_000):
        match.add("draw", seat=1, at=at)
        assert clock(match) == ([120_000, 120_000], 1, 131_000)
    for _ in range(11):
        match.add("draw", seat=1, at=15_000)
    match.pass_(1, at=16_000)
    assert clock(match) == ([120_000, 115_000], 0, 146_000)


def test_r6_3_drawing_and_laying_are_one_timed_turn() -> None:
    match = Match().deal("6-6 6-5 6-4 6-3 6-2 6-1", "", "6-0").start(at=0)
    match.play(0, "6-6", "open", at=0).add("draw", seat=1, at=12_000)
    match.play(1, "6-0", "left", at=14_000)
    assert clock(match) == ([120_000, 116_000], 0, 144_000)


def test_r8_2_each_auction_answer_is_a_decision() -> None:
    match = Match().jockey(0).deal("6-5", "6-4")
    begun = match.now + 5_000
    match.go_on(at=begun)
    assert clock(match) == ([120_000, 120_000], 1, begun + 130_000)
    match.bid(1, 15, at=begun + 11_000)
    # R8.3: a raise moves the clock to the other player.
    assert clock(match) == ([120_000, 119_000], 0, begun + 141_000)
    match.bid(0, 20, at=begun + 23_000)
    assert clock(match) == ([118_000, 119_000], 1, begun + 23_000 + 129_000)
    match.bid(1, 25, at=begun + 34_000)
    assert clock(match) == ([118_000, 118_000], 0, begun + 34_000 + 128_000)
    match.accept(0, at=begun + 45_000)
    # Accepting starts the opener's clock.
    assert clock(match) == ([117_000, 118_000], 1, begun + 45_000 + 128_000)
    match.play(1, "6-4", "open", at=begun + 56_000)
    assert clock(match)[0] == [117_000, 117_000]
    assert clock(match)[1] == 0


def test_r8_3_declining_starts_the_openers_clock() -> None:
    match = Match().jockey(0).deal().go_on()
    begun = match.now
    match.decline(1, at=begun + 12_000)
    assert clock(match) == ([120_000, 118_000], 0, begun + 12_000 + 130_000)


def test_r8_3_a_jockey_whose_bid_is_accepted_opens_on_a_fresh_delay() -> None:
    match = Match().jockey(0).deal().go_on().bid(1, 15).bid(0, 20).accept(1)
    assert clock(match) == ([120_000, 120_000], 0, match.now + 130_000)


def test_r8_4_clocks_stand_between_rounds() -> None:
    match = Match().jockey(0)
    assert clock(match) == ([120_000, 120_000], None, None)
    match.add("ready", seat=0, at=match.now + 400_000)
    assert clock(match) == ([120_000, 120_000], None, None)
    match.deal().add("ready", seat=1, at=match.now + 400_000)
    assert clock(match) == ([120_000, 120_000], None, None)
    match.go_on(at=match.now + 400_000)
    assert clock(match) == ([120_000, 120_000], 1, match.now + 130_000)


def test_r8_4_clocks_stand_until_start() -> None:
    match = Match().add("ready", seat=1, at=500_000).deal("6-6")
    assert clock(match) == ([120_000, 120_000], None, None)
    match.start(at=900_000)
    assert clock(match) == ([120_000, 120_000], 0, 1_030_000)


def test_r8_4_the_last_turn_of_a_round_is_charged() -> None:
    match = Match().first_round("quiet_opener", until=12)
    last = Match().first_round("quiet_opener")
    last.events[-1]["at"] = match.now + 17_000
    assert clock(last) == ([113_000, 120_000], None, None)


def test_r8_7_at_the_deadline_the_player_has_lost() -> None:
    match = opened()
    match.refused("play", "out_of_time", seat=1, tile="6-5", arm="left", at=130_000)
    match.refused("play", "out_of_time", seat=1, tile="6-5", arm="left", at=10**12)
    match.play(1, "6-5", "left", at=129_999)
    assert clock(match)[0] == [120_000, 1]


@pytest.mark.parametrize("do", ["resign", "draw", "pass", "accept", "decline"])
@pytest.mark.parametrize("seat", [0, 1])
def test_r8_7_from_the_deadline_on_nobody_may_do_anything(do: str, seat: int) -> None:
    opened().refused(do, "out_of_time", seat=seat, at=130_000)


@pytest.mark.parametrize("at", [130_000, 130_001, 10**12])
def test_r8_7_a_timeout_from_the_deadline_on(at: int) -> None:
    match = opened().add("timeout", seat=1, at=at)
    state = match.state
    assert state["result"] == {"winner": 0, "reason": "time"}
    assert state["phase"] == "match_over"
    assert state["chips"] == [150, 150]
    assert state["transfer"] is None
    assert clock(match) == ([120_000, 0], None, None)
    assert state["legal"] == []
    assert state["to_act"] is None
    # What lies on the table stays.
    assert state["count"] == 12


def test_r8_7_a_timeout_only_of_the_running_clock_and_not_before() -> None:
    match = opened()
    match.refused("timeout", "not_due", seat=1, at=129_999)
    match.refused("timeout", seat=0, at=130_000)
    match.refused("timeout", seat=0, at=1_000)


def test_r8_7_no_timeout_of_a_clock_that_stands() -> None:
    Match().refused("timeout", seat=0, at=10**9)
    Match().deal().refused("timeout", seat=0, at=10**9)
    Match().jockey(0).refused("timeout", seat=1, at=10**9)
    Match().jockey(0).deal().refused("timeout", seat=1, at=10**9)


def test_r8_7_a_timeout_in_an_auction() -> None:
    match = Match().jockey(0).deal().go_on().bid(1, 15)
    match.add("timeout", seat=0, at=match.now + 130_000)
    assert match.state["result"] == {"winner": 1, "reason": "time"}
    assert match.state["bid"] is None
    assert match.state["chips"] == [150, 150]
    assert clock(match)[0] == [0, 120_000]


def test_r8_7_a_timeout_in_the_middle_of_a_turns_draws() -> None:
    match = Match().deal(DOUBLE_SIX).start(at=0).play(0, "6-6", "open", at=0)
    match.add("draw", seat=1, at=129_999)
    match.refused("draw", "out_of_time", seat=1, at=130_000)
    match.add("timeout", seat=1, at=130_000)
    assert match.state["result"] == {"winner": 0, "reason": "time"}


def test_r8_8_a_void_charges_nothing() -> None:
    match = opened()
    match.add("void", reason="service_failure", at=60_000)
    assert clock(match) == ([120_000, 120_000], None, None)
    assert match.state["result"] == {"winner": None, "reason": "void"}
    match = opened(at=13_000)
    match.add("void", reason="staff", at=10**9)
    assert clock(match) == ([117_000, 120_000], None, None)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_resignation_charges_the_running_decision(seat: int) -> None:
    match = opened().add("resign", seat=seat, at=25_000)
    assert clock(match) == ([120_000, 105_000], None, None)
    assert match.state["result"] == {"winner": 1 - seat, "reason": "resignation"}


def test_a_resignation_within_the_delay_charges_nothing() -> None:
    match = opened().add("resign", seat=1, at=10_000)
    assert clock(match)[0] == [120_000, 120_000]


def test_a_resignation_at_a_standing_clock_charges_nothing() -> None:
    match = Match().jockey(0)
    match.add("resign", seat=1, at=match.now + 500_000)
    assert clock(match) == ([120_000, 120_000], None, None)


def test_time_never_goes_backwards() -> None:
    match = Match().deal("6-6").start(at=5_000)
    match.refused("play", "time_backwards", seat=0, tile="6-6", arm="open", at=4_999)
    match.refused("void", "time_backwards", reason="staff", at=4_999)
    match.refused("resign", "time_backwards", seat=0, at=0)
    match.play(0, "6-6", "open", at=5_000)
    assert clock(match)[0] == [120_000, 120_000]


def test_r9_3_an_illegal_event_does_not_move_the_time() -> None:
    match = Match().deal("6-6", "6-5").start(at=0)
    match.refused("play", seat=1, tile="6-5", arm="open", at=50_000)
    match.refused("draw", seat=0, at=50_000)
    match.play(0, "6-6", "open", at=10)
    assert clock(match)[2] == 130_010


@pytest.mark.parametrize("at", [-1, True, 5.0, "5", None, [5], 1e3])
def test_at_is_whole_milliseconds(at: object) -> None:
    Match().refused("ready", "malformed", seat=0, at=at)


def test_at_is_needed() -> None:
    assert refuses([{"do": "ready", "seat": 0}])["illegal"] == "malformed"
