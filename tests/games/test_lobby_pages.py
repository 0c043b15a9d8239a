"""The lobby's page and its forms, and what comes after a match, without and with scripts."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import Block, Suspension, User
from games import lobby, presence, store, watch
from games.models import Challenge, Match
from games.rules import events
from games.timekeeping import now_ms
from ratings.models import Rating
from tests.games.factory import begun, deal, make_match, make_user
from tests.games.test_pages import audit, browser, text

pytestmark = pytest.mark.django_db

DEAL = deal("6-6 5-5 4-4 3-3 2-2 1-1 0-0", "6-5 5-4 4-3 3-2 2-1 1-0 6-0")
BY_SCRIPT = {"HX-Request": "true"}


@pytest.fixture(autouse=True)
def both_there(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each seat of a finished match has its page open; a test may change it."""
    there = [True, True]
    monkeypatch.setattr(presence, "seats_online", lambda redis, match, now: tuple(there))
    return there


def seek(user: User, *, rated: bool = True, window: int | None = None) -> Challenge:
    return lobby.seek(user, rated=rated, window=window, now=now_ms())


def send(
    user: User | None,
    address: str,
    data: dict[str, Any] | None = None,
    headers: dict[str, str] | None = None,
) -> Any:
    return browser(user).post(address, data or {}, headers=headers)


def finished(ada: User, bo: User, *, rated: bool = True) -> Match:
    told = [*begun(DEAL), events.Resign(seat=1, at=2000)]
    return make_match([ada, bo], told, now=now_ms() - 60_000)


# The page


def test_the_lobby_shows_what_there_is(ada: User, bo: User) -> None:
    cy = make_user("Cy")
    mine, theirs = seek(ada, rated=False), seek(bo, window=200)
    challenge = lobby.challenge(cy, "ada", rated=True, now=now_ms())
    sent = lobby.challenge(ada, "bo", rated=False, now=now_ms())
    page = browser(ada).get("/")
    body = page.content.decode()
    assert audit(body) == []
    assert "Your seek Casual any rating" in text(page)
    assert "Bo 1500? Rated 1300–1700" in text(page)
    for offer, way in [(theirs, "accept"), (challenge, "accept"), (challenge, "decline")]:
        assert f'action="{reverse(f"challenge_{way}", args=[offer.pk])}"' in body
    for offer in (mine, sent):
        assert f'action="{reverse("challenge_withdraw", args=[offer.pk])}"' in body
    for form in ("play_now", "seek", "challenge_by_name", "new_match"):
        assert f'action="{reverse(form)}"' in body
    assert body.count("csrfmiddlewaretoken") >= 9, "a form works without scripts"


def test_the_number_of_queries_does_not_grow(
    ada: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client = browser(ada)
    seek(make_user("Bo"))
    client.get("/")
    watch.forget()
    with django_assert_max_num_queries(30) as few:
        client.get("/")
    names = [f"player{n}" for n in range(20)]
    users = User.objects.bulk_create(User(username=n, email=f"{n}@example.org") for n in names)
    for user in users:
        seek(user)
    watch.forget()
    with django_assert_max_num_queries(len(few)):
        page = client.get("/")
    assert text(page).count("player") >= 20


def test_waiting_without_scripts_looks_again_and_goes_on(ada: User, bo: User) -> None:
    client = browser(ada)
    assert 'http-equiv="refresh"' not in client.get("/").content.decode()
    offer = seek(ada)
    Challenge.objects.update(expires_at=timezone.now() + timedelta(seconds=5))
    assert 'http-equiv="refresh"' in client.get("/").content.decode()
    offer.refresh_from_db()
    assert offer.expires_at is not None
    assert offer.expires_at.timestamp() * 1000 > now_ms() + 10_000


def test_a_suspended_player_is_told_and_offered_nothing(ada: User, bo: User) -> None:
    seek(bo)
    Suspension.objects.create(user=ada, by=bo, reason="stalling")
    page = browser(ada).get("/")
    assert "You are suspended" in text(page)
    assert reverse("play_now") not in page.content.decode()
    assert "accept-" not in page.content.decode()


@pytest.mark.parametrize("blocks", ["ada", "bo"])
def test_seeks_of_blocked_players_are_not_on_the_page(ada: User, bo: User, blocks: str) -> None:
    who, whom = (ada, bo) if blocks == "ada" else (bo, ada)
    Block.objects.create(user=who, blocked=whom)
    offer = seek(bo)
    page = browser(ada).get("/").content.decode()
    assert offer.pk not in page
    assert ">Bo<" not in page


def test_every_other_page_tells_of_a_challenge(ada: User, bo: User) -> None:
    client = browser(ada)
    lobby.challenge(bo, "Ada", rated=True, now=now_ms())
    assert "Bo challenges you to a rated match." in text(client.get("/rules/"))
    assert "Bo challenges you to a rated match." not in text(client.get("/"))
    assert "challenges you" not in text(browser(bo).get("/rules/"))
    lobby.decline(Challenge.objects.get().pk, ada)
    assert "challenges you" not in text(client.get("/rules/"))


# Offering


def test_play_now_waits_and_then_pairs(ada: User, bo: User) -> None:
    sent = send(ada, reverse("play_now"), {"kind": "rated"})
    assert sent["Location"] == "/"
    assert "Looking for an opponent, rated" in text(browser(ada).get("/"))
    assert "at most 100 points from your 1500" in text(browser(ada).get("/"))
    sent = send(bo, reverse("play_now"), {"kind": "rated"})
    assert sent["Location"] == Match.objects.get().get_absolute_url()


def test_play_now_by_script_answers_with_words_and_regions(ada: User, bo: User) -> None:
    sent = send(ada, reverse("play_now"), {"kind": "casual"}, headers=BY_SCRIPT)
    body = sent.content.decode()
    assert sent.status_code == 200
    assert "You wait for an opponent." in body
    assert '<div id="lobby-quick">' in body
    assert "<html" not in body
    sent = send(bo, reverse("play_now"), {"kind": "casual"}, headers=BY_SCRIPT)
    assert sent["HX-Redirect"] == Match.objects.get().get_absolute_url()


def test_a_seek(ada: User) -> None:
    Rating.objects.create(user=ada, value=1620)
    sent = send(ada, reverse("seek"), {"kind": "casual", "window": "200"})
    assert sent["Location"] == "/"
    offer = Challenge.objects.get()
    assert (offer.kind, offer.rated, offer.least, offer.most) == ("seek", False, 1420, 1820)
    send(ada, reverse("seek"), {"kind": "rated", "window": ""})
    offer = Challenge.objects.get(state="open")
    assert (offer.rated, offer.least, offer.most) == (True, None, None)


@pytest.mark.parametrize("data", [{}, {"kind": "blitz"}, {"kind": "rated", "window": "77"}])
def test_a_seek_that_cannot_be_read(ada: User, data: dict[str, str]) -> None:
    for headers in ({}, BY_SCRIPT):
        sent = send(ada, reverse("seek"), data, headers=headers)
        assert sent.status_code == 422
        assert "Choose" in sent.content.decode()
        assert 'role="alert"' in sent.content.decode()
    assert not Challenge.objects.exists()


@pytest.mark.parametrize("address", ["/challenges/", "/players/bo/challenge/"])
def test_a_challenge_to_a_player(ada: User, bo: User, address: str) -> None:
    sent = send(ada, address, {"name": "bO", "kind": "rated"})
    assert sent["Location"] == "/"
    offer = Challenge.objects.get()
    assert (offer.kind, offer.to, offer.rated) == ("direct", bo, True)
    again = send(ada, address, {"name": "Bo", "kind": "rated"})
    assert again.status_code == 409
    assert "already challenged Bo" in text(again)


def test_challenges_that_are_refused_say_why_at_the_form(ada: User, bo: User) -> None:
    cy = make_user("Cy")
    Block.objects.create(user=bo, blocked=ada)
    match = make_match([cy, make_user("Di")])
    for name, why in [
        ("nobody", "There is no player called “nobody”."),
        ("ADA", "That is you"),
        ("bo", "do not play each other"),
        ("Cy", "running match against Di"),
    ]:
        page = send(ada, "/challenges/", {"name": name, "kind": "casual"})
        assert page.status_code == 409
        slot = page.content.decode().partition('id="said-challenge"')[2].partition("</div>")[0]
        assert why in slot
        assert f'value="{name}"' in page.content.decode(), "what was typed is kept"
        script = send(ada, "/challenges/", {"name": name, "kind": "casual"}, headers=BY_SCRIPT)
        assert (script.status_code, why in script.content.decode()) == (409, True)
    assert match.get_absolute_url() in slot
    assert send(ada, "/challenges/", {"kind": "casual"}).status_code == 422
    assert not Challenge.objects.exists()


def test_who_plays_or_is_suspended_offers_nothing(ada: User, bo: User) -> None:
    cy = make_user("Cy")
    make_match([ada, cy])
    Suspension.objects.create(user=bo, by=cy, reason="stalling")
    for who, why in [(ada, "You are in a running match against Cy"), (bo, "You are suspended")]:
        for address in ("/play-now/", "/seeks/", "/challenges/"):
            for headers in ({}, BY_SCRIPT):
                sent = send(who, address, {"kind": "rated", "name": "Cy"}, headers=headers)
                assert sent.status_code == 409
                assert why in text(sent)
    assert not Challenge.objects.exists()


# Answering


@pytest.mark.parametrize("headers", [{}, BY_SCRIPT])
def test_accepting_a_seek_goes_to_the_match(ada: User, bo: User, headers: dict[str, str]) -> None:
    offer = seek(ada)
    sent = send(bo, f"/challenges/{offer.pk}/accept/", {"lobby": "1"}, headers=headers)
    there = Match.objects.get().get_absolute_url()
    assert sent["HX-Redirect" if headers else "Location"] == there


def test_a_seek_that_is_gone_is_said_in_the_lobby(ada: User, bo: User) -> None:
    offer = seek(ada)
    lobby.withdraw(offer.pk, ada)
    for headers in ({}, BY_SCRIPT):
        sent = send(bo, f"/challenges/{offer.pk}/accept/", {"lobby": "1"}, headers=headers)
        assert sent.status_code == 409
        assert "This offer was withdrawn." in text(sent)
        assert "lobby-seeks" in sent.content.decode()


def test_a_seek_for_other_ratings_is_refused(ada: User, bo: User) -> None:
    Rating.objects.create(user=bo, value=1900)
    offer = seek(ada, window=100)
    sent = send(bo, f"/challenges/{offer.pk}/accept/", {"lobby": "1"})
    assert sent.status_code == 409
    assert "from 1400 to 1600" in text(sent)


def test_withdrawing_and_declining(ada: User, bo: User) -> None:
    offer = lobby.challenge(ada, "Bo", rated=True, now=now_ms())
    sent = send(bo, f"/challenges/{offer.pk}/decline/", headers=BY_SCRIPT)
    assert "You have declined." in sent.content.decode()
    assert offer.pk not in sent.content.decode()
    offer.refresh_from_db()
    assert offer.state == "declined"
    waiting = lobby.play_now(ada, rated=True, now=now_ms())
    sent = send(ada, f"/challenges/{waiting.pk}/withdraw/", headers=BY_SCRIPT)
    assert "You no longer wait." in sent.content.decode()
    assert "Play rated" in sent.content.decode()


def test_only_those_concerned_answer(ada: User, bo: User) -> None:
    cy = make_user("Cy")
    offer = lobby.challenge(ada, "Bo", rated=True, now=now_ms())
    for way in ("accept", "decline", "withdraw"):
        assert send(cy, f"/challenges/{offer.pk}/{way}/").status_code == 409
    assert send(ada, "/challenges/nothere/decline/").status_code == 404
    offer.refresh_from_db()
    assert offer.state == "open"


def test_the_creator_of_a_seek_finds_it_in_the_lobby(ada: User, bo: User) -> None:
    offer = seek(ada)
    assert browser(ada).get(f"/challenges/{offer.pk}/")["Location"] == "/"
    assert browser(bo).get(f"/challenges/{offer.pk}/").status_code == 200


FORMS = [
    "/play-now/",
    "/seeks/",
    "/challenges/",
    "/players/Bo/challenge/",
    "/challenges/x/decline/",
    "/matches/x/rematch/",
]


@pytest.mark.parametrize("address", FORMS)
def test_a_form_is_posted(ada: User, address: str) -> None:
    assert browser(ada).get(address).status_code == 405


@pytest.mark.parametrize("address", FORMS)
def test_a_form_asks_to_sign_in_first(ada: User, bo: User, address: str) -> None:
    match, offer = finished(ada, bo), seek(ada)
    address = address.replace("matches/x", f"matches/{match.pk}").replace("/x/", f"/{offer.pk}/")
    assert send(None, address)["Location"].startswith("/accounts/login/?next=/")
    assert send(None, address, headers=BY_SCRIPT)["HX-Redirect"].startswith(
        "/accounts/login/?next=/"
    )
    assert Challenge.objects.count() == 1


# After a match


def what_follows(user: User | None, match: Match, query: str = "") -> Any:
    return browser(user).get(f"/matches/{match.pk}/after/{query}", headers=BY_SCRIPT)


def again(user: User, match: Match, do: str, headers: dict[str, str] = BY_SCRIPT) -> Any:
    return send(user, f"/matches/{match.pk}/rematch/", {"do": do}, headers)


def test_everybody_sees_how_the_ratings_changed(ada: User, bo: User) -> None:
    match = finished(ada, bo)
    for user in (ada, bo, make_user("Cy"), None):
        assert "Ada 1520 +20 Bo 1480 −20" in text(what_follows(user, match))
    page = browser(ada).get(f"/matches/{match.pk}/after/")
    assert audit(page.content.decode()) == []


def test_nothing_comes_after_a_running_match(ada: User, bo: User) -> None:
    match = make_match([ada, bo], begun(DEAL), now=now_ms())
    assert what_follows(ada, match).status_code == 204
    assert what_follows(ada, Match(pk="nothere")).status_code == 404
    assert again(ada, match, "offer").status_code == 409


def test_the_page_of_a_finished_match_asks_for_what_follows(ada: User, bo: User) -> None:
    match = finished(ada, bo)
    body = browser(ada).get(match.get_absolute_url()).content.decode()
    assert f'hx-get="/matches/{match.pk}/after/"' in body
    running = make_match([ada, bo], begun(DEAL), now=now_ms())
    assert "/after/" not in browser(ada).get(running.get_absolute_url()).content.decode()


def test_an_annulled_match_says_so(ada: User, bo: User) -> None:
    match = finished(ada, bo)
    store.annul(match.pk, ada, "collusion", now_ms())
    for user in (ada, None):
        page = text(what_follows(user, match))
        assert "Staff decided that this result does not count." in page
        assert "collusion" not in page


def test_a_rematch_is_offered_accepted_and_leads_both_there(ada: User, bo: User) -> None:
    match = finished(ada, bo)
    assert "Bo has not answered yet" in text(again(ada, match, "offer"))
    assert "Ada wants a rematch." in text(what_follows(bo, match))
    sent = again(bo, match, "accept")
    new = Match.objects.exclude(pk=match.pk).get()
    assert sent["HX-Redirect"] == new.get_absolute_url()
    assert what_follows(ada, match, "?news")["HX-Redirect"] == new.get_absolute_url()
    shown = what_follows(ada, match)  # somebody who looks at the old match stays there
    assert f'href="{new.get_absolute_url()}"' in shown.content.decode()
    assert "HX-Redirect" not in what_follows(None, match, "?news")


def test_a_rematch_without_scripts(ada: User, bo: User) -> None:
    match = finished(ada, bo)
    there: dict[str, str] = {}
    assert again(ada, match, "offer", headers=there)["Location"] == match.get_absolute_url()
    assert again(bo, match, "offer", headers=there)["Location"] == (
        Match.objects.exclude(pk=match.pk).get().get_absolute_url()
    )


def test_a_rematch_is_declined_or_withdrawn(ada: User, bo: User) -> None:
    match = finished(ada, bo)
    again(ada, match, "offer")
    assert "Offer a rematch" in text(again(ada, match, "withdraw"))
    again(ada, match, "offer")
    again(bo, match, "decline")
    assert "Bo wants no rematch." in text(what_follows(ada, match))
    assert not Challenge.objects.filter(state="open").exists()


def test_no_rematch_with_somebody_who_has_left(ada: User, bo: User, both_there: list[bool]) -> None:
    match = finished(ada, bo)
    both_there[1] = False
    assert "Bo has left: no rematch." in text(what_follows(ada, match))
    assert again(ada, match, "offer").status_code == 409
    assert not Challenge.objects.exists()


def test_spectators_have_no_rematch(ada: User, bo: User) -> None:
    match, cy = finished(ada, bo), make_user("Cy")
    for user in (cy, None):
        assert "rematch" not in what_follows(user, match).content.decode()
    refused = again(cy, match, "offer")
    assert refused.status_code == 409
    assert not Challenge.objects.exists()


def test_a_rematch_that_is_refused_says_why(ada: User, bo: User) -> None:
    match = finished(ada, bo)
    make_match([bo, make_user("Cy")], now=now_ms())
    refused = again(ada, match, "offer")
    assert refused.status_code == 409
    assert "Bo is in a running match against Cy" in text(refused)
    assert 'role="alert"' in refused.content.decode()


def test_a_client_that_says_nothing_changes_nothing(ada: User, bo: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(ada)
    for address in ("/play-now/", "/seeks/", "/challenges/"):
        assert client.post(address, {"kind": "rated"}, headers=BY_SCRIPT).status_code == 403
    token = re.search(r'"X-CSRFToken": "(\w+)"', client.get("/").content.decode())
    assert token
    headers = {**BY_SCRIPT, "X-CSRFToken": token[1]}
    assert client.post("/seeks/", {"kind": "rated"}, headers=headers).status_code == 200
