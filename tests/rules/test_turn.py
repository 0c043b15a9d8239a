"""R6: turns, draws, passes, and the end of a round."""

from __future__ import annotations

from typing import Any

import pytest

from .reference import is_double, nearest_five, pips
from .scenario import Match, by_text, rounds

#: Seat 0 has every six: whatever seat 1 holds, nothing of it fits [6|6].
SIXES = "6-6 6-5 6-4 6-3 6-2 6-1 6-0"


def starved(boneyard: str = "", one_less: str = "") -> Match:
    """Seat 0 opened with [6|6] and seat 1 has nothing that fits."""
    sixes = " ".join(tile for tile in SIXES.split() if tile != one_less)
    return Match().deal(sixes, "", boneyard).start().play(0, "6-6", "open")


def test_r6_1_a_player_who_can_lay_may_not_draw_or_pass() -> None:
    match = Match().deal("6-6", "6-5").start().play(0, "6-6", "open")
    assert {answer["do"] for answer in match.state["legal"]} == {"play"}
    match.refused("draw", "must_lay", seat=1)
    match.refused("pass", "must_lay", seat=1)


def test_r6_2_a_player_who_cannot_lay_draws_one_at_a_time() -> None:
    match = starved()
    assert match.state["legal"] == [{"do": "draw"}]
    hand = match.state["hands"][1]
    match.refused("pass", "must_draw", seat=1)
    match.refused("play", "does_not_fit", seat=1, tile=hand[0], arm="left")
    match.draw(1)
    assert match.state["boneyard"] == 13
    assert len(match.state["hands"][1]) == 8
    assert match.state["to_act"] == 1
    assert match.state["legal"] == [{"do": "draw"}]


def test_r6_2_a_drawn_tile_that_fits_must_be_laid_on_an_end_of_choice() -> None:
    match = starved("6-0", one_less="6-0").draw(1)
    assert by_text(match.state["legal"]) == by_text(
        {"do": "play", "tile": "6-0", "arm": arm} for arm in ("left", "right")
    )
    match.refused("draw", "must_lay", seat=1)
    match.refused("pass", "must_lay", seat=1)
    for tile in match.state["hands"][1]:
        if tile != "6-0":
            match.refused("play", "must_lay_drawn", seat=1, tile=tile, arm="left")
    match.play(1, "6-0", "right")
    assert match.state["to_act"] == 0
    assert match.state["boneyard"] == 13


def test_r6_2_drawing_goes_on_until_one_fits() -> None:
    match = starved("5-0 4-0 6-0", one_less="6-0")
    match.draw(1, 2)
    assert match.state["legal"] == [{"do": "draw"}]
    match.draw(1)
    assert {answer["tile"] for answer in match.state["legal"]} == {"6-0"}


def test_r6_2_only_the_player_on_turn_draws() -> None:
    match = starved()
    match.refused("draw", "not_your_turn", seat=0)
    match.refused("pass", "not_your_turn", seat=0)


def test_r6_4_a_pass_when_no_play_and_no_draw_is_possible() -> None:
    match = starved().draw(1, 14)
    assert len(match.state["hands"][1]) == 21
    assert match.state["legal"] == [{"do": "pass"}]
    match.refused("draw", "boneyard_empty", seat=1)
    state = match.pass_(1).state
    assert state["phase"] == "play"
    assert state["to_act"] == 0
    assert state["transfer"] is None
    assert state["chips"] == [150, 150]
    assert state["ends"] == {"left": {"value": 6, "count": 6}, "right": {"value": 6, "count": 6}}


def test_r6_4_the_drawn_tile_may_be_the_last_of_the_boneyard() -> None:
    tiles = [f"{a}-{b}" for a in range(6) for b in range(a + 1)]
    match = starved(" ".join([*tiles[:13], "6-0"]), one_less="6-0")
    match.draw(1, 14)
    assert match.state["boneyard"] == 0
    assert {answer["tile"] for answer in match.state["legal"]} == {"6-0"}
    match.refused("pass", "must_lay", seat=1)
    match.refused("draw", seat=1)
    match.play(1, "6-0", "left")


def test_r6_5_going_out_ends_the_round() -> None:
    match = Match().first_round("quiet_opener")
    state = match.state
    assert state["phase"] == "round_over"
    assert state["hands"][0] == []
    assert len(state["hands"][1]) == 1
    assert state["jockey"] == 0
    assert state["to_act"] is None
    assert state["legal"] == []
    # Nothing is added for the opponent's tiles.
    assert state["transfer"] is None
    assert state["chips"] == [150, 150]
    assert state["boneyard"] == 14


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("name", ["loud_opener", "loud_other"])
def test_r6_5_the_last_tile_scores_normally(name: str, swapped: bool) -> None:
    match = Match().first_round(name, swapped)
    winner = int(name == "loud_other") ^ swapped
    state = match.state
    assert state["phase"] == "round_over"
    points = state["count"]
    assert points > 0
    assert points % 5 == 0
    expected = {"from": 1 - winner, "to": winner, "points": points, "for": "ends"}
    assert state["transfer"] == expected
    assert state["chips"][winner] == 150 + points
    assert state["jockey"] == winner
    match.deal().go_on()
    assert match.state["phase"] == "auction"
    assert match.state["to_act"] == 1 - winner


def block(name: str) -> tuple[Match, list[int], dict[str, Any]]:
    """A blocked first round, the sums of its hands, its last state."""
    match = Match().first_round(name)
    state = match.state
    assert [event["do"] for event in match.events[-2:]] == ["pass", "pass"]
    assert match.states[-2]["phase"] == "play"
    assert match.states[-2]["transfer"] is None
    assert state["phase"] == "round_over"
    assert state["boneyard"] == 0
    assert state["jockey"] is None
    assert state["legal"] == []
    assert state["to_act"] is None
    assert state["clock"]["running"] is None
    return match, [pips(hand) for hand in state["hands"]], state


@pytest.mark.parametrize("name", sorted(name for name in rounds() if name.startswith("block_")))
def test_r6_6_a_block_pays_the_larger_hand_to_the_smaller(name: str) -> None:
    match, sums, state = block(name)
    before = match.states[-2]["chips"]
    if sums[0] == sums[1]:
        assert state["transfer"] is None
        assert state["chips"] == before
        return
    payer = sums.index(max(sums))
    points = min(nearest_five(max(sums)), before[payer])
    expected = {"from": payer, "to": 1 - payer, "points": points, "for": "block"}
    assert state["transfer"] == expected
    assert state["chips"][payer] == before[payer] - points


def test_r6_6_four_against_eighteen_pays_20() -> None:
    _, sums, state = block("block_4_18")
    assert sorted(sums) == [4, 18]
    assert state["transfer"]["points"] == 20
    assert state["transfer"]["to"] == sums.index(4)


def test_r6_6_seventeen_is_rounded_to_15() -> None:
    _, sums, state = block("block_17")
    assert max(sums) == 17
    assert min(sums) < 17
    assert state["transfer"]["points"] == 15


def test_r6_6_six_and_six_pay_nothing() -> None:
    _, sums, state = block("block_6_6")
    assert sums == [6, 6]
    assert state["transfer"] is None


def test_r6_6_unequal_sums_that_round_to_0_print_0_points() -> None:
    match, sums, state = block("block_rounds_to_0")
    assert sums[0] != sums[1]
    assert max(sums) <= 2
    payer = sums.index(max(sums))
    assert state["transfer"] == {"from": payer, "to": 1 - payer, "points": 0, "for": "block"}
    assert state["chips"] == match.states[-2]["chips"]


def test_reading_11_the_stored_blocks_round_in_every_way() -> None:
    rest = set()
    for name in rounds():
        if name.startswith("block_"):
            _, sums, _ = block(name)
            if sums[0] != sums[1]:
                rest.add(max(sums) % 5)
    assert rest == {0, 1, 2, 3, 4}


def test_r6_6_no_jockey_after_a_block() -> None:
    match = Match().first_round("block_4_18").deal("6-6").go_on()
    assert match.state["phase"] == "opening"
    assert match.state["jockey"] is None
    assert match.state["to_act"] == 0


def blocked_with(left: int) -> Match:
    """A second round that is blocked against its opener, who has `left` points in it."""
    match = Match().jockey(0).deal_round("block_silent")
    match.pay_to_open(0, 150 - left).turns("block_silent")
    assert match.events[-1]["do"] == "pass"
    return match


def test_r1_4_a_block_is_capped_and_empties_a_balance() -> None:
    match = blocked_with(5)
    state = match.state
    sums = [pips(hand) for hand in state["hands"]]
    assert sums[0] > sums[1]
    assert state["transfer"] == {"from": 0, "to": 1, "points": 5, "for": "block"}
    assert state["chips"] == [0, 300]
    assert state["phase"] == "match_over"
    assert state["result"] == {"winner": 1, "reason": "chips"}
    # The end of the match leaves the jockey as it was.
    assert state["jockey"] == 0
    match.refused("deal", "match_over", **{k: v for k, v in match.events[0].items() if k != "do"})


def test_r1_5_a_block_that_takes_exactly_the_balance() -> None:
    due = nearest_five(pips(blocked_with(145).state["hands"][0]))
    state = blocked_with(due).state
    assert state["transfer"] == {"from": 0, "to": 1, "points": due, "for": "block"}
    assert state["result"] == {"winner": 1, "reason": "chips"}
    state = blocked_with(due + 5).state
    assert state["transfer"]["points"] == due
    assert state["chips"] == [5, 295]
    assert state["phase"] == "round_over"
    assert state["result"] is None
    assert state["jockey"] is None


def test_reading_10_a_play_between_two_passes_starts_the_count_again() -> None:
    match = Match().first_round("pass_play_pass_pass")
    turns = [event["do"] for event in match.events if event["do"] in ("play", "pass")]
    first = turns.index("pass")
    assert turns[first + 1] == "play"
    assert turns[-2:] == ["pass", "pass"]
    phases = [state["phase"] for state in match.states]
    assert phases.count("round_over") == 1
    assert phases[-1] == "round_over"


def test_reading_10_the_same_player_may_pass_twice() -> None:
    match = Match().first_round("pass_play_pass")
    turns = [event["do"] for event in match.events if event["do"] in ("play", "pass")]
    at = next(i for i in range(len(turns)) if turns[i : i + 3] == ["pass", "play", "pass"])
    assert turns[at + 3] == "play"
    assert match.state["phase"] == "round_over"


def test_r6_7_the_last_tile_that_takes_the_last_points_ends_the_match() -> None:
    match = Match().jockey(0).deal_round("loud_other")
    match.pay_to_open(0, 145).turns("loud_other")
    state = match.state
    assert state["hands"][1] == []
    assert state["transfer"] == {"from": 0, "to": 1, "points": 5, "for": "ends"}
    assert state["phase"] == "match_over"
    assert state["result"] == {"winner": 1, "reason": "chips"}
    # Before anything else: seat 1 went out, but is no jockey.
    assert state["jockey"] == 0
    assert state["legal"] == []


def test_r6_7_a_score_in_the_middle_of_a_round_ends_the_match() -> None:
    match = Match().jockey(0).deal("6-2", "6-3").pay_to_open(0, 145)
    match.plays(0, "6-2 open", "6-3 left")
    state = match.state
    assert state["phase"] == "match_over"
    assert len(state["hands"][1]) == 6
    assert state["count"] == 5
    for do in ("draw", "pass", "ready", "resign", "timeout"):
        match.refused(do, "match_over", seat=0)
    for do in ("start", "continue"):
        match.refused(do, "match_over")
    match.refused("void", "match_over", reason="staff")


@pytest.mark.parametrize("swapped", [False, True])
def test_the_spinner_as_the_ninth_tile(swapped: bool) -> None:
    match = Match().deal_round("ninth", swapped)
    assert not [tile for hand in match.states[-1]["hands"] for tile in hand if is_double(tile)]
    match.start().turns("ninth", swapped)
    laid = [
        (event["tile"], event["arm"], state)
        for event, state in zip(match.events, match.states, strict=True)
        if event["do"] == "play"
    ]
    assert [is_double(tile) for tile, _, _ in laid[:9]] == [False] * 8 + [True]
    spinner, arm, state = laid[8]
    value = int(spinner[0])
    assert set(state["ends"]) == {"left", "right"}
    assert state["ends"][arm] == {"value": value, "count": 2 * value}
    opened = next(state for _, where, state in laid[9:] if where == arm)
    assert opened["ends"]["up"] == {"value": value, "count": 0}
    assert opened["ends"]["down"] == {"value": value, "count": 0}
    assert {"up", "down"} <= {where for _, where, _ in laid[9:]}
    assert match.state["phase"] == "round_over"


def test_21_tiles_in_a_hand_can_be_played_on() -> None:
    match = starved().draw(1, 14).pass_(1).play(0, "6-5", "left")
    assert match.state["to_act"] == 1
    fives = [tile for tile in match.state["hands"][1] if "5" in tile]
    assert by_text(match.state["legal"]) == by_text(
        {"do": "play", "tile": tile, "arm": "left"} for tile in fives
    )
    assert len(match.state["hands"][1]) == 21
