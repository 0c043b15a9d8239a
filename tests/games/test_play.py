"""Deciding a command: pure, so time and chance are arguments."""

from __future__ import annotations

from typing import Any

import pytest

from games import play
from games.play import Command, Decision, Position, Refused, decide, judge, parse_command
from games.rules import events
from games.rules.match import Phase, State, apply
from games.rules.tiles import parse_tile
from games.timekeeping import Evidence, Window

from .factory import begun, deal

# Seat 0 must open with 6-6 and then holds tiles without a six.
OPENING = deal("6-6 1-0 2-0 2-1 3-0 3-1 3-2", "6-5 6-4 6-3 6-2 6-1 6-0 5-5")


def deck() -> events.Deal:
    return OPENING


def up_to(moment: int) -> Evidence:
    """One front, up from the beginning, has decided everything up to ``moment``."""
    window = Window(id=1, opened=-60_000, beat=moment, decided=moment)
    return Evidence(window, (window,), tolerance=5000)


def position(told: list[Any], due: int | None = None) -> Position:
    state = State()
    for event in told:
        state = apply(state, event)
    return Position(state, len(told), state.clock.deadline if due is None else due)


def command(do: str, version: int | None = 0, **fields: Any) -> Command:
    return Command(do, version, **fields)


def names(decision: Decision | None) -> list[str]:
    assert decision is not None
    return [step.event.do for step in decision.steps]


def laying(tile: str, arm: str, version: int) -> Command:
    return command("play", version, tile=parse_tile(tile), arm=arm)


def test_the_second_ready_deals_and_starts_in_one_step() -> None:
    waiting = Position(State(), 0, play.START_WITHIN)
    first = decide(waiting, 0, command("ready"), 500, deck)
    assert names(first) == ["ready"]
    assert first.due == play.START_WITHIN  # a Ready does not move it
    second = decide(Position(first.state, 1, first.due), 1, command("ready"), 900, deck)
    assert names(second) == ["ready", "deal", "start"]
    assert second.state.phase is Phase.OPENING
    assert second.due == 900 + 10_000 + 120_000


def test_r6_2_drawing_goes_on_until_a_tile_fits() -> None:
    rest = "0-0 1-1 2-2 3-3 4-4 4-3 4-2 4-1 4-0 6-1 6-0 6-2 6-3 6-4"
    dealt = deal("6-6 1-0 2-0 2-1 3-0 3-1 3-2", "6-5 5-5 5-4 5-3 5-2 5-1 5-0", rest)
    told = begun(dealt)
    told += [events.Play(seat=0, at=2000, tile=parse_tile("6-6"), arm="open")]
    told += [events.Play(seat=1, at=2000, tile=parse_tile("6-5"), arm="left")]
    drawing = position(told)
    for at in range(3000, 3000 + 100 * 30, 100):
        decision = decide(drawing, 0, command("draw", drawing.version), at, deck)
        drawing = Position(decision.state, drawing.version + len(decision.steps), decision.due)
        if decision.state.drawn and decision.state.table.arms_for(decision.state.drawn):
            break
    else:
        pytest.fail("a six comes up in the boneyard")
    assert str(drawing.state.drawn) == "6-1"


def test_a_compulsory_pass_is_made_by_the_server_and_adds_no_time() -> None:
    dealt = deal("5-5 0-0 1-1 2-2 3-3 4-4 1-0", "5-4 5-3 5-2 5-1 5-0 4-3 4-2", "6-5")
    state = State()
    for event in begun(dealt):
        state = apply(state, event)
    # Nothing is left to draw, so whoever has nothing that fits must pass.
    told = state._replace(boneyard=())
    opened = decide(Position(told, 4, None), 0, laying("5-5", "open", 4), 2000, deck)
    laid = decide(Position(opened.state, 5, opened.due), 1, laying("5-4", "left", 5), 3000, deck)
    after = decide(Position(laid.state, 6, laid.due), 0, laying("4-4", "left", 6), 4000, deck)
    answered = decide(Position(after.state, 7, after.due), 1, laying("4-3", "left", 7), 5000, deck)
    assert names(answered) == ["play"]
    done = decide(
        Position(answered.state, 8, answered.due), 0, laying("3-3", "left", 8), 6000, deck
    )
    # Seat 1 holds 5-3 and 5-2, both fit: no pass is made for somebody who can lay.
    assert names(done) == ["play"]
    last = decide(Position(done.state, 9, done.due), 1, laying("5-3", "left", 9), 7000, deck)
    assert names(last) == ["play", "pass"]
    passed = last.steps[1].event
    assert isinstance(passed, events.Pass)
    assert (passed.seat, passed.at, passed.auto) == (0, 7000, True)
    assert last.state.clock.bank == (120_000, 120_000)
    assert last.state.to_act == 1


@pytest.mark.parametrize("version", [3, 5, None])
def test_a_command_of_another_version_is_stale(version: int | None) -> None:
    with pytest.raises(Refused) as refused:
        decide(position(begun(OPENING)), 0, laying("6-6", "open", version), 2000, deck)  # type: ignore[arg-type]
    assert refused.value.code == "stale"
    assert refused.value.params == {"version": 4}


def test_resign_is_never_stale() -> None:
    decision = decide(position(begun(OPENING)), 1, command("resign", 1), 2000, deck)
    assert decision.state.result is not None
    assert (decision.state.result.winner, decision.state.result.reason) == (0, "resignation")
    assert decision.due is None


def test_an_illegal_command_is_refused_with_the_code_of_the_rules() -> None:
    with pytest.raises(Refused) as refused:
        decide(position(begun(OPENING)), 1, laying("5-5", "open", 4), 2000, deck)
    assert refused.value.code == "not_your_turn"


def test_r8_7_a_command_is_judged_by_its_arrival() -> None:
    running = position(begun(OPENING, at=0))
    assert names(decide(running, 0, laying("6-6", "open", 4), 129_999, deck)) == ["play"]
    with pytest.raises(Refused) as refused:
        decide(running, 0, laying("6-6", "open", 4), 130_000, deck)
    assert refused.value.code == "out_of_time"


def test_a_frame_that_waited_is_stored_no_earlier_than_the_event_before_it() -> None:
    told = [*begun(OPENING), events.Play(seat=0, at=5000, tile=parse_tile("6-6"), arm="open")]
    decision = decide(position(told), 1, laying("6-5", "left", 5), 4900, deck)
    event = decision.steps[0].event
    assert isinstance(event, events.Play)
    assert event.at == 5000


def test_a_loss_on_time_is_due_at_its_deadline_and_stored_there() -> None:
    running = position(begun(OPENING, at=0))
    assert judge(running, 129_999, up_to(129_999), deck) is None
    lost = judge(running, 130_750, up_to(130_750), deck)
    assert lost is not None
    event = lost.steps[0].event
    assert isinstance(event, events.Timeout)
    assert (event.seat, event.at) == (0, 130_000)


def test_nobody_loses_on_time_without_proof_up_to_the_deadline() -> None:
    running = position(begun(OPENING, at=0))
    assert judge(running, 134_999, up_to(129_999), deck) is None
    assert names(judge(running, 134_999, up_to(130_000), deck)) == ["timeout"]


def test_readings_4_a_first_start_that_is_not_pressed_voids_the_match() -> None:
    half = decide(Position(State(), 0, play.START_WITHIN), 1, command("ready"), 59_000, deck)
    waiting = Position(half.state, 1, half.due)
    assert judge(waiting, 59_999, up_to(59_999), deck) is None
    void = judge(waiting, 60_000, up_to(60_000), deck)
    assert void is not None
    event = void.steps[0].event
    assert isinstance(event, events.Void)
    assert (event.reason, event.at) == ("no_show", 60_000)
    assert void.due is None


def blocked_round() -> Position:
    """A round that is over by a block, at 9000 ms."""
    dealt = deal("5-5 0-0 1-1 2-2 3-3 4-4 1-0", "6-6 6-4 6-3 6-2 6-1 6-0 4-3")
    state = State()
    for event in begun(dealt):
        state = apply(state, event)
    told = state._replace(boneyard=(), hands=((*state.hands[0],), (parse_tile("6-6"),)))
    opened = decide(Position(told, 4, None), 1, laying("6-6", "open", 4), 9000, deck)
    return Position(opened.state, 5, opened.due)


def test_readings_4_continue_happens_by_itself_after_twenty_seconds() -> None:
    over = blocked_round()
    assert over.state.phase is Phase.ROUND_OVER
    assert over.due == 9000 + 20_000
    pressed = decide(over, 0, command("ready", over.version), 15_000, deck)
    assert pressed.due == 29_000
    waiting = Position(pressed.state, over.version + 1, pressed.due)
    assert judge(waiting, 28_999, up_to(28_999), deck) is None
    going = judge(waiting, 29_400, up_to(29_400), deck)
    assert going is not None
    assert names(going)[:2] == ["deal", "continue"]
    started = going.steps[1].event
    assert isinstance(started, events.Continue)
    assert started.at == 29_400  # the clock starts when the tiles are shown


def test_leaving_before_both_have_pressed_start_voids_the_match() -> None:
    decision = play.leave(Position(State(), 0, play.START_WITHIN), 3000, deck)
    event = decision.steps[0].event
    assert isinstance(event, events.Void)
    assert event.reason == "abandoned"
    with pytest.raises(Refused) as refused:
        play.leave(position(begun(OPENING)), 3000, deck)
    assert refused.value.code == "wrong_phase"


@pytest.mark.parametrize(
    ("data", "problem", "key"),
    [
        ({}, "missing", "do"),
        ({"do": 5}, "type", "do"),
        ({"do": "deal", "version": 1}, "unknown", "deal"),
        ({"do": "timeout", "version": 1, "seat": 1}, "unknown", "timeout"),
        ({"do": "play", "tile": "6-5", "arm": "left"}, "missing", "version"),
        ({"do": "play", "version": "1", "tile": "6-5", "arm": "left"}, "type", "version"),
        ({"do": "play", "version": True, "tile": "6-5", "arm": "left"}, "type", "version"),
        ({"do": "play", "version": 1, "tile": "5-6", "arm": "left"}, "type", "tile"),
        ({"do": "play", "version": 1, "tile": ["6-5"], "arm": "left"}, "type", "tile"),
        ({"do": "play", "version": 1, "tile": "6-5", "arm": "north"}, "type", "arm"),
        ({"do": "play", "version": 1, "tile": "6-5"}, "missing", "arm"),
        ({"do": "bid", "version": 1}, "missing", "points"),
        ({"do": "bid", "version": 1, "points": 15.0}, "type", "points"),
        ({"do": "resign", "version": None}, "type", "version"),
        ({"do": "resign", "version": -1}, "type", "version"),
        ({"do": "ready", "version": 2**31}, "type", "version"),
        ({"do": "play", "tile": "6-6", "arm": "open", "version": 2**40}, "type", "version"),
    ],
)
def test_a_malformed_command_says_what_is_wrong(
    data: dict[str, Any], problem: str, key: str
) -> None:
    with pytest.raises(Refused) as refused:
        parse_command(data)
    assert refused.value.code == "malformed"
    assert refused.value.params == {"problem": problem, "key": key}


def test_seat_and_at_of_a_frame_are_ignored() -> None:
    told = {"do": "play", "version": 4, "tile": "6-6", "arm": "open", "seat": 1, "at": 0}
    decision = decide(position(begun(OPENING)), 0, parse_command(told), 2000, deck)
    event = decision.steps[0].event
    assert isinstance(event, events.Play)
    assert (event.seat, event.at) == (0, 2000)
