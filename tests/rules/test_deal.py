"""R2: the set, the deal, the cover of the hands."""

from __future__ import annotations

import pytest

from .reference import ALL_TILES
from .scenario import Match, deal


def test_r2_1_seven_tiles_each_and_fourteen_in_the_boneyard() -> None:
    state = Match().deal().state
    assert [len(hand) for hand in state["hands"]] == [7, 7]
    assert state["boneyard"] == 14


def test_r2_1_the_whole_boneyard_can_be_drawn() -> None:
    match = Match().deal("6-6 6-5 6-4 6-3 6-2 6-1 6-0").start().play(0, "6-6", "open").draw(1, 14)
    assert match.state["boneyard"] == 0
    assert len(match.state["hands"][1]) == 21
    assert match.state["legal"] == [{"do": "pass"}]


def test_r2_1_the_boneyard_is_drawn_in_its_order() -> None:
    event = deal("6-6 6-5 6-4 6-3 6-2 6-1 6-0")
    match = Match()
    match.events.append(event)
    match.start().play(0, "6-6", "open")
    hand = event["hands"][1]
    for drawn in range(1, 15):
        match.draw(1)
        assert match.state["hands"][1] == sorted(hand + event["boneyard"][:drawn])
        assert match.state["boneyard"] == 14 - drawn


def test_r2_2_every_round_is_dealt_anew_with_the_whole_set() -> None:
    match = Match().jockey(0)
    assert match.state["phase"] == "round_over"
    match.refused("continue", "wrong_phase")
    match.deal("6-6 5-5", "4-4")
    state = match.state
    assert state["phase"] == "dealt"
    assert state["round"] == 2
    assert [len(hand) for hand in state["hands"]] == [7, 7]
    assert state["boneyard"] == 14


def test_r2_3_nobody_is_asked_anything_while_the_hands_lie_face_down() -> None:
    state = Match().deal().state
    assert state["phase"] == "dealt"
    assert state["to_act"] is None
    assert state["clock"]["running"] is None


DEAL = deal()
WRONG = {
    "a tile twice": {"boneyard": [*DEAL["boneyard"][:13], DEAL["hands"][0][0]]},
    "a tile twice in a hand": {"hands": [[DEAL["hands"][0][0]] * 7, DEAL["hands"][1]]},
    "a tile missing": {"boneyard": DEAL["boneyard"][:13]},
    "a tile too many": {"boneyard": [*DEAL["boneyard"], DEAL["boneyard"][0]]},
    "six and eight": {
        "hands": [DEAL["hands"][0][:6], [*DEAL["hands"][1], DEAL["hands"][0][6]]],
    },
    "eight, seven and thirteen": {
        "hands": [[*DEAL["hands"][0], DEAL["boneyard"][0]], DEAL["hands"][1]],
        "boneyard": DEAL["boneyard"][1:],
    },
    "three hands": {"hands": [*DEAL["hands"], []]},
    "one hand": {"hands": DEAL["hands"][:1]},
    "no hands": {"hands": []},
    "empty hands": {"hands": [[], []]},
    "everything in one hand": {"hands": [list(ALL_TILES), []], "boneyard": []},
    "the lower half first": {"hands": [["0-1", *DEAL["hands"][0][1:]], DEAL["hands"][1]]},
    "a tile that does not exist": {"boneyard": [*DEAL["boneyard"][:13], "7-1"]},
    "a tile written otherwise": {"boneyard": [*DEAL["boneyard"][:13], "[6|6]"]},
    "a number for a tile": {"boneyard": [*DEAL["boneyard"][:13], 66]},
    "null for a tile": {"boneyard": [*DEAL["boneyard"][:13], None]},
    "a pair for a tile": {"boneyard": [*DEAL["boneyard"][:13], [6, 6]]},
    "text for a hand": {"hands": ["6-6", DEAL["hands"][1]]},
    "an object for the hands": {"hands": {"0": DEAL["hands"][0], "1": DEAL["hands"][1]}},
    "text for the boneyard": {"boneyard": "".join(DEAL["boneyard"])},
    "null for the boneyard": {"boneyard": None},
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_deal_is_illegal(name: str) -> None:
    Match().add("ready", seat=0).refused(**(DEAL | WRONG[name]))


@pytest.mark.parametrize("key", ["hands", "boneyard"])
def test_a_deal_needs_both_its_keys(key: str) -> None:
    keys = {name: value for name, value in DEAL.items() if name not in (key, "do")}
    Match().refused("deal", "malformed", **keys)


def test_the_at_of_a_deal_is_ignored() -> None:
    for at in (0, -1, "noon", None, 10**12, 5.5):
        match = Match().add("ready", seat=0, at=1000)
        match.events.append(DEAL | {"at": at})
        match.start(at=1000)
        assert match.state["clock"]["deadline"] == 131_000
