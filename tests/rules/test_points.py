"""R1: points, transfers, caps, the balance that is emptied."""

from __future__ import annotations

from .scenario import Match


def low_opener(hand0: str, hand1: str) -> Match:
    """Seat 0 opens a second round with 5 points; seat 1 has 295."""
    match = Match().jockey(0).deal(hand0, hand1).pay_to_open(0, 145)
    assert match.state["chips"] == [5, 295]
    return match


def test_r1_1_each_starts_with_150_points() -> None:
    assert Match().deal().state["chips"] == [150, 150]
    assert Match().add("ready", seat=0).state["chips"] == [150, 150]


def test_r1_2_points_move_and_sum_to_300_after_every_event() -> None:
    match = Match().first_round("loud_other")
    assert all(sum(state["chips"]) == 300 for state in match.states)
    assert match.state["chips"] != [150, 150]


def test_r1_3_a_score_is_worth_its_full_points() -> None:
    """A count of 15 moves 15 points: 150 and 150 become 165 and 135."""
    match = Match().deal("6-6", "6-3").start().plays(0, "6-6 open", "6-3 left")
    assert match.state["count"] == 15
    assert match.state["transfer"] == {"from": 0, "to": 1, "points": 15, "for": "ends"}
    assert match.state["chips"] == [135, 165]


def test_r1_4_twenty_due_from_a_payer_with_5_moves_5() -> None:
    match = low_opener("6-2 4-2", "6-6 4-4")
    match.plays(0, "6-2 open", "6-6 left", "4-2 right", "4-4 right")
    assert [state["count"] for state in match.states[-4:]] == [8, 14, 16, 20]
    assert match.state["transfer"] == {"from": 0, "to": 1, "points": 5, "for": "ends"}
    assert match.state["chips"] == [0, 300]


def test_r1_5_a_payer_who_reaches_0_has_lost_at_once() -> None:
    match = low_opener("6-3", "6-6").plays(0, "6-3 open", "6-6 left")
    state = match.state
    assert state["count"] == 15
    assert state["chips"] == [0, 300]
    assert state["phase"] == "match_over"
    assert state["result"] == {"winner": 1, "reason": "chips"}
    assert state["to_act"] is None
    assert state["legal"] == []
    assert state["clock"]["running"] is None
    assert state["clock"]["deadline"] is None


def test_r1_5_a_balance_that_is_due_exactly_is_emptied_too() -> None:
    match = low_opener("6-5", "5-5 6-1").plays(0, "6-5 open", "6-1 left")
    assert match.state["count"] == 6
    match = low_opener("3-2 6-1", "2-2").plays(0, "3-2 open", "2-2 right")
    assert match.state["count"] == 7
    match = low_opener("6-2", "6-3").plays(0, "6-2 open", "6-3 left")
    assert match.state["count"] == 5
    assert match.state["transfer"] == {"from": 0, "to": 1, "points": 5, "for": "ends"}
    assert match.state["result"] == {"winner": 1, "reason": "chips"}
