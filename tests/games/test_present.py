"""What the match page shows in every phase, and to whom."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any

import pytest
from django.template.loader import render_to_string

from accounts.preferences import ACTIONS
from games import live, play, words
from games.present import page_context
from games.present.seats import bank_now
from games.rules import events
from games.rules.match import Phase, State, legal
from games.rules.sight import Viewer, entry_for
from games.rules.tiles import ALL_TILES

EPOCH = 1_700_000_000_000
INFO = {
    "id": "abc",
    "epoch": EPOCH,
    "rated": True,
    "players": ["Ada", "Bo"],
    "socket": "/ws/matches/abc/",
}


class Table:
    """A match played at random, without a database: what the relay would send of it."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.position = play.Position(State.new(), 0, play.START_WITHIN)
        self.at = 0
        self.steps: list[play.Step] = []
        self.base = 0
        self.decision: play.Decision | None = None

    @property
    def state(self) -> State:
        return self.position.state

    def deck(self) -> events.Deal:
        tiles = list(ALL_TILES)
        self.rng.shuffle(tiles)
        return events.Deal(hands=(tuple(tiles[:7]), tuple(tiles[7:14])), boneyard=tuple(tiles[14:]))

    def say(self, seat: int, **command: Any) -> None:
        self.at += self.rng.choice((2_000, 9_000, 10_500))
        asked = play.parse_command({**command, "version": self.position.version})
        self.take(play.decide(self.position, seat, asked, self.at, self.deck))

    def take(self, decision: play.Decision) -> None:
        self.decision, self.base = decision, self.position.version
        self.steps += decision.steps
        self.position = play.Position(decision.state, len(self.steps), decision.due)

    def go_on(self) -> None:
        """One command of whoever is awaited."""
        if self.state.to_act is None:
            self.say(int(self.state.ready[0]), do="ready")
            return
        answer: dict[str, Any] = dict(self.rng.choice(legal(self.state)))
        if answer["do"] == "bid":
            most = min(answer["max"], answer["min"] + 15)
            answer = {"do": "bid", "points": self.rng.randrange(answer["min"], most + 1, 5)}
        self.say(self.state.to_act, **answer)

    def full(self, viewer: Viewer) -> dict[str, Any]:
        """The context of the page, and of the first view of a socket."""
        now = EPOCH + self.at + 1_500
        view = live.view_json("abc", self.position, viewer, self.at + 1_500, now, [])
        log = [entry_for(n, step.event, step.state, viewer) for n, step in enumerate(self.steps, 1)]
        return page_context(INFO, view, log, full=True)

    def pushed(self, viewer: Viewer) -> dict[str, Any]:
        """The context of the push that the last command brought about."""
        assert self.decision is not None
        news = live.News("abc", EPOCH, self.base, self.decision)
        message = live.message_for(news, viewer, EPOCH + self.at)
        return page_context(INFO, message["view"], message["log"], full=False)


def states(seed: int) -> Iterator[Table]:
    """One match from its first moment on; the table is the same object, moved on."""
    table = Table(seed)
    try:
        while table.state.result is None and len(table.steps) < 400:
            yield table
            table.go_on()
        yield table
    except play.Refused as refused:
        if refused.code != "out_of_time":  # the random players are slow at times
            raise


def find(wanted: Callable[[State], bool]) -> Table:
    """A match that has just reached such a state."""
    return next(table for seed in range(500) for table in states(seed) if wanted(table.state))


def in_phase(phase: Phase, more: Callable[[State], bool] = lambda _state: True) -> Table:
    return find(lambda state: state.phase is phase and more(state))


def fits(state: State) -> bool:
    assert state.to_act is not None
    return any(state.table.arms_for(tile) for tile in state.hands[state.to_act])


SITUATIONS: dict[str, Callable[[], Table]] = {
    "start": lambda: in_phase(Phase.NEW),
    "one is ready": lambda: in_phase(Phase.NEW, lambda s: s.ready[0]),
    "forced opening": lambda: in_phase(Phase.OPENING, lambda s: s.must_open is not None),
    "free opening": lambda: in_phase(Phase.OPENING, lambda s: s.must_open is None),
    "first bid": lambda: in_phase(Phase.AUCTION, lambda s: s.bid is None),
    "standing bid": lambda: in_phase(Phase.AUCTION, lambda s: s.bid is not None),
    "turn": lambda: in_phase(Phase.PLAY, lambda s: len(s.table.laid) > 8 and fits(s)),
    "must draw": lambda: in_phase(Phase.PLAY, lambda s: not fits(s)),
    "drawn and fits": lambda: in_phase(Phase.PLAY, lambda s: s.drawn is not None and fits(s)),
    "went out": lambda: in_phase(Phase.ROUND_OVER, lambda s: s.jockey is not None),
    "blocked": lambda: in_phase(Phase.ROUND_OVER, lambda s: s.jockey is None),
    "no points left": lambda: in_phase(Phase.MATCH_OVER),
}


def _resigned() -> Table:
    table = in_phase(Phase.PLAY)
    table.say(1, do="resign")
    return table


def _left() -> Table:
    table = Table(1)
    table.take(play.leave(table.position, 5_000, table.deck))
    return table


def _timed_out() -> Table:
    table = in_phase(Phase.PLAY)
    due, seat = table.position.due, table.state.to_act
    assert due is not None
    assert seat is not None
    lost = play._decision(table.position, events.Timeout(seat=seat, at=due), due, table.deck)
    table.at = due
    table.take(lost)
    return table


def _unmeasured() -> Table:
    table = in_phase(Phase.PLAY)
    at = table.at + 60_000
    gap = {"begin": table.at + 1_400, "end": table.at + 39_400}
    table.take(
        play._decision(
            table.position, events.Void(at=at, reason="service_failure", **gap), at, table.deck
        )
    )
    table.at = at
    return table


SITUATIONS |= {"resigned": _resigned, "void": _left, "time": _timed_out, "unmeasured": _unmeasured}


@cache
def situation(name: str) -> Table:
    return SITUATIONS[name]()


def page(context: dict[str, Any]) -> str:
    return render_to_string("games/match.html", context | {"csrf_token": "token"})


def live_html(context: dict[str, Any]) -> str:
    return render_to_string("games/_live.html", context)


VIEWERS: tuple[Viewer, ...] = (0, 1, None)


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("kind", ["page", "push"])
def test_a_failure_of_the_service_stands_in_place_of_a_result(kind: str, viewer: Viewer) -> None:
    table = situation("unmeasured")
    whole = kind == "page"
    context = table.full(viewer) if whole else table.pushed(viewer)
    begin, end = table.at - 60_000 + 1_400, table.at - 60_000 + 39_400
    span = words.Span(EPOCH + begin, EPOCH + end, EPOCH + table.at)
    told = words.void_sentence("service_failure", span)
    assert "was not measuring time from <time" in told
    html = page(context) if whole else live_html(context)
    assert f"<h2>{told}</h2>" in html
    assert f">{told}</li>" in html  # the log
    assert f'<span class="said">{told}</span>' in html
    assert "The match is void" not in html


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("name", SITUATIONS)
def test_every_phase_renders_without_anything_inline(name: str, viewer: Viewer) -> None:
    table = situation(name)
    parts = [page(table.full(viewer)), live_html(table.full(viewer))]
    if table.decision:
        parts.append(live_html(table.pushed(viewer)))
    for html in parts:
        assert not re.search(
            r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)|javascript:", html
        )
        assert "%(" not in re.sub(r'\sdata-[a-z-]+="[^"]*"', "", html)
        assert "None" not in re.sub(r"[a-z.]*None is|None of", "", html)


@pytest.mark.parametrize("name", SITUATIONS)
def test_no_id_occurs_twice(name: str) -> None:
    html = page(situation(name).full(0))
    ids = re.findall(r'\sid="([^"]+)"', html)
    assert sorted(set(ids)) == sorted(ids)


@pytest.mark.parametrize("name", SITUATIONS)
def test_whatever_is_swapped_is_on_the_page(name: str) -> None:
    for viewer in VIEWERS:
        context = situation(name).full(viewer)
        html = page(context)
        swapped = re.findall(r'id="([^"]+)"[^>]* hx-swap-oob="true"', live_html(context))
        inner = re.findall(r'hx-swap-oob="innerHTML:#([^"]+)"', live_html(context))
        assert len(swapped) >= 9
        assert inner == ["log", "status"]
        for name_ in swapped + inner:
            assert html.count(f' id="{name_}"') == 1


def tiles_in(html: str) -> set[str]:
    """Every tile a text names in whatever way: as drawn, in a form, or in words."""
    body = re.sub(r"<svg class=\"symbols\".*?</svg>", "", html, flags=re.DOTALL)
    drawn = {f"{high}-{low}" for high, low in re.findall(r"#t(\d)(\d)", body)}
    written = set(re.findall(r"\b[0-6]-[0-6]\b", body))
    return drawn | written


@pytest.mark.parametrize("name", ["turn", "must draw", "first bid", "free opening", "start"])
def test_a_spectator_is_told_no_tile_of_a_hand(name: str) -> None:
    table = situation(name)
    laid = {str(laid.tile) for step in table.steps for laid in step.state.table.laid}
    shown_before = {
        str(tile)
        for step in table.steps
        if step.state.phase is Phase.ROUND_OVER
        for hand in step.state.hands
        for tile in hand
    }
    context = table.full(None)
    assert context["hand"] is None
    assert tiles_in(page(context)) <= laid | shown_before
    assert 'class="tile' not in page(context)


def test_two_matches_that_differ_in_hidden_tiles_only_look_alike() -> None:
    table = situation("turn")
    seat = table.state.to_act
    assert seat is not None
    swapped = _with_other_tiles_hidden(table.state, of=1 - seat)
    for render in (page, live_html):
        before, after = (render(_context(state, seat)) for state in (table.state, swapped))
        assert before == after


def _with_other_tiles_hidden(state: State, of: int) -> State:
    """The same match with a hidden hand and the boneyard exchanged."""
    unseen = (*state.boneyard, *state.hands[of])
    size = len(state.hands[of])
    hands = list(state.hands)
    hands[of] = unseen[:size]
    return state._replace(hands=(hands[0], hands[1]), boneyard=unseen[size:])


def _context(state: State, viewer: Viewer) -> dict[str, Any]:
    position = play.Position(state, 40, state.clock.deadline)
    view = live.view_json("abc", position, viewer, state.at, EPOCH, [])
    return page_context(INFO, view, [], full=True)


@pytest.mark.parametrize("name", ["turn", "drawn and fits", "forced opening", "free opening"])
def test_each_tile_offers_its_legal_ends(name: str) -> None:
    table = situation(name)
    seat = table.state.to_act
    assert seat is not None
    wanted: dict[str, set[str]] = {}
    for answer in legal(table.state):
        wanted.setdefault(answer["tile"], set()).add(answer["arm"])
    context = table.full(seat)
    offered = {tile.tile: set(tile.arms) for tile in context["hand"] if tile.arms}
    assert offered == wanted
    buttons = {arm["arm"] for arm in context["arms"]}
    targets = [{target.what for target in drawing.targets} for drawing in context["drawings"]]
    for arms in offered.values():
        assert arms <= buttons
        assert all(arms <= shown for shown in targets)
    html = page(context)
    for tile in context["hand"]:
        button = re.search(rf'<button[^>]*data-tile="{tile.tile}"[^>]*>', html)
        assert button is not None
        assert ("aria-disabled" in button[0]) == (tile.tile not in wanted)


def test_the_other_player_gets_no_ends_to_click() -> None:
    table = situation("turn")
    assert table.state.to_act is not None
    context = table.full(1 - table.state.to_act)
    assert context["arms"] == []
    assert not any(drawing.targets for drawing in context["drawings"])


def test_the_hand_is_sorted() -> None:
    table = situation("turn")
    hand = [tile.key for tile in table.full(0)["hand"]]
    assert hand == sorted(hand, reverse=True)


def test_every_frame_shows_every_tile_where_it_lies() -> None:
    context = situation("turn").full(0)
    laid = sorted(tile["tile"].replace("-", "") for tile in context["view"]["table"])
    assert [drawing.frame for drawing in context["drawings"]] == ["tall", "low", "wide", "mid"]
    for drawing in context["drawings"]:
        drawn = [tile for sheet in drawing.sheets for tile in sheet.tiles]
        assert sorted(tile.key for tile in drawn) == laid
        assert sum(tile.last for tile in drawn) == 1
        places = {_place(sheet.turn, tile) for sheet in drawing.sheets for tile in sheet.tiles}
        assert len(places) == len(laid)
        assert (0.0, 0.0) in places


def _place(turn: int, tile: Any) -> tuple[float, float]:
    """Where a tile on a turned sheet lies on the table."""
    x, y = float(tile.x or 0), float(tile.y or 0)
    return {0: (x, y), 90: (-y, x), 180: (-x, -y), 270: (y, -x)}[turn]


def auction_context(seat: int, jockey: int, bid: dict[str, int] | None, **more: Any) -> Any:
    """The panel of an auction in which ``seat`` is to answer."""
    view = situation("first bid").full(0)["view"] | {
        "you": seat,
        "to_act": seat,
        "jockey": jockey,
        "bid": bid,
        "legal": [{"do": "accept" if bid else "decline"}],
        **more,
    }
    return page_context(INFO, view, [], full=True)["panel"]


def test_the_jockeys_bid_costs_fifteen_less_but_never_below_nothing() -> None:
    bids = [{"do": "accept"}, {"do": "bid", "min": 20, "max": 165}]
    bid = auction_context(0, 0, {"seat": 1, "points": 15}, legal=bids)["bid"]
    assert bid["label_now"] == "Raise to 20, pay 5"
    assert bid["discount"] == 15
    first = [{"do": "decline"}, {"do": "bid", "min": 15, "max": 150}]
    bid = auction_context(1, 0, None, legal=first)["bid"]
    assert bid["label_now"] == "Bid 15, pay 15"
    assert bid["discount"] == 0
    assert "15 if it is accepted" in auction_context(1, 1, {"seat": 0, "points": 15})["standing"]
    assert "pays 0" in auction_context(1, 0, {"seat": 0, "points": 15})["standing"]


def test_accepting_tells_what_is_really_received() -> None:
    assert auction_context(1, 0, {"seat": 0, "points": 20})["accept"] == "Accept: receive 5"
    assert auction_context(1, 1, {"seat": 0, "points": 20})["accept"] == "Accept: receive 20"


def test_a_bid_of_everything_warns() -> None:
    legal_ = [{"do": "decline"}, {"do": "bid", "min": 15, "max": 15}]
    bid = auction_context(1, 0, None, legal=legal_, chips=[285, 15])["bid"]
    assert "you lose the match at once" in bid["note_now"]


def test_accepting_all_that_somebody_has_wins() -> None:
    standing = {"seat": 0, "points": 20}
    note = auction_context(1, 1, standing, chips=[20, 280])["accept_note"]
    assert "you win the match at once" in note
    assert "opens with any tile" in auction_context(1, 1, standing)["accept_note"]


def test_no_answer_of_an_auction_has_the_focus() -> None:
    for name in ("first bid", "standing bid"):
        table = situation(name)
        assert "autofocus" not in page(table.full(table.state.to_act))


def test_the_counters_are_sixty_and_a_side_each() -> None:
    context = situation("turn").full(1)
    top, bottom = context["seats"]
    assert top.counters + bottom.counters == 60
    assert (bottom.name, bottom.side, bottom.points) == ("Bo", "me", context["view"]["chips"][1])


def test_a_living_clock_never_reads_nothing() -> None:
    view = situation("turn").full(0)["view"]
    seat = view["to_act"]
    clock = view["clock"] | {"left": 0, "delay_left": 0}
    context = page_context(INFO, view | {"clock": clock}, [], full=True)
    shown = {s.seat: s.clock for s in context["seats"]}
    assert shown[seat].bank == "0:01"
    assert shown[seat].low
    assert situation("time").full(0)["state"]["running"] == ""
    assert "0:00" in {s.clock.bank for s in situation("time").full(0)["seats"]}


def test_the_bank_of_a_running_clock_is_what_is_left_beyond_the_delay() -> None:
    view = situation("turn").full(0)["view"]
    seat = view["to_act"]
    bank = view["clock"]["bank"]
    clock = view["clock"] | {"left": bank[seat] + 4_000, "delay_left": 4_000}
    assert bank_now(view | {"clock": clock}, seat) == bank[seat]
    clock |= {"left": 3_000, "delay_left": 0}
    assert bank_now(view | {"clock": clock}, seat) == 3_000


def test_a_push_appends_to_the_log_and_a_full_view_replaces_it() -> None:
    table = situation("turn")
    assert 'hx-swap-oob="beforeend:#log"' in live_html(table.pushed(0))
    assert 'hx-swap-oob="innerHTML:#log"' in live_html(table.full(0))
    assert table.pushed(0)["state"]["from"] == table.base


def test_the_title_says_whose_turn_it_is() -> None:
    table = situation("turn")
    seat = table.state.to_act
    assert seat is not None
    assert table.full(seat)["state"]["title"] == "● Your turn"
    assert table.full(1 - seat)["state"]["title"] == "Ada – Bo"


def test_a_single_playable_tile_is_taken_up() -> None:
    table = situation("forced opening")
    assert table.full(table.state.to_act)["state"]["only"] == str(table.state.must_open)


def test_a_view_with_a_full_table_stays_small() -> None:
    table = find(lambda state: len(state.table.laid) >= 25 and state.phase is Phase.PLAY)
    assert table.state.to_act is not None
    assert len(live_html(table.pushed(table.state.to_act)).encode()) < 8_192


def test_twenty_one_tiles_in_a_hand_have_a_size_of_their_own() -> None:
    view = situation("turn").full(0)["view"]
    hand = [str(tile) for tile in ALL_TILES[:21]]
    context = page_context(INFO, view | {"hand": hand, "legal": []}, [], full=True)
    assert context["hand_size"] == "most"
    assert len(context["hand"]) == 21


def test_a_round_that_ends_shows_both_hands_and_their_sums() -> None:
    table = situation("blocked")
    panel = table.full(0)["panel"]
    sums = [sum(tile.pips for tile in hand) for hand in table.state.hands]
    assert [hand["sum"] for hand in panel["hands"]] == [sums[1], sums[0]]
    assert panel["can"]
    assert panel["due"]


def test_whoever_goes_on_sees_the_table_again() -> None:
    table = in_phase(Phase.ROUND_OVER, lambda state: state.ready[0])
    opened = {viewer: "<details open>" in page(table.full(viewer)) for viewer in VIEWERS}
    assert opened == {0: False, 1: True, None: True}


def test_names_are_escaped() -> None:
    view = situation("first bid").full(0)["view"]
    info = INFO | {"players": ["<b>%(x)s</b>", "100%"]}
    html = page(page_context(info, view, [], full=True))
    assert "<b>%(x)s</b>" not in html


def test_a_pong_a_refusal_and_presence_are_fragments() -> None:
    pong = render_to_string("games/_pong.html", {"pong": {"sent": 12, "now": 34}})
    assert 'data-sent="12"' in pong
    refused = {"code": "stale", "message": "Late <b>", "version": 3}
    told = render_to_string("games/_refused.html", {"refused": refused})
    assert "Late &lt;b&gt;" in told
    presence = {"presence": {"online": [True, False], "watching": 2}, "info": INFO, "you": 0}
    shown = render_to_string("games/_presence.html", presence)
    assert "away" in shown
    assert "2 watching" in shown


def test_tiles_of_the_set_have_a_symbol_each() -> None:
    html = page(situation("start").full(None))
    assert all(f'id="t{tile.high}{tile.low}"' in html for tile in ALL_TILES)


def test_what_is_said_after_a_block_tells_the_hands_and_the_balances() -> None:
    table = situation("blocked")
    state = table.full(0)["state"]
    sums = [sum(tile.pips for tile in hand) for hand in table.state.hands]
    assert state["more"].startswith("The round is over. ")
    assert str(max(sums)) in state["more"]
    transfer = table.state.transfer
    if transfer and transfer.points:
        assert state["more"].endswith(f"Bo {table.state.chips[1]}.")
    assert "passed, so the round is blocked" in state["why"]


def test_what_is_said_in_an_auction_is_for_whoever_answers() -> None:
    table = situation("standing bid")
    seat = table.state.to_act
    assert seat is not None
    assert table.full(seat)["state"]["more"].startswith("Accept and receive ")
    assert table.full(1 - seat)["state"]["more"] == ""


def test_a_line_of_the_log_names_what_was_laid_and_never_what_was_drawn() -> None:
    table = situation("drawn and fits")
    seat = table.state.to_act
    lines = table.full(seat)["lines"]
    assert {line.do for line in lines} >= {"deal", "play", "draw"}
    for line in lines:
        assert bool(line.tile) == bool(line.arm) == (line.do == "play")
    laid = [line.tile for line in lines if line.tile]
    assert laid == [str(one.tile).replace("-", "") for one in table.state.table.laid]


def test_the_delay_of_a_running_clock_is_a_share_of_ten_seconds() -> None:
    view = situation("turn").full(0)["view"]
    seat = view["to_act"]
    for delay, share in ((10_000, 100), (4_010, 41), (0, 0)):
        clock = view["clock"] | {"left": delay + 9_000, "delay_left": delay}
        seats = page_context(INFO, view | {"clock": clock}, [], full=True)["seats"]
        shown = {one.seat: one.clock for one in seats}
        assert (shown[seat].share, shown[seat].last) == (share, True)
        assert shown[1 - seat].share == 0


def test_every_key_has_a_row_and_every_tile_a_name() -> None:
    html = page(situation("turn").full(0))
    rows = re.findall(r'<li data-action="([a-z]+)">', html)
    assert sorted(rows) == sorted(ACTIONS)
    assert len(re.findall(r'<i data-tile="\d\d">', html)) == 28
