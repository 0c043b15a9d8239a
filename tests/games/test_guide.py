"""The guided first round: by the real rules, after a script, with clocks that stand."""

from __future__ import annotations

import pytest
from asgiref.sync import sync_to_async
from django.test import Client
from django.urls import reverse

from games import browsers, checks, guide, live, play, store, timekeeping
from games.models import Event, Match
from games.play import Command, Refused
from games.present import page_context
from games.rules.match import Phase
from games.rules.tiles import parse_tile
from tests.games.factory import NOW, make_user
from tests.games.sockets import opened

BROWSER = "b" * 64
SLOWLY = 60_000  # ms that a reader takes for each answer

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    return store.create_guided_match("Guest", owner=None, browser=BROWSER, now=NOW)


def answer(match: Match, now: int) -> bool:
    """Give the reader's next answer as the card says, or let Nina give hers; False at the end."""
    match.refresh_from_db()
    turn = guide.turn_at(match.version)
    if turn is None or match.ended_at:
        return False
    if turn.seat == guide.NINA:
        store.sweep(now)
    else:
        assert store.submit(match.pk, None, turn.command(match.version), now, browser=BROWSER)
    return True


def play_to(match: Match, hint: str) -> int:
    """Play until the reader is told ``hint``; gives the time then."""
    now = NOW
    while (turn := guide.turn_at(store.load(match.pk).match.version)) and turn.hint != hint:
        now += SLOWLY
        assert answer(match, now)
    return now


def test_the_reader_scores_draws_goes_out_and_bids(match: Match) -> None:
    now = NOW
    while answer(match, now):
        now += SLOWLY
    match.refresh_from_db()
    assert (match.winner, match.reason) == (guide.READER, "resignation")
    told = [row.data for row in Event.objects.filter(match=match).order_by("n")]
    mine = [event["do"] for event in told if event.get("seat") == guide.READER]
    assert {"ready", "play", "draw", "bid"} <= set(mine)
    state = store.replayed(match)
    assert state.jockey == guide.READER
    assert state.chips == (195, 105)
    assert state.clock.bank == (120_000, 120_000)
    assert list(checks.differences(match)) == []


def test_what_the_card_says_is_what_happens(match: Match) -> None:
    """The sums in the words of the lesson are those of the rules."""
    paid = []
    now = NOW
    before = 150
    while answer(match, now):
        now += SLOWLY
        state = store.load(match.pk).position.state
        if state.chips[guide.READER] != before:
            paid.append(
                (state.table.laid[-1][0] if state.table.laid else None, state.chips[0] - before)
            )
            before = state.chips[guide.READER]
    assert [(str(tile) if tile else "", points) for tile, points in paid] == [
        ("5-5", 10),
        ("3-0", -5),
        ("5-1", 5),
        ("6-1", 10),
        ("4-0", 10),
        ("1-0", 10),
        ("", -5),
        ("6-4", 10),
    ]


def test_another_answer_is_refused_and_changes_nothing(match: Match) -> None:
    now = play_to(match, "join")
    version = store.load(match.pk).match.version
    for command, code in (
        (Command("play", version, parse_tile("5-0"), "right"), "does_not_fit"),
        (Command("play", version, parse_tile("6-4"), "left"), "does_not_fit"),
        (Command("draw", version), "must_lay"),
        (Command("play", version - 1, parse_tile("5-0"), "left"), "stale"),
    ):
        with pytest.raises(Refused) as refused:
            store.submit(match.pk, None, command, now, browser=BROWSER)
        assert refused.value.code == code
    now = play_to(match, "raise")
    version = store.load(match.pk).match.version
    for command in (Command("accept", version), Command("bid", version, points=25)):
        with pytest.raises(Refused) as refused:
            store.submit(match.pk, None, command, now, browser=BROWSER)
        assert refused.value.code == "guided"
    assert store.load(match.pk).match.version == version


def test_only_its_own_browser_plays_it(match: Match) -> None:
    ready = Command("ready", match.version)
    for user_id, browser in ((None, ""), (None, "c" * 64), (make_user("ada").pk, "")):
        with pytest.raises(Refused) as refused:
            store.submit(match.pk, user_id, ready, NOW, browser=browser)
        assert refused.value.code == "not_a_player"
    play_to(match, "open")
    mine = live.page(match.pk, None, browser=BROWSER).view
    other = live.page(match.pk, None, browser="c" * 64).view
    assert (mine["you"], len(mine["hand"])) == (0, 7)
    assert (other["you"], other["hand"]) == (None, None)


def test_whoever_watches_is_shown_no_card(match: Match) -> None:
    """It tells what the reader holds."""
    play_to(match, "open")
    page = live.page(match.pk, None, browser="c" * 64)
    assert page_context(page.info, page.view, page.log, full=True)["card"] is None
    assert 'data-tile="5-5"' not in Client().get(match.get_absolute_url()).text


def test_no_clock_runs_and_nobody_loses_on_time(match: Match) -> None:
    now = play_to(match, "draw")
    view = live.page(match.pk, None, now + 3_600_000, browser=BROWSER).view
    assert view["clock"]["running"] is None
    assert view["clock"]["bank"] == [120_000, 120_000]
    store.sweep(now + 3_600_000)
    assert store.load(match.pk).position.state.phase is Phase.PLAY


def test_untouched_for_a_day_it_is_void(match: Match) -> None:
    now = play_to(match, "double")
    store.sweep(now + play.ABANDONED_AFTER - 1)
    assert store.load(match.pk).match.ended_at is None
    store.sweep(now + play.ABANDONED_AFTER)
    match.refresh_from_db()
    assert (match.winner, match.reason) == (None, "void")
    assert Event.objects.filter(match=match).last().data["reason"] == "abandoned"  # type: ignore[union-attr]


def test_nina_waits_a_moment(match: Match) -> None:
    now = play_to(match, "open")
    turn = guide.turn_at(store.load(match.pk).match.version)
    assert turn is not None
    store.submit(
        match.pk, None, turn.command(store.load(match.pk).match.version), now, browser=BROWSER
    )
    version = store.load(match.pk).match.version
    store.sweep(now + guide.PAUSE - 1)
    assert store.load(match.pk).match.version == version
    store.sweep(now + guide.PAUSE)
    assert store.load(match.pk).match.version == version + 1


@pytest.mark.django_db(transaction=True)
async def test_nina_answers_a_page_that_asks_though_nothing_sweeps(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [NOW]
    monkeypatch.setattr(timekeeping, "now_ms", lambda: clock[0])
    sent = await sync_to_async(client.post)(reverse("learn"))
    match = await Match.objects.aget(pk=sent["Location"].split("/")[2])
    async with opened(match, client=client) as socket:
        await socket.view(1)
        await socket.say("ready", version=1)
        await socket.view(4)
        await socket.say("play", tile="5-5", arm="open", version=4)
        await socket.view(5)
        clock[0] += guide.PAUSE
        await socket.say("ping", sent=1, seen=5)
        (answer,) = (await socket.view(6))["events"]
    assert (answer["seat"], answer["do"], answer["tile"]) == (guide.NINA, "play", "5-2")


@pytest.mark.parametrize("hint", guide.HINTS)
def test_every_card_says_what_to_do(match: Match, hint: str) -> None:
    play_to(match, hint)
    page = live.page(match.pk, None, browser=BROWSER)
    card = page_context(page.info, page.view, page.log, full=True)["card"]
    turn = guide.turn_at(page.view["version"])
    assert turn is not None
    assert (card.do, card.tile, card.arm) == (turn.do, turn.tile, turn.arm)
    assert card.step == guide.HINTS.index(hint)
    assert len(card.text) > 40


def test_it_starts_from_its_page_for_whoever_asks(client: Client) -> None:
    page = client.post(reverse("learn"), follow=True)
    match = Match.objects.get()
    assert match.kind == Match.Kind.GUIDED
    assert match.is_owned_by(None, browsers.known(client.session))
    assert 'class="lesson"' in page.content.decode()
    user = make_user("ada")
    client.force_login(user)
    client.post(reverse("learn"))
    newest = Match.objects.filter(owner=user).latest("created_at")  # the first came along
    assert [seat.name for seat in newest.seats.order_by("seat")] == ["ada", "Nina"]
