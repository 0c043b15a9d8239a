"""What a tile would pay at each end, and how the table is sent to the page's script."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from django.template.loader import render_to_string

from games.board import lay_out
from games.board.samples import chain, random_round
from games.present import page_context
from games.present.hand import hand_tiles, pays
from games.present.table import DRAWN, UNIT, ends_short, plans
from games.rules.events import Play
from games.rules.match import Phase, State, apply, legal
from games.rules.sight import view_for
from games.rules.table import Table
from games.rules.tiles import parse_tile
from tests.games import factory

from .test_present import INFO, find, in_phase

Plays = list[tuple[str, str]]


def view_of(plays: Plays, hand: str, chips: tuple[int, int] = (150, 150)) -> dict[str, Any]:
    """What seat 0 sees when it is to lay a tile of ``hand`` after these plays."""
    table = Table()
    for tile, arm in plays:
        table = table.lay(parse_tile(tile), arm)
    tiles = tuple(parse_tile(tile) for tile in hand.split())
    state = State(
        phase=Phase.PLAY if plays else Phase.OPENING,
        round=1,
        chips=chips,
        hands=(tiles, (parse_tile("0-0"),)),
        table=table,
        to_act=0,
    )
    return view_for(state, 0)


def test_r5_5_only_a_positive_multiple_of_five_pays() -> None:
    paid = pays(view_of([("6-4", "open")], "6-1 6-6 4-4 4-3"))
    assert paid == {
        ("6-1", "left"): 5,  # 1 + 4
        ("6-6", "left"): 0,  # 12 + 4
        ("4-4", "right"): 0,  # 6 + 8
        ("4-3", "right"): 0,  # 6 + 3
    }


def test_a_count_of_nothing_pays_nothing() -> None:
    assert pays(view_of([("1-0", "open")], "1-0")) == {("1-0", "left"): 0, ("1-0", "right"): 0}


def test_r5_4_an_opening_tile_pays_like_any_other() -> None:
    assert pays(view_of([], "6-4 5-5 3-1")) == {
        ("6-4", "open"): 10,
        ("5-5", "open"): 10,
        ("3-1", "open"): 0,
    }


def test_r1_4_nobody_pays_more_than_they_have() -> None:
    assert pays(view_of([], "6-4", chips=(295, 5))) == {("6-4", "open"): 5}
    assert pays(view_of([], "6-4", chips=(5, 295))) == {("6-4", "open"): 10}


def test_r5_3_a_spinner_counts_both_halves_until_both_main_arms_are_taken() -> None:
    plays = [("5-5", "open"), ("5-0", "left")]
    assert pays(view_of(plays, "5-4 6-0")) == {
        ("5-4", "right"): 0,  # 0 + 4: the spinner counts nothing any more
        ("6-0", "left"): 0,  # 6 + 10
    }
    assert pays(view_of(plays, "5-0"))["5-0", "left"] == 15  # 5 + 10
    plays.append(("5-1", "right"))
    paid = pays(view_of(plays, "5-4"))
    assert paid == {("5-4", "up"): 5, ("5-4", "down"): 5}  # 0 + 1 + 4


def test_a_first_double_laid_later_counts_both_its_halves() -> None:
    assert pays(view_of([("6-5", "open")], "5-5")) == {("5-5", "right"): 0}  # 6 + 10
    assert pays(view_of([("5-4", "open")], "5-5 4-4")) == {
        ("5-5", "left"): 0,  # 10 + 4
        ("4-4", "right"): 0,  # 5 + 8
    }
    assert pays(view_of([("5-0", "open")], "5-5 0-0")) == {
        ("5-5", "left"): 10,
        ("0-0", "right"): 5,
    }


def test_what_is_told_is_what_is_paid() -> None:
    """In whole matches: each tile and end, laid, moves just the points that were told."""
    chance, state, told = Random(4), State(), 0
    while state.phase is not Phase.MATCH_OVER and told < 300:
        if state.phase in (Phase.OPENING, Phase.PLAY):
            seat = state.to_act
            assert seat is not None
            for (tile, arm), points in pays(view_for(state, seat)).items():
                play = Play(seat=seat, at=1000, tile=parse_tile(tile), arm=arm)
                transfer = apply(state, play).transfer
                assert points == (transfer.points if transfer else 0)
                told += bool(points)
        for event in factory.whatever_comes(state, chance, 1000):
            state = apply(state, event)
    assert told > 20


def test_a_tile_says_what_its_ends_pay_beside_them() -> None:
    view = view_of([("5-5", "open"), ("5-0", "left"), ("5-1", "right")], "5-4 1-0 3-3")
    tiles = {tile.tile: tile for tile in hand_tiles(view, None) or []}
    assert (tiles["5-4"].arms, tiles["5-4"].pays) == (("up", "down"), (5, 5))
    assert tiles["5-4"].told == "Up pays 5. Down pays 5."
    assert (tiles["3-3"].arms, tiles["3-3"].pays, tiles["3-3"].told) == ((), (), "")
    html = render_to_string("games/_hand.html", {"hand": list(tiles.values()), "arms": True})
    assert 'data-arms="up down" data-pays="5 5"' in html
    assert "<i> Up pays 5. Down pays 5.</i>" in html


def test_who_is_not_to_move_is_told_of_no_pay() -> None:
    table = in_phase(Phase.PLAY)
    assert table.state.to_act is not None
    assert pays(table.full(1 - table.state.to_act)["view"]) == {}
    assert pays(table.full(None)["view"]) == {}


@pytest.mark.parametrize("frame", DRAWN)
def test_the_script_is_told_every_place(frame: str) -> None:
    for plays in (random_round(Random(3)), chain(Random(5), 28, ("left", "right", "up", "down"))):
        view = {"table": [{"tile": tile, "arm": arm} for tile, arm in plays]}
        layout = lay_out(plays, DRAWN[frame])
        plan = next(plan for plan in plans(view) if plan.frame == frame)
        box, tiles, ends = plan.text.split(";")
        assert [float(edge) for edge in box.split()] == pytest.approx(layout.viewbox, abs=0.01)
        told = [tuple(int(figure) for figure in tile.split(",")) for tile in tiles.split()]
        assert told == [(t.x * UNIT, t.y * UNIT, t.turn // 90) for t in layout.tiles]
        arms = {end.split(",")[0]: [int(n) for n in end.split(",")[1:]] for end in ends.split()}
        assert arms == {
            arm: [
                *(place * UNIT for place in (end.x, end.y)),
                end.turn // 90,
                *(place * UNIT for place in (end.end_x, end.end_y)),
                end.heading // 90,
            ]
            for arm, end in layout.targets.items()
        }


def test_an_end_nobody_has_used_joins_but_has_no_count() -> None:
    view = view_of([("5-5", "open"), ("5-0", "left"), ("5-1", "right")], "5-4")
    assert ends_short(view) == "left,0,0 right,1,1 up,5, down,5,"


def worst_view(viewer: int | None) -> str:
    """A push with 28 tiles on the table, which is one more than a round can have."""
    table = find(lambda state: len(state.table.laid) >= 25 and state.phase is Phase.PLAY)
    context = table.pushed(viewer)
    plays = chain(Random(5), 28, ("left", "right", "up", "down"))
    view = context["view"] | {"table": [{"tile": tile, "arm": arm} for tile, arm in plays]}
    context |= {"plans": plans(view), "view": view}
    return render_to_string("games/_live.html", context)


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_a_view_of_28_tiles_is_small(viewer: int | None) -> None:
    html = worst_view(viewer)
    assert html.count(",") > 28 * 2 * len(DRAWN)
    assert len(html.encode()) < 8_192


def test_a_view_of_14_tiles_in_hand_and_14_on_the_table_is_small() -> None:
    """The most that can be laid: each tile with its ends and what they pay."""
    table = find(
        lambda state: (
            state.phase is Phase.PLAY
            and state.to_act is not None
            and len(state.hands[state.to_act]) >= 12
            and len(legal(state)) > 10
        )
    )
    seat = table.state.to_act
    assert seat is not None
    assert len(render_to_string("games/_live.html", table.pushed(seat)).encode()) < 8_192


def test_the_page_draws_without_the_script_too() -> None:
    table = in_phase(Phase.PLAY, lambda state: len(state.table.laid) > 4)
    context = page_context(INFO, table.full(0)["view"], [], full=True)
    html = render_to_string("games/_table.html", context)
    assert html.count("<svg class=") == len(DRAWN)
