"""What replay prints, key by key."""

from __future__ import annotations

import pytest

from .scenario import Match, by_text, rounds

KEYS = (
    *("n", "phase", "round", "to_act", "chips", "transfer", "ends", "count", "hands"),
    *("boneyard", "bid", "jockey", "clock", "legal", "ready", "result"),
)


@pytest.mark.parametrize("name", sorted(rounds()))
def test_every_state_has_every_key_in_order(name: str) -> None:
    for n, state in enumerate(Match().first_round(name).states, 1):
        assert tuple(state) == KEYS
        assert state["n"] == n
        assert set(state["clock"]) == {"bank", "running", "deadline"}


def example() -> Match:
    """The example of the record's description: an opening that cost 3 s of bank."""
    match = Match().add("ready", seat=0, at=0).add("ready", seat=1, at=1_000)
    hand0 = "5-5 1-0 2-2 3-2 4-1 6-0 6-3"
    match.deal(hand0, "2-1 3-3 4-4 5-0 5-3 6-1 6-4").start(at=2_000)
    return match.play(0, "5-5", "open", at=15_000)


def test_the_example() -> None:
    state = example().state
    assert state | {"legal": []} == {
        "n": 5,
        "phase": "play",
        "round": 1,
        "to_act": 1,
        "chips": [160, 140],
        "transfer": {"from": 1, "to": 0, "points": 10, "for": "ends"},
        "ends": {"left": {"value": 5, "count": 5}, "right": {"value": 5, "count": 5}},
        "count": 10,
        "hands": [
            ["1-0", "2-2", "3-2", "4-1", "6-0", "6-3"],
            ["2-1", "3-3", "4-4", "5-0", "5-3", "6-1", "6-4"],
        ],
        "boneyard": 14,
        "bid": None,
        "jockey": None,
        "clock": {"bank": [117_000, 120_000], "running": 1, "deadline": 145_000},
        "legal": [],
        "ready": [False, False],
        "result": None,
    }
    assert by_text(state["legal"]) == by_text(
        {"do": "play", "tile": tile, "arm": arm}
        for tile in ("5-3", "5-0")
        for arm in ("left", "right")
    )


def test_n_counts_events_legal_or_not() -> None:
    state = example().refused("draw", seat=0)
    assert state["n"] == 6
    assert set(state) == {"n", "illegal", "params"}


def test_dealt_lists_start_then_continue() -> None:
    assert Match().deal().state["legal"] == [{"do": "start"}]
    match = Match().jockey(0).deal()
    assert match.state["legal"] == [{"do": "continue"}]
    assert match.state["to_act"] is None
    assert match.state["round"] == 2


def test_ends_are_empty_from_a_deal_to_its_opening_tile() -> None:
    match = Match().jockey(0)
    assert match.state["ends"] != {}
    match.deal().go_on().bid(1, 15).accept(0)
    for state in match.states[-4:]:
        assert state["ends"] == {}
        assert state["count"] == 0
    match.play(1, match.state["hands"][1][0], "open")
    assert match.state["ends"] != {}


def test_ends_and_count_are_kept_when_a_round_is_over() -> None:
    match = Match().first_round("block_tie")
    assert match.state["ends"] == match.states[-3]["ends"]
    assert match.state["count"] == match.states[-3]["count"]
    match.add("ready", seat=0)
    assert match.state["ends"] == match.states[-4]["ends"]


def test_a_transfer_is_of_this_very_event() -> None:
    match = example().play(1, "5-3", "left")
    assert match.state["transfer"] is None
    assert match.state["count"] == 13
    match = Match().first_round("loud_opener").add("ready", seat=0)
    assert match.states[-2]["transfer"] is not None
    assert match.state["transfer"] is None
    assert match.state["phase"] == "round_over"


def test_a_draw_and_a_first_pass_move_nothing() -> None:
    match = Match().deal("6-6 6-5 6-4 6-3 6-2 6-1 6-0").start().play(0, "6-6", "open")
    assert match.draw(1).state["transfer"] is None
    assert match.draw(1, 13).pass_(1).state["transfer"] is None


def test_hands_are_sorted_as_text() -> None:
    match = Match().deal("6-6 6-0 5-4 3-3 1-0 2-1 0-0")
    assert match.state["hands"][0] == ["0-0", "1-0", "2-1", "3-3", "5-4", "6-0", "6-6"]


def test_hands_and_boneyard_before_the_first_deal() -> None:
    state = Match().add("void", reason="no_show").state
    assert state["hands"] == [[], []]
    assert state["boneyard"] == 0
    assert state["round"] == 0
    assert state["phase"] == "match_over"


def test_the_boneyard_shrinks_by_what_is_drawn() -> None:
    match = Match().deal("6-6 6-5 6-4 6-3 6-2 6-1 6-0").start().play(0, "6-6", "open").draw(1, 3)
    assert match.state["boneyard"] == 11


def test_the_jockey_round_by_round() -> None:
    match = Match().deal_quiet(1, 0).start()
    assert match.shown("jockey") is None
    match.quiet_round(1, 0)
    # In round_over it is already the next round's.
    assert match.shown("jockey") == 1
    match.deal_quiet(0, 1)
    assert match.shown("jockey") == 1
    match.go_on().decline(0)
    assert match.shown("jockey") == 1
    match.quiet_round(0, 1)
    assert match.shown("jockey") == 0
    match.deal_round("block_silent").go_on().decline(1).turns("block_silent")
    assert match.shown("phase") == "round_over"
    assert match.shown("jockey") is None
    assert match.deal("6-6").state["jockey"] is None
    assert match.go_on().state["phase"] == "opening"


@pytest.mark.parametrize("ready", [[], [0], [0, 1]])
def test_ready_is_left_as_it_was_by_the_end_of_the_match(ready: list[int]) -> None:
    match = Match().jockey(0)
    for seat in ready:
        match.add("ready", seat=seat)
    match.add("resign", seat=0)
    assert match.state["ready"] == [0 in ready, 1 in ready]


def test_bid_is_null_without_a_standing_one() -> None:
    match = Match().jockey(0).deal().go_on()
    assert match.shown("bid") is None
    match.bid(1, 15)
    assert match.shown("bid") == {"seat": 1, "points": 15}
    assert match.accept(0).state["bid"] is None


def test_bid_is_null_when_the_match_ends_in_an_auction() -> None:
    for end in ({"do": "resign", "seat": 0}, {"do": "void", "reason": "staff"}):
        match = Match().jockey(0).deal().go_on().bid(1, 15)
        assert match.add(**end).state["bid"] is None


@pytest.mark.parametrize("name", sorted(rounds()))
def test_28_tiles_each_in_one_place(name: str) -> None:
    match = Match().first_round(name)
    laid: list[str] = []
    for event, state in zip(match.events, match.states, strict=True):
        if event["do"] == "play":
            laid.append(event["tile"])
        seen = [*state["hands"][0], *state["hands"][1], *laid]
        assert len(seen) == len(set(seen))
        assert len(seen) + state["boneyard"] == 28
