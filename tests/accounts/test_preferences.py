"""Preferences: what is chosen, where it is kept, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core import signing
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext

from accounts import preferences
from accounts.models import ChosenPreferences, User
from accounts.preferences import ACTIONS, COOKIE, Invalid, Preferences, keymap_of
from tests.staff import signed_in, text, user

pytestmark = pytest.mark.django_db

DEFAULTS = {
    "theme": "system",
    "sound": False,
    "draw_for_me": False,
    "confirm": False,
    "show_pays": True,
    "keys": True,
    "keymap": {},
    "language": "",
}
PAGE = "/preferences/"


@pytest.fixture
def ada() -> User:
    return user("Ada")


def choose(client: Client, *, scripted: bool = True, **sent: Any) -> Any:
    headers = {"HX-Request": "true"} if scripted else {}
    return client.post(PAGE, sent, headers=headers)


def told(response: Any) -> Any:
    """What a page with scripts learns from an answer."""
    assert response.status_code == 204
    return json.loads(response.headers["HX-Trigger"])["preferences"]


def seen(client: Client) -> dict[str, Any]:
    """What the next page goes by."""
    found: dict[str, Any] = client.get("/rules/").context["preferences"].as_dict()
    return found


def test_nothing_chosen_nothing_kept(client: Client, ada: User) -> None:
    assert Preferences().as_dict() == DEFAULTS
    assert seen(client) == DEFAULTS
    assert seen(signed_in(ada)) == DEFAULTS
    assert COOKIE not in client.cookies
    assert not ChosenPreferences.objects.exists()


@pytest.mark.parametrize("who", ["a visitor", "a player"])
def test_one_field_at_a_time(who: str, ada: User) -> None:
    client = signed_in(ada) if who == "a player" else Client()
    assert told(choose(client, only="sound", sound="on")) == DEFAULTS | {"sound": True}
    told(choose(client, only="theme", theme="dark"))
    told(choose(client, only="keys"))  # a box that is not ticked
    told(choose(client, only="keymap", keymap='{"draw": "G"}'))
    changed = {"sound": True, "theme": "dark", "keys": False, "keymap": {"draw": "g"}}
    assert seen(client) == DEFAULTS | changed
    assert ChosenPreferences.objects.exists() is (who == "a player")
    assert (COOKIE in client.cookies) is (who == "a visitor")


def test_the_whole_form(client: Client) -> None:
    choose(client, only="keymap", keymap='{"draw": "g"}')
    sent = choose(client, scripted=False, theme="light", confirm="on", next="/rules/?a=b")
    assert (sent.status_code, sent.headers["Location"]) == (302, "/rules/?a=b")
    switched = {"theme": "light", "confirm": True, "show_pays": False, "keys": False}
    assert seen(client) == DEFAULTS | switched | {"keymap": {"draw": "g"}}
    page = client.get(PAGE)
    assert {name: page.context["form"][name].value() for name in switched} == switched


def test_the_way_back_stays_on_this_site(client: Client) -> None:
    for elsewhere in ("https://else.example/", "//else.example/", "rules", ""):
        sent = choose(client, scripted=False, only="sound", next=elsewhere)
        assert sent.headers["Location"] == PAGE
    assert "Your preferences are kept." in text(client.get(PAGE))


@pytest.mark.parametrize(
    "sent",
    [
        {"only": "theme", "theme": "pink"},
        {"only": "theme"},
        {"theme": "pink", "sound": "on"},
        {"only": "language", "language": "xx-none"},
        {"only": "password", "password": "x"},
        {"only": ["sound", "changed"], "sound": "on"},
        {"only": "keymap", "keymap": "{"},
        {"only": "keymap", "keymap": "[" * 3000},
        {"only": "keymap", "keymap": '["g"]'},
        {"only": "keymap", "keymap": '{"fly": "g"}'},
        {"only": "keymap", "keymap": '{"draw": "gg"}'},
        {"only": "keymap", "keymap": '{"draw": "g", "lay": "G"}'},
        {"only": "keymap", "keymap": " " * 20_000},
    ],
    ids=lambda sent: str(sent)[:60],
)
def test_bad_values_change_nothing(sent: dict[str, Any], client: Client) -> None:
    told(choose(client, only="theme", theme="dark"))
    for scripted in (True, False):
        answer = choose(client, scripted=scripted, **sent)
        assert answer.status_code == 422
        assert ("<title>" in answer.content.decode()) is not scripted
        assert answer.context["form"].errors
        assert 'role="alert"' in answer.content.decode()
    assert seen(client) == DEFAULTS | {"theme": "dark"}


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ([], "no_keymap"),
        (None, "no_keymap"),
        ({"fly": "f"}, "unknown_action"),
        ({"draw": ""}, "no_key"),
        ({"draw": "ab"}, "no_key"),
        ({"draw": 1}, "no_key"),
        ({"draw": " "}, "no_key"),
        ({"draw": "\n"}, "no_key"),
        ({"draw": "\0"}, "no_key"),
        ({"draw": "\ud800"}, "no_key"),
        ({"draw": "d", "lay": "d"}, "same_key"),
        ({"draw": "d", "lay": "D"}, "same_key"),
    ],
)
def test_keymaps_that_are_none(value: object, code: str) -> None:
    with pytest.raises(Invalid) as refused:
        keymap_of(value)
    assert refused.value.code == code


def test_keymaps() -> None:
    assert keymap_of({}) == {}
    assert keymap_of({"draw": "Z", "lay": "ß", "why": "?"}) == {"draw": "z", "lay": "ß", "why": "?"}
    every = dict(zip(ACTIONS, "abcdefghijklmnopqrstuvwxyz", strict=False))
    assert keymap_of(every) == every


def test_a_keymap_has_a_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preferences, "KEYMAP_BYTES", len('{"draw":"ß"}'))
    with pytest.raises(Invalid, match="too_large"):
        keymap_of({"draw": "ß"})  # two bytes
    assert keymap_of({"draw": "s"})


def held(values: object, salt: str = "accounts.preferences") -> Client:
    client = Client()
    client.cookies[COOKIE] = signing.dumps(values, salt=salt)
    return client


def test_of_a_cookie_what_is_no_value_counts_as_not_chosen() -> None:
    old = {"theme": "sepia", "sound": 1, "confirm": True, "gone": True, "keymap": {"fly": "f"}}
    assert seen(held(old)) == DEFAULTS | {"confirm": True}
    nothing: tuple[Any, ...] = (None, [], "dark", {"theme": ["dark"]}, {"keymap": {"draw": ["d"]}})
    for values in nothing:
        assert seen(held(values)) == DEFAULTS
    assert seen(held({"theme": "dark"}, salt="another")) == DEFAULTS
    for nonsense in ("dark", '{"theme":"dark"}', "a:b:c", "é"):
        client = Client()
        client.cookies[COOKIE] = nonsense
        assert seen(client) == DEFAULTS


def test_of_a_row_what_is_no_value_counts_as_not_chosen(ada: User) -> None:
    for values in ({"theme": "sepia", "confirm": True}, ["theme"]):
        ChosenPreferences.objects.update_or_create(user=ada, defaults={"values": values})
        assert seen(signed_in(ada)) == DEFAULTS | {"confirm": isinstance(values, dict)}
    told(choose(signed_in(ada), only="theme", theme="dark"))
    assert ChosenPreferences.objects.get().values == {"theme": "dark"}


def test_the_cookie_is_for_the_server_alone(client: Client) -> None:
    choose(client, only="theme", theme="dark")
    cookie = client.cookies[COOKIE]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert int(cookie["max-age"]) > 300 * 24 * 3600


def log_in(client: Client, who: User) -> None:
    client.post("/accounts/login/", {"login": who.username, "password": "pass-word-9"})
    assert client.session["_auth_user_id"] == str(who.pk)


def test_an_account_takes_over_what_it_lacks_from_the_browser(ada: User) -> None:
    browser = Client()
    choose(browser, only="theme", theme="dark")
    ada.set_password("pass-word-9")
    ada.save()
    log_in(browser, ada)
    assert seen(browser)["theme"] == "dark"
    assert seen(signed_in(ada))["theme"] == "dark"  # elsewhere too

    choose(browser, only="theme", theme="light")
    browser.post("/accounts/logout/")
    assert seen(browser)["theme"] == "dark"  # this browser's own
    choose(browser, only="sound", sound="on")
    log_in(browser, ada)
    assert seen(browser) == DEFAULTS | {"theme": "light", "sound": True}


def test_a_new_account_takes_over_those_of_the_browser() -> None:
    browser = Client()
    choose(browser, only="sound", sound="on")
    browser.post(
        "/accounts/signup/",
        {"username": "Bo", "email": "bo@example.org", "password1": "a long pass-word-9"},
    )
    assert ChosenPreferences.objects.get().user.username == "Bo"
    assert seen(browser)["sound"] is True


def test_they_are_looked_up_once(client: Client, ada: User) -> None:
    choose(client, only="theme", theme="dark")
    request = RequestFactory().get("/")
    for who, queries in ((ada, 1), (client.get("/rules/").wsgi_request.user, 0)):
        request = RequestFactory().get("/")
        request.user = who
        with CaptureQueriesContext(connection) as asked:
            preferences.preferences_of(request)
            preferences.preferences_of(request)
        assert len(asked) == queries


def test_before_it_is_known_who_asks_nothing_is_remembered(ada: User) -> None:
    choose(signed_in(ada), only="theme", theme="dark")
    request = RequestFactory().get("/")
    assert preferences.preferences_of(request).theme == "system"
    request.user = ada
    assert preferences.preferences_of(request).theme == "dark"


def test_players_keep_their_own(ada: User) -> None:
    bo = user("Bo")
    choose(signed_in(ada), only="theme", theme="dark")
    assert seen(signed_in(bo)) == DEFAULTS
