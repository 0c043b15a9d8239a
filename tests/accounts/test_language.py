"""Which language somebody is answered in, and how that is chosen and remembered."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.core import mail
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.preferences import preferences_of
from spectacular import language

COOKIE = settings.LANGUAGE_COOKIE_NAME
PASSWORD = "a long password"
pytestmark = pytest.mark.django_db


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("Ada", "ada@example.com", PASSWORD)


def shown(client: Client, path: str = "/rules/", accepts: str = "") -> str:
    """The language of a page, as the page and the answer both name it."""
    response = client.get(path, headers={"Accept-Language": accepts} if accepts else {})
    told = response.headers["Content-Language"]
    assert f'<html lang="{told}"' in response.content.decode()
    return told


def choose(client: Client, code: str, **sent: str) -> Any:
    return client.post("/language/", {"language": code, **sent})


def sign_in(client: Client) -> Any:
    return client.post("/accounts/login/", {"login": "Ada", "password": PASSWORD})


@pytest.mark.parametrize(
    ("accepts", "code"),
    [
        ("", "en"),
        ("it", "it"),
        ("es-MX,es;q=0.9,en;q=0.8", "es"),
        ("de,id;q=0.7,en;q=0.3", "id"),
        ("de,fr", "en"),
        ("*", "en"),
        (";;q=,", "en"),
    ],
)
def test_at_first_the_browser_decides(client: Client, accepts: str, code: str) -> None:
    assert shown(client, accepts=accepts) == code


def test_a_choice_is_remembered_and_wins_over_the_browser(client: Client) -> None:
    response = choose(client, "it", next="/rules/?x=1")
    assert (response.status_code, response.headers["Location"]) == (302, "/rules/?x=1")
    cookie = response.cookies[COOKIE]
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/")
    assert int(cookie["max-age"]) > 300 * 24 * 3600
    assert shown(client, accepts="es") == "it"


@pytest.mark.parametrize("code", ["", "tlh", "de", "en\0", "EN"])
def test_a_language_there_is_not_changes_nothing(client: Client, code: str) -> None:
    choose(client, "it")
    response = choose(client, code)
    assert (response.status_code, COOKIE in response.cookies) == (302, False)
    assert shown(client) == "it"


@pytest.mark.parametrize("code", ["tlh", "\0", "it;x", "x" * 900])
def test_a_cookie_with_nonsense_is_as_none(client: Client, code: str) -> None:
    client.cookies[COOKIE] = code
    assert shown(client, accepts="es") == "es"


@pytest.mark.parametrize("away", ["https://elsewhere.example/", "//elsewhere.example", "rules", ""])
def test_a_choice_leads_to_no_other_site(client: Client, away: str) -> None:
    assert choose(client, "it", next=away).headers["Location"] == "/"


def test_only_a_form_of_this_site_chooses(ada: User) -> None:
    client = Client(enforce_csrf_checks=True)
    assert choose(client, "it").status_code == 403
    assert shown(client) == "en"


def test_the_choice_of_an_account_comes_along_to_another_device(ada: User) -> None:
    here, there = Client(), Client()
    sign_in(here)
    choose(here, "it")
    assert shown(there, accepts="es") == "es"
    choose(there, "id")
    assert sign_in(there).cookies[COOKIE].value == "it"
    assert shown(there, accepts="es") == "it"
    there.post("/accounts/logout/")
    assert shown(there, accepts="es") == "it"


def test_who_never_chose_keeps_what_the_browser_has(ada: User) -> None:
    client = Client()
    assert COOKIE not in sign_in(client).cookies
    assert shown(client, accepts="es") == "es"


def test_what_was_chosen_before_signing_up_goes_with_the_account(client: Client) -> None:
    choose(client, "id")
    form = {"username": "Bo", "email": "bo@example.com", "password1": PASSWORD}
    client.post("/accounts/signup/", form)
    bo = User.objects.get(username="Bo")
    assert language.of_user(bo) == "id"


def test_a_language_among_the_preferences_counts_at_once(client: Client) -> None:
    client.post("/preferences/", {"only": "language", "language": "it"})
    assert shown(client, accepts="es") == "it"
    client.post("/preferences/", {"only": "language", "language": ""})
    assert shown(client, accepts="es") == "es"


def test_the_way_back_is_the_page_or_the_form_it_came_from(client: Client, ada: User) -> None:
    page = client.get("/rules/?a=1&b=2").content.decode()
    assert '<input type="hidden" name="next" value="/rules/?a=1&amp;b=2">' in page
    client.force_login(ada, "django.contrib.auth.backends.ModelBackend")
    refused = client.post(
        reverse("play_now"), {}, headers={"Referer": "http://testserver/?kind=rated#top"}
    )
    assert refused.status_code == 422
    assert '<input type="hidden" name="next" value="/?kind=rated">' in refused.content.decode()
    stray = client.post(reverse("play_now"), {}, headers={"Referer": "http://else.example/x"})
    assert '<input type="hidden" name="next" value="/">' in stray.content.decode()


@pytest.mark.parametrize("code", ["en", "it"])
def test_every_language_is_offered_in_its_own_words(client: Client, code: str) -> None:
    client.cookies[COOKIE] = code
    page = client.get("/rules/").content.decode()
    for each, name in settings.LANGUAGES:
        current = ' aria-current="true"' if each == code else ""
        assert f'name="language" value="{each}" lang="{each}"{current}>{name}</button>' in page


def test_caches_are_told_what_the_language_depends_on(client: Client) -> None:
    for path in ("/rules/", "/watch/list/", "/accounts/login/"):
        varies = client.get(path).headers["Vary"].lower()
        assert "accept-language" in varies
        assert "cookie" in varies


def test_the_choice_costs_signed_out_visitors_no_session(client: Client) -> None:
    choose(client, "it")
    assert settings.SESSION_COOKIE_NAME not in client.cookies


def test_a_mail_is_in_the_language_of_whom_it_is_to(ada: User) -> None:
    client = Client()
    sign_in(client)
    choose(client, "it")
    stranger = Client(headers={"Accept-Language": "es"})
    stranger.post("/accounts/password/reset/", {"email": "ada@example.com"})
    [to_ada] = mail.outbox
    assert "reimpostare" in to_ada.subject.lower()


def test_a_mail_to_who_never_chose_is_in_the_language_of_the_page(ada: User) -> None:
    stranger = Client(headers={"Accept-Language": "es"})
    stranger.post("/accounts/password/reset/", {"email": "ada@example.com"})
    [to_ada] = mail.outbox
    assert "contraseña" in to_ada.subject.lower()


def test_preferences_know_the_language(ada: User) -> None:
    client = Client()
    sign_in(client)
    choose(client, "es")
    request: Any = client.get("/rules/").wsgi_request
    assert preferences_of(request).language == "es"
