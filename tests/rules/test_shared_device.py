"""One device for both players: hand-overs, reveals, and clocks that wait for them."""

from __future__ import annotations

from .scenario import Match

SIXES = "6-6 6-5 6-4 6-3 6-2 6-1 6-0"


def started() -> Match:
    """Seat 0 has to open, and has not revealed."""
    return Match(shared=True).deal("6-6 5-4", "6-5 6-4").start(at=1_000)


def waits(match: Match, seat: int) -> None:
    """Handed over to this seat; no clock runs."""
    state = match.state
    assert state["phase"] == "handover"
    assert state["to_act"] == seat
    assert state["legal"] == [{"do": "reveal"}]
    assert state["clock"]["running"] is None
    assert state["clock"]["deadline"] is None


def runs(match: Match, seat: int, phase: str) -> None:
    """This seat is awaited, its clock started with the last event."""
    state = match.state
    assert state["phase"] == phase
    assert state["to_act"] == seat
    assert state["clock"]["running"] == seat
    assert state["clock"]["deadline"] == match.now + 10_000 + state["clock"]["bank"][seat]


def test_r8_5_after_start_the_opener_reveals_first() -> None:
    match = started()
    waits(match, 0)
    match.refused("reveal", "not_your_turn", seat=1)
    match.refused("play", seat=0, tile="6-6", arm="open")
    match.refused("timeout", "not_due", seat=0, at=10**9)
    match.reveal(0, at=500_000)
    runs(match, 0, "opening")
    match.refused("reveal", seat=0)
    match.refused("reveal", seat=1)


def test_r8_5_clocks_stand_from_the_end_of_a_turn_until_the_reveal() -> None:
    match = started().reveal(0, at=2_000).play(0, "6-6", "open", at=15_000)
    waits(match, 1)
    assert match.state["clock"]["bank"] == [117_000, 120_000]
    match.refused("play", seat=1, tile="6-5", arm="left", at=16_000)
    match.refused("draw", seat=1, at=16_000)
    match.reveal(1, at=900_000)
    runs(match, 1, "play")
    match.play(1, "6-5", "left", at=911_000)
    waits(match, 0)
    assert match.state["clock"]["bank"] == [117_000, 119_000]


def test_no_reveal_without_a_shared_device() -> None:
    match = Match().deal("6-6", "6-5").start()
    match.refused("reveal", seat=0)
    match.play(0, "6-6", "open").refused("reveal", seat=1)


def test_no_reveal_where_nobody_is_awaited() -> None:
    match = Match(shared=True)
    for seat in (0, 1):
        match.refused("reveal", "wrong_phase", seat=seat)
    match.deal("6-6")
    for seat in (0, 1):
        match.refused("reveal", "wrong_phase", seat=seat)


def test_a_handover_keeps_the_table_in_sight() -> None:
    match = started().reveal(0).play(0, "6-6", "open")
    state = match.state
    assert state["ends"] == {"left": {"value": 6, "count": 6}, "right": {"value": 6, "count": 6}}
    assert state["count"] == 12


def passed() -> Match:
    """Seat 1 drew the whole boneyard in its own turn and passed."""
    match = Match(shared=True).deal(SIXES).start().reveal(0).play(0, "6-6", "open")
    match.reveal(1).draw(1, 14)
    assert match.state["phase"] == "play"
    assert match.state["legal"] == [{"do": "pass"}]
    return match.pass_(1)


def test_a_pass_after_draws_hands_over() -> None:
    match = passed()
    waits(match, 0)
    match.reveal(0).play(0, "6-5", "left")
    waits(match, 1)


def test_reading_8_no_handover_for_a_compulsory_pass() -> None:
    """Found by search: after a play the other seat can only pass, and play comes back."""
    match = Match(shared=True).deal_round("pass_play_pass_pass").start()
    seen = False
    revealed = None
    for event in Match().first_round("pass_play_pass_pass").events[2:]:
        seat = event["seat"]
        state = match.state
        if state["phase"] == "handover":
            waits(match, seat)
            assert seat != revealed
            match.reveal(seat)
            revealed = seat
        state = match.state
        if state["legal"] == [{"do": "pass"}] and seat != revealed:
            seen = True
            # The clock of the seat that has to pass runs, the other counts as revealed.
            runs(match, seat, "play")
            match.refused("reveal", seat=seat)
        keys = {key: value for key, value in event.items() if key not in ("do", "at")}
        match.add(event["do"], **keys)
        if match.state["to_act"] == revealed and match.state["phase"] == "play":
            match.refused("reveal", seat=revealed)
    assert seen
    assert match.state["phase"] == "round_over"


def test_reading_8_the_same_player_comes_to_act_again_without_a_reveal() -> None:
    match = Match(shared=True).deal_round("pass_play_pass").start()
    again = False
    for event in Match().first_round("pass_play_pass").events[2:]:
        if match.state["phase"] == "handover":
            match.reveal(match.state["to_act"])
        before = match.state
        revealed = next(e["seat"] for e in reversed(match.events) if e["do"] == "reveal")
        keys = {key: value for key, value in event.items() if key not in ("do", "at")}
        match.add(event["do"], **keys)
        if event["do"] == "pass" and before["to_act"] != revealed:
            if match.state["phase"] == "round_over":
                break
            runs(match, revealed, "play")
            again = True
    assert again


def test_a_deal_forgets_who_revealed() -> None:
    match = Match(shared=True)
    match.deal_round("quiet_opener").start()
    for event in Match().first_round("quiet_opener").events[2:]:
        match.reveal(event["seat"]).play(event["seat"], event["tile"], event["arm"])
    assert match.state["phase"] == "round_over"
    assert match.state["jockey"] == 0
    match.deal().go_on()
    waits(match, 1)
    # Seat 0 revealed last in the round before; it reveals again when its turn comes.
    match.reveal(1).decline(1)
    waits(match, 0)


def second_round(winner: int, opener: int) -> Match:
    """The first round, shared, without scores; `winner` goes out."""
    match = Match(shared=True).deal_quiet(winner, opener).start()
    name = "quiet_opener" if winner == opener else "quiet_other"
    play_out(match, name, opener)
    return match


def play_out(match: Match, name: str, opener: int) -> None:
    plain = Match().turns(name, swapped=opener == 1)
    for event in plain.events:
        if match.state["phase"] == "handover":
            match.reveal(event["seat"])
        keys = {key: value for key, value in event.items() if key not in ("do", "at")}
        match.add(event["do"], **keys)
    assert match.state["phase"] == "round_over"


def test_the_auction_is_handed_over_with_its_bid() -> None:
    match = second_round(0, 0).deal().go_on()
    waits(match, 1)
    assert match.shown("bid") is None
    match.refused("bid", seat=1, points=15)
    match.refused("decline", seat=1)
    match.reveal(1)
    runs(match, 1, "auction")
    match.bid(1, 15)
    waits(match, 0)
    assert match.shown("bid") == {"seat": 1, "points": 15}
    match.refused("accept", seat=0)
    match.reveal(0)
    runs(match, 0, "auction")
    assert match.shown("bid") == {"seat": 1, "points": 15}
    match.bid(0, 20).reveal(1).accept(1)
    waits(match, 0)
    assert match.shown("bid") is None
    assert match.shown("transfer") == {"from": 0, "to": 1, "points": 5, "for": "auction"}
    match.reveal(0)
    runs(match, 0, "opening")
    assert match.shown("transfer") is None


def test_reading_8_no_handover_for_a_compulsory_accept() -> None:
    match = second_round(0, 0).deal().go_on().reveal(1).bid(1, 15).reveal(0).bid(0, 165)
    # 150 points do not reach beyond 165: seat 1 can only accept.
    runs(match, 1, "auction")
    assert match.state["legal"] == [{"do": "accept"}]
    match.refused("reveal", seat=1)
    match.accept(1)
    assert match.state["result"] == {"winner": 1, "reason": "chips"}


def test_reading_8_the_bidder_opens_without_a_reveal_after_a_compulsory_accept() -> None:
    match = second_round(0, 0).deal_quiet(0, 0).go_on().reveal(1).bid(1, 15).reveal(0)
    # 150 points do not reach beyond 160 either: seat 0 bids, and opens, in one reveal.
    match.bid(0, 160).accept(1)
    assert match.state["chips"] == [5, 295]
    runs(match, 0, "opening")
    play_out(match, "quiet_opener", 0)
    match.deal().go_on().reveal(1).bid(1, 20)
    # The jockey has 5 points and can only accept 20; seat 1 still counts as revealed.
    runs(match, 0, "auction")
    assert match.state["bid"] == {"seat": 1, "points": 20}
    match.accept(0, auto=True, at=match.now)
    runs(match, 1, "opening")
    assert match.state["transfer"] == {"from": 1, "to": 0, "points": 20, "for": "auction"}


def test_the_first_seat_to_answer_by_hand_always_reveals() -> None:
    """A compulsory decline starts the round; then the jockey reveals and opens."""
    match = second_round(1, 1).deal_quiet(0, 1).go_on().reveal(0).bid(0, 15).reveal(1)
    match.bid(1, 155).accept(0)
    assert match.state["chips"] == [290, 10]
    play_out(match, "quiet_other", 1)
    assert match.state["jockey"] == 0
    match.deal().go_on()
    runs(match, 1, "auction")
    assert match.state["legal"] == [{"do": "decline"}]
    match.decline(1)
    waits(match, 0)
    match.reveal(0)
    runs(match, 0, "opening")


def test_a_player_may_send_the_compulsory_answer_and_pays_its_time() -> None:
    match = second_round(0, 0).deal().go_on().reveal(1).bid(1, 15).reveal(0).bid(0, 165)
    match.accept(1, at=match.now + 12_000)
    assert match.state["clock"]["bank"] == [120_000, 118_000]


def test_resign_during_a_handover_charges_nothing() -> None:
    match = started()
    match.add("resign", seat=1, at=700_000)
    state = match.state
    assert state["result"] == {"winner": 0, "reason": "resignation"}
    assert state["clock"]["bank"] == [120_000, 120_000]
    assert state["to_act"] is None
    assert state["legal"] == []


def test_void_during_a_handover() -> None:
    match = started()
    match.add("void", reason="abandoned", at=10**9)
    assert match.state["result"] == {"winner": None, "reason": "void"}
    assert match.state["phase"] == "match_over"


def test_a_shared_device_that_is_false_is_none() -> None:
    match = Match()
    match.header = match.header | {"shared_device": False}
    match.deal("6-6").start()
    assert match.state["phase"] == "opening"
