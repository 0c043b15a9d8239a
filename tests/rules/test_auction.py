"""R7: who buys the opening, for how much."""

from __future__ import annotations

from typing import Any

import pytest

from .scenario import Match, by_text


def auction(jockey: int = 0) -> Match:
    """A second round at 150 points each, the jockey's opponent to answer first."""
    return Match().jockey(jockey).deal("6-5", "6-4").go_on()


def auction_with(jockey: int, chips: int) -> Match:
    """A third round, in which the jockey has this many points."""
    match = Match().jockey(jockey).deal_quiet(jockey, jockey)
    match.pay_to_open(jockey, 150 - chips).quiet_round(jockey, jockey).deal().go_on()
    assert match.state["chips"][jockey] == chips
    assert match.state["jockey"] == jockey
    return match


def poor_opponent(jockey: int, chips: int) -> Match:
    """A third round, in which the jockey's opponent has this many points."""
    poor = 1 - jockey
    match = Match().jockey(poor).deal_quiet(jockey, poor)
    match.pay_to_open(poor, 150 - chips).quiet_round(jockey, poor).deal().go_on()
    assert match.state["chips"][poor] == chips
    assert match.state["jockey"] == jockey
    return match


def offer(match: Match) -> tuple[int, int] | None:
    """The least and the most the awaited seat may bid."""
    bids = [answer for answer in match.state["legal"] if answer["do"] == "bid"]
    if not bids:
        return None
    (bid,) = bids
    assert set(bid) == {"do", "min", "max"}
    return bid["min"], bid["max"]


def without_bid(match: Match) -> list[dict[str, Any]]:
    return [answer for answer in match.state["legal"] if answer["do"] != "bid"]


@pytest.mark.parametrize("jockey", [0, 1])
def test_r7_1_the_jockeys_opponent_decides_first(jockey: int) -> None:
    match = auction(jockey)
    state = match.state
    assert state["phase"] == "auction"
    assert state["to_act"] == 1 - jockey
    assert state["bid"] is None
    assert state["jockey"] == jockey
    assert by_text(state["legal"]) == by_text(
        [{"do": "decline"}, {"do": "bid", "min": 15, "max": 150}]
    )
    match.refused("decline", "not_your_turn", seat=jockey)
    match.refused("bid", "not_your_turn", seat=jockey, points=20)


@pytest.mark.parametrize("jockey", [0, 1])
def test_r7_1_declined_the_jockey_opens_free(jockey: int) -> None:
    state = auction(jockey).decline(1 - jockey).state
    assert state["phase"] == "opening"
    assert state["to_act"] == jockey
    assert state["transfer"] is None
    assert state["chips"] == [150, 150]
    assert len(state["legal"]) == 7


def test_r7_1_the_first_bid_is_at_least_15() -> None:
    match = auction()
    for points in (10, 5):
        match.refused("bid", "bid_too_low", seat=1, points=points)
    for points in (0, -15, -5):
        match.refused("bid", seat=1, points=points)
    assert match.bid(1, 15).state["bid"] == {"seat": 1, "points": 15}


def test_r7_1_nothing_can_be_accepted_before_a_bid() -> None:
    auction().refused("accept", "no_bid", seat=1)


def test_r7_2_accept_or_raise_by_at_least_5() -> None:
    match = auction().bid(1, 20)
    state = match.state
    assert state["to_act"] == 0
    assert state["phase"] == "auction"
    assert by_text(state["legal"]) == by_text(
        [{"do": "accept"}, {"do": "bid", "min": 25, "max": 165}]
    )
    for points in (20, 15):
        match.refused("bid", "bid_too_low", seat=0, points=points)
    match.refused("decline", "bid_stands", seat=0)
    match.refused("accept", "not_your_turn", seat=1)
    match.bid(0, 25)
    assert match.state["bid"] == {"seat": 0, "points": 25}
    assert match.state["to_act"] == 1
    assert offer(match) == (30, 150)
    match.bid(1, 60)
    assert offer(match) == (65, 165)


@pytest.mark.parametrize("points", [16, 17, 18, 19, 21, 149])
def test_r7_2_bids_are_multiples_of_five(points: int) -> None:
    auction().refused("bid", "bid_not_multiple", seat=1, points=points)
    match = auction().bid(1, 15)
    match.refused("bid", "bid_not_multiple", seat=0, points=points + 5)


@pytest.mark.parametrize("jockey", [0, 1])
def test_r7_3_the_bidder_pays_the_opponent_and_opens_with_any_tile(jockey: int) -> None:
    bidder = 1 - jockey
    match = auction(jockey).bid(bidder, 45).accept(jockey)
    state = match.state
    expected = {"from": bidder, "to": jockey, "points": 45, "for": "auction"}
    assert state["transfer"] == expected
    assert state["chips"][bidder] == 105
    assert state["chips"][jockey] == 195
    assert state["phase"] == "opening"
    assert state["to_act"] == bidder
    assert state["bid"] is None
    assert by_text(state["legal"]) == by_text(
        {"do": "play", "tile": tile, "arm": "open"} for tile in state["hands"][bidder]
    )


@pytest.mark.parametrize("jockey", [0, 1])
def test_r7_4_a_bid_of_20_by_the_jockey_costs_5(jockey: int) -> None:
    other = 1 - jockey
    state = auction(jockey).bid(other, 15).bid(jockey, 20).accept(other).state
    assert state["transfer"] == {"from": jockey, "to": other, "points": 5, "for": "auction"}
    assert state["chips"][jockey] == 145
    assert state["chips"][other] == 155
    assert state["to_act"] == jockey


def test_r7_4_the_opponents_bid_is_not_reduced_after_raises() -> None:
    state = auction().bid(1, 15).bid(0, 20).bid(1, 25).accept(0).state
    assert state["transfer"] == {"from": 1, "to": 0, "points": 25, "for": "auction"}


def test_r7_5_the_discount_is_never_paid_out_and_never_adds_up() -> None:
    """Unused in one auction, it is 15 again in the next and no more."""
    match = Match().jockey(0).deal_quiet(0, 0).go_on().decline(1).quiet_round(0, 0)
    assert match.state["chips"] == [150, 150]
    match.deal().go_on().bid(1, 15)
    assert offer(match) == (20, 165)
    match.bid(0, 20).accept(1)
    assert match.state["chips"] == [145, 155]


def test_r7_6_the_opponent_bids_up_to_the_balance() -> None:
    match = auction()
    match.refused("bid", "bid_too_high", seat=1, points=155)
    match.refused("bid", "bid_too_high", seat=1, points=10**15)
    assert match.bid(1, 150).state["bid"] == {"seat": 1, "points": 150}


def test_r7_6_the_jockey_bids_up_to_the_balance_plus_15() -> None:
    match = auction().bid(1, 15)
    match.refused("bid", "bid_too_high", seat=0, points=170)
    match.bid(0, 165)
    # The opponent cannot raise above 165 with 150 points.
    assert match.state["legal"] == [{"do": "accept"}]
    match.refused("bid", "bid_too_high", seat=1, points=170)


def test_r7_6_a_jockey_with_5_points() -> None:
    match = auction_with(jockey=0, chips=5)
    assert offer(match) == (15, 295)
    match.bid(1, 15)
    assert offer(match) == (20, 20)
    match.refused("bid", "bid_too_high", seat=0, points=25)
    match.bid(0, 20)
    assert offer(match) == (25, 295)
    match.accept(1)
    assert match.state["transfer"] == {"from": 0, "to": 1, "points": 5, "for": "auction"}
    assert match.state["result"] == {"winner": 1, "reason": "chips"}


@pytest.mark.parametrize("jockey", [0, 1])
def test_r7_7_an_all_in_bid_loses_before_the_opening(jockey: int) -> None:
    bidder = 1 - jockey
    match = auction(jockey).bid(bidder, 150).accept(jockey)
    state = match.state
    assert state["transfer"] == {"from": bidder, "to": jockey, "points": 150, "for": "auction"}
    assert state["chips"][bidder] == 0
    assert state["phase"] == "match_over"
    assert state["result"] == {"winner": jockey, "reason": "chips"}
    assert state["bid"] is None
    assert state["to_act"] is None
    assert state["legal"] == []
    assert state["ends"] == {}
    assert state["count"] == 0
    assert state["jockey"] == jockey
    assert state["clock"]["running"] is None
    match.refused("play", "match_over", seat=bidder, tile=state["hands"][bidder][0], arm="open")


def test_r7_7_an_all_in_bid_of_the_jockey() -> None:
    state = auction().bid(1, 15).bid(0, 165).accept(1).state
    assert state["transfer"] == {"from": 0, "to": 1, "points": 150, "for": "auction"}
    assert state["result"] == {"winner": 1, "reason": "chips"}


def test_r7_7_a_bid_beside_the_whole_balance_goes_on() -> None:
    state = auction().bid(1, 145).accept(0).state
    assert state["chips"] == [295, 5]
    assert state["phase"] == "opening"
    assert state["to_act"] == 1


@pytest.mark.parametrize("chips", [5, 10])
def test_r7_8_who_cannot_afford_15_must_decline(chips: int) -> None:
    match = poor_opponent(jockey=0, chips=chips)
    state = match.state
    assert state["phase"] == "auction"
    assert state["to_act"] == 1
    assert state["legal"] == [{"do": "decline"}]
    match.refused("bid", "bid_too_high", seat=1, points=15)
    match.refused("accept", "no_bid", seat=1)
    match.decline(1)
    assert match.state["phase"] == "opening"
    assert match.state["to_act"] == 0


def test_r7_8_15_points_are_enough() -> None:
    match = poor_opponent(jockey=0, chips=15)
    assert offer(match) == (15, 15)
    assert without_bid(match) == [{"do": "decline"}]
    match.bid(1, 15).accept(0)
    assert match.state["result"] == {"winner": 0, "reason": "chips"}


def test_r7_8_who_cannot_raise_must_accept() -> None:
    match = auction_with(jockey=0, chips=5).bid(1, 20)
    assert match.state["legal"] == [{"do": "accept"}]
    match.refused("bid", "bid_too_high", seat=0, points=25)
    match.refused("decline", "bid_stands", seat=0)
    match.accept(0)
    assert match.state["transfer"] == {"from": 1, "to": 0, "points": 20, "for": "auction"}
    assert match.state["chips"] == [25, 275]
    assert match.state["to_act"] == 1


def test_reading_9_a_raise_that_just_does() -> None:
    match = auction_with(jockey=0, chips=10).bid(1, 20)
    assert offer(match) == (25, 25)
    match.bid(0, 25).accept(1)
    assert match.state["result"] == {"winner": 1, "reason": "chips"}


def test_no_auction_answer_outside_an_auction() -> None:
    match = Match().deal("6-6").start()
    match.refused("bid", "wrong_phase", seat=0, points=15)
    match.refused("accept", "wrong_phase", seat=0)
    match.refused("decline", "wrong_phase", seat=0)
    match = auction().decline(1)
    match.refused("bid", "wrong_phase", seat=0, points=15)
    match.refused("decline", "wrong_phase", seat=0)


@pytest.mark.parametrize("do", ["draw", "pass"])
def test_no_turn_of_play_in_an_auction(do: str) -> None:
    auction().refused(do, "wrong_phase", seat=1)
    auction().bid(1, 15).refused(do, "wrong_phase", seat=0)


@pytest.mark.parametrize("points", [True, 15.0, 20.5, "15", None, [15], {"points": 15}])
def test_points_are_integers(points: object) -> None:
    auction().refused("bid", "malformed", seat=1, points=points)


def test_r7_2_a_bid_needs_its_points() -> None:
    auction().refused("bid", "malformed", seat=1)
