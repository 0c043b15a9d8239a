"""What each player did in a match, in figures."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from io import StringIO
from itertools import pairwise
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games import models
from games.rules import events
from games.rules.auction import Bid
from games.rules.clock import BANK, Clock
from games.rules.events import Event
from games.rules.match import POINTS, Phase, State, apply
from games.rules.record import parse_event
from games.rules.table import Table
from games.rules.tiles import Tile, parse_tile
from games.tallies import Tally, tallied
from tests.rules.random_play import random_match

from .factory import begun, deal, make_match, make_user, nearly_won


def hand(text: str) -> tuple[Tile, ...]:
    return tuple(parse_tile(tile) for tile in text.split())


def laid(*tiles: tuple[str, str]) -> Table:
    table = Table()
    for tile, arm in tiles:
        table = table.lay(parse_tile(tile), arm)
    return table


def auction(to_act: int, bid: Bid | None = None, chips: tuple[int, int] = (150, 150)) -> State:
    """The auction of a second round that seat 0 is the jockey of; ``to_act`` thinks since 1000."""
    return State(
        phase=Phase.AUCTION,
        round=2,
        chips=chips,
        hands=(hand("5-5 1-0 2-0"), hand("6-5 6-4 6-3")),
        boneyard=hand("0-0 1-1"),
        to_act=to_act,
        jockey=0,
        bid=bid,
        clock=Clock(running=to_act, since=1000),
        at=1000,
    )


def turn(mine: str, table: Table, boneyard: str = "", **more: Any) -> State:
    """Seat 0 is to lay or draw, and thinks since 1000; seat 1 holds twelve pips."""
    state = State(
        phase=Phase.PLAY,
        round=2,
        hands=(hand(mine), hand("6-6")),
        boneyard=hand(boneyard),
        table=table,
        to_act=0,
        clock=Clock(running=0, since=1000),
        at=1000,
    )
    return state._replace(**more)


def said(state: State, *told: Event) -> tuple[dict[str, int], dict[str, int]]:
    """The figures of both seats that are not zero."""
    first, second = tallied(state, told)
    return _some(first), _some(second)


def _some(tally: Tally) -> dict[str, int]:
    return {name: figure for name, figure in asdict(tally).items() if figure}


def play(seat: int, tile: str, arm: str, at: int = 1000) -> events.Play:
    return events.Play(seat=seat, at=at, tile=parse_tile(tile), arm=arm)


def test_nothing_has_happened() -> None:
    assert tallied(State(), []) == (Tally(), Tally())


def test_a_round_begins_and_an_opening_takes_points() -> None:
    dealt = deal("5-5 1-0 2-0 2-1 3-0 3-1 3-2", "6-5 6-4 6-3 6-2 6-1 6-0 4-0")
    told = [*begun(dealt), play(0, "5-5", "open", 9000)]
    first, second = said(State(), *told)
    assert first == {"rounds": 1, "from_ends": 10, "decisions": 1, "thought": 8000}
    assert second == {"rounds": 1}


def test_a_bid_and_a_raise_and_an_opening_bought_by_the_jockey() -> None:
    first, second = said(
        auction(1),
        events.Bid(seat=1, at=2000, points=15),
        events.Bid(seat=0, at=4000, points=20),
        events.Accept(seat=1, at=7000),
        play(0, "5-5", "open", 11_000),
    )
    assert first == {
        "bids": 1,
        "bought": 1,
        "paid": 5,
        "from_ends": 10,
        "brought": 10,
        "decisions": 2,
        "thought": 6000,
    }
    assert second == {"bids": 1, "from_auctions": 5, "decisions": 2, "thought": 4000}


def test_what_the_other_takes_in_a_bought_round_is_taken_off() -> None:
    first, second = said(
        auction(0, Bid(1, 30)),
        events.Accept(seat=0, at=1000),
        play(1, "6-4", "open"),
        events.Draw(seat=0, at=1000),
    )
    assert first == {"from_auctions": 30, "decisions": 1}
    assert second == {"bought": 1, "paid": 30, "from_ends": 10, "brought": 10, "decisions": 1}
    bought = auction(0, Bid(1, 15))
    first, second = said(
        bought._replace(hands=(hand("6-0 5-4"), hand("6-5 3-0"))),
        events.Accept(seat=0, at=1000),
        play(1, "6-5", "open"),
        play(0, "5-4", "right"),
    )
    assert first == {"from_auctions": 15, "from_ends": 10, "decisions": 2}
    assert second == {"bought": 1, "paid": 15, "brought": -10, "decisions": 1}


def test_a_bid_that_costs_nothing_is_bought_all_the_same() -> None:
    first, second = said(auction(1, Bid(0, 15)), events.Accept(seat=1, at=1000))
    assert first == {"bought": 1}
    assert second == {"decisions": 1}


def test_an_opening_that_costs_everything_ends_the_match() -> None:
    first, second = said(
        auction(0, Bid(1, 40), chips=(260, 40)), events.Accept(seat=0, at=1000, auto=True)
    )
    assert first == {"from_auctions": 40}
    assert second == {"bought": 1, "paid": 40}


def test_an_opening_for_nothing_is_not_bought() -> None:
    first, second = said(auction(1), events.Decline(seat=1, at=2000), play(0, "5-5", "open", 2000))
    assert first == {"from_ends": 10, "decisions": 1}
    assert second == {"decisions": 1, "thought": 1000}


def test_what_was_bought_ends_with_the_round() -> None:
    state = auction(0, Bid(1, 15))._replace(hands=(hand("1-0"), hand("6-5")))
    told: list[Event] = [events.Accept(seat=0, at=1000), play(1, "6-5", "open")]
    told += [events.Ready(seat=0, at=1000), events.Ready(seat=1, at=1000)]
    told += [deal("6-4 1-0 2-0 2-1 3-0 3-1 3-2", "6-5 5-5 6-3 6-2 6-1 6-0 4-0")]
    told += [events.Continue(at=1000), events.Decline(seat=0, at=1000)]
    first, second = said(state, *told, play(1, "5-5", "open"))
    assert first == {"rounds": 1, "from_auctions": 15, "decisions": 2}
    assert second == {
        "rounds": 1,
        "rounds_won": 1,
        "bought": 1,
        "paid": 15,
        "from_ends": 10,
        "decisions": 2,
    }


@pytest.mark.parametrize(("chips", "taken"), [((150, 150), 10), ((296, 4), 4)])
def test_going_out_counts_with_its_points_and_when_it_wins(
    chips: tuple[int, int], taken: int
) -> None:
    state = turn("5-4", laid(("6-5", "open")), chips=chips)
    first, _ = said(state, play(0, "5-4", "right"))
    assert first == {"rounds_won": 1, "from_ends": taken, "decisions": 1}


def test_a_block_pays_the_smaller_hand() -> None:
    state = turn("1-0", laid(("4-3", "open")), passed=True)
    first, second = said(state, events.Pass(seat=0, at=3000))
    assert first == {"from_blocks": 10, "decisions": 1, "thought": 2000}
    assert second == {}


def test_a_block_in_a_bought_round_is_brought_or_taken_off() -> None:
    bought = auction(0, Bid(1, 15))._replace(hands=(hand("1-0"), hand("4-3 6-6")), boneyard=())
    told: list[Event] = [events.Accept(seat=0, at=1000), play(1, "4-3", "open")]
    told += [events.Pass(seat=seat, at=1000, auto=True) for seat in (0, 1)]
    first, second = said(bought, *told)
    assert first == {"from_auctions": 15, "from_blocks": 10, "decisions": 1}
    assert second == {"bought": 1, "paid": 15, "brought": -10, "decisions": 1}


def test_a_block_of_equal_hands_pays_nothing() -> None:
    state = turn("6-6", laid(("4-3", "open")), passed=True)
    assert said(state, events.Pass(seat=0, at=1000)) == ({"decisions": 1}, {})


def test_draws_belong_to_the_turn_and_the_bank_pays_beyond_the_delay() -> None:
    state = turn("1-0", laid(("4-3", "open")), boneyard="2-0 4-1")
    first, _ = said(
        state,
        events.Draw(seat=0, at=3000),
        events.Draw(seat=0, at=8000),
        play(0, "4-1", "left", 14_000),
    )
    assert first == {"decisions": 1, "thought": 13_000, "bank": 3000}


def test_a_pass_by_the_server_is_a_decision_after_a_draw_alone() -> None:
    table = laid(("4-3", "open"))
    first, _ = said(turn("1-0", table), events.Pass(seat=0, at=1000, auto=True))
    assert first == {}
    first, _ = said(
        turn("1-0", table, "2-0"),
        events.Draw(seat=0, at=5000),
        events.Pass(seat=0, at=5000, auto=True),
    )
    assert first == {"decisions": 1, "thought": 4000}


def test_a_loss_on_time_took_all_of_it() -> None:
    state = turn("1-0", laid(("4-3", "open")))
    first, second = said(state, events.Timeout(seat=0, at=1000 + 10_000 + BANK))
    assert first == {"decisions": 1, "thought": 10_000 + BANK, "bank": BANK}
    assert second == {}


@pytest.mark.parametrize("seat", [0, 1])
def test_whoever_resigns_the_running_clock_is_counted(seat: int) -> None:
    state = turn("1-0", laid(("4-3", "open")))
    first, second = said(state, events.Resign(seat=seat, at=13_000))
    assert first == {"decisions": 1, "thought": 12_000, "bank": 2000}
    assert second == {}


def test_time_between_two_turns_at_one_device_is_nobodys() -> None:
    dealt = deal("5-5 1-0 2-0 2-1 3-0 3-1 3-2", "6-5 6-4 6-3 6-2 6-1 6-0 4-0")
    told = [
        *begun(dealt),
        events.Reveal(seat=0, at=60_000),
        play(0, "5-5", "open", 62_000),
        events.Reveal(seat=1, at=90_000),
        play(1, "6-5", "left", 95_000),
    ]
    first, second = said(State.new(shared_device=True), *told)
    assert (first["thought"], second["thought"]) == (2000, 5000)
    assert (first["decisions"], second["decisions"]) == (1, 1)


def legal_ones(told: Iterable[dict[str, Any]], begin: State) -> tuple[list[Event], list[State]]:
    """The events of a noisy match that are legal, and the states after them."""
    from games.rules.errors import Illegal

    kept, states = [], [begin]
    for item in told:
        try:
            event = parse_event(item)
            states.append(apply(states[-1], event))
        except Illegal:
            continue
        kept.append(event)
    return kept, states


@pytest.mark.parametrize("shared", [False, True])
def test_gains_are_what_the_balances_say_in_random_matches(shared: bool) -> None:
    seen: set[str] = set()
    for seed in range(10):
        begin = State.new(shared_device=shared)
        told, states = legal_ones(random_match(random.Random(seed), shared)[0], begin)
        pair = tallied(begin, told)
        _agree(pair, states)
        _times_agree(pair, states)
        seen |= {name for tally in pair for name, figure in asdict(tally).items() if figure}
    assert seen == set(asdict(Tally()))


def _agree(pair: tuple[Tally, Tally], states: Sequence[State]) -> None:
    end, gains = states[-1], [t.from_ends + t.from_blocks + t.from_auctions for t in pair]
    for seat, mine in enumerate(pair):
        other = pair[1 - seat]
        assert end.chips[seat] == POINTS + gains[seat] - gains[1 - seat]
        assert mine.paid == other.from_auctions
        assert mine.rounds == end.round
        assert mine.bank == BANK - end.clock.bank[seat]
    outs = sum(
        after.phase in (Phase.ROUND_OVER, Phase.MATCH_OVER) and () in after.hands
        for before, after in pairwise(states)
        if before.phase in (Phase.PLAY, Phase.OPENING)
    )
    assert pair[0].rounds_won + pair[1].rounds_won == outs


def _times_agree(pair: tuple[Tally, Tally], states: Sequence[State]) -> None:
    """All the time in which a clock ran was thought by its player."""
    ran = [0, 0]
    for before, after in pairwise(states):
        if before.clock.running is not None:
            ran[before.clock.running] += after.at - before.at
    assert [tally.thought for tally in pair] == ran


@pytest.mark.django_db(transaction=True)
@pytest.mark.spoils_matches
@pytest.mark.parametrize("spoil", ["change", "lose", "invent"])
def test_check_matches_compares_the_figures_with_the_log(spoil: str) -> None:
    told, tile, arm = nearly_won()
    users = [make_user("ada"), make_user("bo")]
    match = make_match(users, [*told, events.Play(seat=0, at=1000, tile=parse_tile(tile), arm=arm)])
    stored = models.Tally.objects.get(seat__match=match, seat__seat=0)
    assert stored.from_ends
    out = StringIO()
    call_command("check_matches", stdout=out)
    assert out.getvalue().startswith("1 matches")
    if spoil == "change":
        models.Tally.objects.filter(pk=stored.pk).update(from_ends=stored.from_ends + 5)
    elif spoil == "lose":
        stored.delete()
    else:
        running = make_match(users, begun(deal("6-6", "6-5"))[:2])
        models.Tally.objects.create(seat=running.seats.get(seat=0))
    complaints = StringIO()
    with pytest.raises(CommandError, match="1 differences"):
        call_command("check_matches", stderr=complaints)
    assert "figures of seat 0" in complaints.getvalue()
