"""What staff do: end a match, annul a result, suspend a player, announce a restart."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts import services
from accounts.models import User
from games import lobby, lobby_words, play, restarts, store, timekeeping
from games.models import Challenge, Match, RestartNotice, StaffDecision
from games.play import Command
from games.rules.tiles import parse_tile
from ratings.models import Rating
from tests.staff import member

from .factory import NOW, begun, deal, make_match, make_user
from .sockets import opened

pytestmark = pytest.mark.django_db(transaction=True)

DEALT = deal("6-6 1-0 2-0 2-1 3-0 3-1 3-2", "6-5 6-4 6-3 6-2 6-1 6-0 5-5")
REASON = "Both players asked for it."


@pytest.fixture(autouse=True)
def now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timekeeping, "now_ms", lambda: NOW + 9000)


@pytest.fixture
def match(transactional_db: None) -> Match:
    return make_match([make_user("ada"), make_user("bo")], begun(DEALT))


def staff(*permissions: str) -> Client:
    return member(*permissions, name="staff")


def boss() -> Client:
    return staff("view_match", "void_match", "view_staffdecision")


def void_address(match: Match) -> str:
    return f"/admin/games/match/{match.pk}/void/"


def text(page: Any) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page.content.decode()).split())


# Ending a match


def test_a_running_match_is_ended_with_a_reason_that_is_kept(match: Match) -> None:
    client = boss()
    change = client.get(f"/admin/games/match/{match.pk}/change/")
    assert f'href="{void_address(match)}"' in change.content.decode()
    assert "cannot be undone" in text(client.get(void_address(match)))
    done = client.post(void_address(match), {"reason": REASON}, follow=True)
    assert "everybody at it has been told" in text(done)
    assert REASON in text(done)
    assert void_address(match) not in done.content.decode()
    decision = StaffDecision.objects.get()
    assert (decision.match, decision.kind, decision.reason) == (match, "void", REASON)
    assert decision.by.username == "staff"
    match.refresh_from_db()
    assert (match.reason, match.winner, match.due) == ("void", None, None)
    last = match.events.order_by("n").last()
    assert last is not None
    assert last.data == {"do": "void", "at": 9000, "reason": "staff"}
    entry = LogEntry.objects.get()
    assert (entry.object_id, entry.get_change_message()) == (match.pk, f"Voided: {REASON}")
    assert not match.seats.filter(live=True).exists()


@pytest.mark.parametrize("reason", [None, "", "   "])
def test_without_a_reason_nothing_happens(match: Match, reason: str | None) -> None:
    sent = {} if reason is None else {"reason": reason}
    page = boss().post(void_address(match), sent)
    assert page.status_code == 200
    assert "This field is required." in text(page)
    match.refresh_from_db()
    assert match.ended_at is None


def test_a_match_that_waits_for_start_can_be_ended_too(transactional_db: None) -> None:
    match = make_match([make_user("ada"), make_user("bo")])
    boss().post(void_address(match), {"reason": REASON})
    match.refresh_from_db()
    assert match.reason == "void"


def test_a_finished_match_keeps_its_result(match: Match) -> None:
    ada = match.seats.get(seat=0).user_id
    store.submit(match.pk, ada, Command("resign", None), NOW + 5000)
    client = boss()
    for sent in (client.get(void_address(match), follow=True), _post(client, match)):
        assert "This match is over and keeps its result." in text(sent)
        assert void_address(match) not in sent.content.decode()
    match.refresh_from_db()
    assert (match.winner, match.reason) == (1, "resignation")
    assert not StaffDecision.objects.exists()
    assert not LogEntry.objects.exists()


def test_a_match_that_ends_at_that_very_moment_keeps_its_result(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = match.seats.get(seat=0).user_id
    client, void = boss(), play.void_by_staff

    def meanwhile(position: play.Position, *rest: Any) -> play.Decision:
        monkeypatch.setattr(play, "void_by_staff", void)
        store.submit(match.pk, ada, Command("resign", None), NOW + 5000)
        return void(position, *rest)

    monkeypatch.setattr(play, "void_by_staff", meanwhile)
    assert "The match is over." in text(_post(client, match))
    match.refresh_from_db()
    assert match.reason == "resignation"
    assert not StaffDecision.objects.exists()


def _post(client: Client, match: Match) -> Any:
    return client.post(void_address(match), {"reason": REASON}, follow=True)


@pytest.mark.parametrize("permissions", [(), ("view_match",), ("void_match",), ("change_match",)])
def test_it_takes_the_permission(match: Match, permissions: tuple[str, ...]) -> None:
    client = staff(*permissions)
    assert client.get(void_address(match)).status_code == 403
    assert client.post(void_address(match), {"reason": REASON}).status_code == 403
    match.refresh_from_db()
    assert match.ended_at is None
    if "view_match" in permissions:
        page = client.get(f"/admin/games/match/{match.pk}/change/").content.decode()
        assert void_address(match) not in page


def test_players_and_strangers_do_not_get_there(match: Match) -> None:
    client = Client()
    assert client.post(void_address(match), {"reason": REASON}).status_code == 302
    client.force_login(User.objects.get(username="ada"))
    assert client.post(void_address(match), {"reason": REASON}).status_code == 302
    match.refresh_from_db()
    assert match.ended_at is None


def test_no_such_match() -> None:
    assert boss().post("/admin/games/match/nothing/void/", {"reason": REASON}).status_code == 404


async def test_the_pages_hear_of_it_at_once_and_not_of_the_reason(match: Match) -> None:
    ada = await User.objects.aget(username="ada")
    boss_id = await sync_to_async(lambda: make_user("staff"))()
    async with opened(match, ada) as hers, opened(match, rendering="") as watching:
        await hers.view(4)
        await sync_to_async(store.void)(match.pk, boss_id, REASON, NOW + 9000)
        view = await hers.view(5)
        assert view["result"] == {"winner": None, "reason": "void"}
        assert view["events"] == [{"do": "void", "at": 9000, "reason": "staff"}]
        told = ""
        while "staff of this site" not in told:
            told = await watching.text()
        assert REASON not in told


# Annulling a result


def annul_address(match: Match) -> str:
    return f"/admin/games/match/{match.pk}/annul/"


@pytest.fixture
def lost(match: Match) -> Match:
    """A rated match that ada has resigned."""
    store.submit(match.pk, match.seats.get(seat=0).user_id, Command("resign", None), NOW + 5000)
    match.refresh_from_db()
    return match


def values(match: Match) -> list[int]:
    ids = match.seats.order_by("seat").values_list("user_id", flat=True)
    return [Rating.objects.get(pk=pk).value for pk in ids]


def test_a_result_is_annulled_with_a_reason_that_is_kept(lost: Match) -> None:
    client = staff("view_match", "annul_match", "view_staffdecision")
    assert values(lost) == [1480, 1520]
    change = client.get(f"/admin/games/match/{lost.pk}/change/").content.decode()
    assert f'href="{annul_address(lost)}"' in change
    assert void_address(lost) not in change
    assert "cannot be undone" in text(client.get(annul_address(lost)))
    assert "This field is required." in text(client.post(annul_address(lost), {"reason": " "}))
    assert values(lost) == [1480, 1520]
    done = client.post(annul_address(lost), {"reason": REASON}, follow=True)
    assert "The result is annulled" in text(done)
    assert REASON in text(done)
    assert annul_address(lost) not in done.content.decode()
    assert values(lost) == [1500, 1500]
    decision = StaffDecision.objects.get()
    assert (decision.match, decision.kind, decision.reason) == (lost, "annul", REASON)
    lost.refresh_from_db()
    assert lost.annulled_at is not None
    assert (lost.winner, lost.reason) == (1, "resignation")  # the record stays
    entry = LogEntry.objects.get()
    assert (entry.object_id, entry.get_change_message()) == (lost.pk, f"Annulled: {REASON}")
    again = client.post(annul_address(lost), {"reason": REASON}, follow=True)
    assert "nothing to annul" in text(again)
    assert values(lost) == [1500, 1500]


def test_whoever_is_slower_annuls_nothing(lost: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    annul, other = store.annul, make_user("other")

    def meanwhile(*args: Any) -> None:
        annul(lost.pk, other, "First.", NOW + 9000)
        annul(*args)

    monkeypatch.setattr(store, "annul", meanwhile)
    client = staff("view_match", "annul_match")
    sent = client.post(annul_address(lost), {"reason": REASON}, follow=True)
    assert "has been annulled before" in text(sent)
    assert StaffDecision.objects.get().by == other
    assert not LogEntry.objects.exists()
    assert values(lost) == [1500, 1500]


def test_what_does_not_count_is_not_annulled(match: Match) -> None:
    client = staff("view_match", "annul_match", "void_match")
    sent = client.post(annul_address(match), {"reason": REASON}, follow=True)
    assert "nothing to annul" in text(sent)  # it is running
    client.post(void_address(match), {"reason": REASON})
    sent = client.post(annul_address(match), {"reason": REASON}, follow=True)
    assert "nothing to annul" in text(sent)
    assert [*StaffDecision.objects.values_list("kind", flat=True)] == ["void"]


@pytest.mark.parametrize(
    "permissions", [(), ("view_match",), ("annul_match",), ("view_match", "void_match")]
)
def test_annulling_takes_its_permission(lost: Match, permissions: tuple[str, ...]) -> None:
    client = staff(*permissions)
    assert client.get(annul_address(lost)).status_code == 403
    assert client.post(annul_address(lost), {"reason": REASON}).status_code == 403
    assert values(lost) == [1480, 1520]
    if "view_match" in permissions:
        page = client.get(f"/admin/games/match/{lost.pk}/change/").content.decode()
        assert annul_address(lost) not in page


# Suspending and blocking


def by_superuser() -> User:
    return User.objects.create_superuser("super", "super@example.org", "pass-word-9")


async def test_a_suspension_closes_the_sockets_and_the_match_goes_on(match: Match) -> None:
    ada = await User.objects.aget(username="ada")
    chief = await sync_to_async(by_superuser)()
    async with opened(match, ada) as hers:
        await hers.view(4)
        await sync_to_async(services.suspend)(ada, chief, REASON, None)
        assert await hers.closed() == 1012  # a page comes back after that one by itself
    async with opened(match, ada) as hers:
        await hers.view(4)
        lay = Command("play", 4, parse_tile("6-6"), "open")
        assert await sync_to_async(store.submit)(match.pk, ada.pk, lay, NOW + 5000)
        await hers.view(5)


async def test_the_end_of_an_account_closes_its_sockets(match: Match) -> None:
    ada = await User.objects.aget(username="ada")
    async with opened(match, ada) as hers:
        await hers.view(4)
        ada.is_active = False
        await ada.asave()
        assert await hers.closed() == 4401


def test_what_a_suspended_player_offers_is_closed_and_no_match_starts() -> None:
    ada, bo = make_user("ada"), make_user("bo")
    offers = [lobby.create(ada, rated=False), lobby.challenge(ada, "bo", rated=False, now=NOW)]
    services.suspend(ada, by_superuser(), REASON, None)
    for offer in offers:
        offer.refresh_from_db()
        assert offer.state != Challenge.State.OPEN
    theirs = lobby.create(bo, rated=False)
    for start in (
        lambda: lobby.create(ada, rated=False),
        lambda: lobby.accept(theirs.pk, ada, now=NOW),
    ):
        with pytest.raises(lobby.Refused) as refused:
            start()
        assert refused.value.code == "suspended"


def test_what_is_offered_ends_with_the_account() -> None:
    ada, bo = make_user("ada"), make_user("bo")
    link, seek = lobby.create(ada, rated=False), lobby.seek(ada, rated=True, window=None, now=NOW)
    sent = lobby.challenge(ada, "bo", rated=False, now=NOW)
    received = lobby.challenge(bo, "ada", rated=True, now=NOW)
    ada.is_active = False
    ada.save()
    offers = Challenge.objects.filter(pk__in=[link.pk, seek.pk, sent.pk, received.pk])
    assert {offer.state for offer in offers} == {Challenge.State.WITHDRAWN}


@pytest.mark.parametrize("turned", [False, True])
def test_a_block_closes_what_the_two_offer_each_other(turned: bool) -> None:
    ada, bo, cy = make_user("ada"), make_user("bo"), make_user("cy")
    offer = lobby.challenge(ada, "bo", rated=False, now=NOW)
    other = lobby.challenge(ada, cy.username, rated=False, now=NOW)
    services.block(*((bo, ada) if turned else (ada, bo)))
    offer.refresh_from_db()
    other.refresh_from_db()
    assert offer.state != Challenge.State.OPEN
    assert other.state == Challenge.State.OPEN


# Announcing a restart


def announce(**fields: Any) -> RestartNotice:
    return RestartNotice.objects.create(**fields)


def test_a_restart_is_announced_in_the_admin_and_told_on_every_page() -> None:
    client = staff("add_restartnotice", "change_restartnotice", "view_restartnotice")
    assert "restarts soon" not in text(client.get("/rules/"))
    at = timezone.now() - timedelta(seconds=1)
    sent = {
        "active": "on",
        "begins_0": f"{at:%Y-%m-%d}",
        "begins_1": f"{at:%H:%M:%S}",
        "text": "Back at 21:00.",
    }
    assert client.post("/admin/games/restartnotice/add/", sent).status_code == 302
    for address in ("/", "/rules/", "/status/", "/accounts/login/", "/nowhere/"):
        told = text(Client().get(address))
        assert "This site restarts soon." in told
        assert "Back at 21:00." in told
    notice = RestartNotice.objects.get()
    del sent["active"]
    client.post(f"/admin/games/restartnotice/{notice.pk}/change/", sent)
    assert "restarts soon" not in text(client.get("/rules/"))


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({}, True),
        ({"active": False}, False),
        ({"begins": timezone.now() - timedelta(days=1)}, True),
        ({"begins": timezone.now() + timedelta(hours=1)}, False),
    ],
)
def test_when_it_is_told_no_match_is_offered_or_accepted(
    fields: dict[str, Any], told: bool
) -> None:
    ada, bo = make_user("ada"), make_user("bo")
    offer = lobby.create(ada, rated=False, now=NOW)
    announce(**fields)
    if not told:
        lobby.create(ada, rated=False)
        lobby.accept(offer.pk, bo, now=NOW)
        return
    for refused_one in (
        lambda: lobby.create(bo, rated=True),
        lambda: lobby.accept(offer.pk, bo, now=NOW),
    ):
        with pytest.raises(lobby.Refused) as refused:
            refused_one()
        assert refused.value.code == "restart_announced"
    assert "Running matches go on." in lobby_words.sentence(refused.value)
    offer.refresh_from_db()
    assert offer.state == Challenge.State.OPEN
    assert not Match.objects.exists()
    lobby.withdraw(offer.pk, ada)


def test_the_pages_of_the_lobby_say_so() -> None:
    ada, bo = make_user("ada"), make_user("bo")
    offer = lobby.create(ada, rated=False)
    announce()
    hers, his = Client(), Client()
    hers.force_login(ada)
    his.force_login(bo)
    sent = hers.post("/new/", {"kind": "casual"})
    assert sent.status_code == 409
    assert "no new match starts now" in text(sent)
    assert "no new match starts now" in text(his.get(offer.get_absolute_url()))
    assert his.post(f"/challenges/{offer.pk}/accept/").status_code == 409


def test_running_matches_go_on(match: Match) -> None:
    announce()
    ada = match.seats.get(seat=0).user_id
    lay = Command("play", 4, parse_tile("6-6"), "open")
    assert store.submit(match.pk, ada, lay, NOW + 5000)


def test_the_pages_of_the_next_seconds_ask_no_more(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(1):
        client.get("/rules/")
        client.get("/rules/")
    announce()  # what is saved here is told here at once
    with django_assert_num_queries(1):
        assert "restarts soon" in text(client.get("/rules/"))


def test_a_database_that_is_away_costs_only_the_banner(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.db import OperationalError

    def away() -> None:
        raise OperationalError

    monkeypatch.setattr(restarts, "announced", away)
    assert client.get("/rules/").status_code == 200
