"""Signing in and out, and a new password for a forgotten one."""

from __future__ import annotations

import re

import pytest
from django.contrib import auth
from django.core import mail
from django.test import Client

from accounts.models import User

PASSWORD = "a long password"
pytestmark = pytest.mark.django_db


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("Ada", "ada@example.com", PASSWORD)


def sign_in(client: Client, login: str, password: str = PASSWORD) -> int:
    response = client.post("/accounts/login/", {"login": login, "password": password})
    return response.status_code


@pytest.mark.parametrize("login", ["Ada", "ada", "ADA", "ada@example.com", "Ada@Example.COM"])
def test_name_and_address_in_any_case_sign_in(client: Client, ada: User, login: str) -> None:
    assert sign_in(client, login) == 302
    assert auth.get_user(client) == ada


@pytest.mark.usefixtures("ada")
@pytest.mark.parametrize(("login", "password"), [("Ada", "wrong"), ("Bo", PASSWORD), ("", "")])
def test_wrong_names_and_passwords_do_not(client: Client, login: str, password: str) -> None:
    assert sign_in(client, login, password) == 200
    assert not auth.get_user(client).is_authenticated


@pytest.mark.usefixtures("ada")
def test_guessing_is_stopped(client: Client) -> None:
    for _ in range(5):
        sign_in(client, "Ada", "wrong")
    assert sign_in(client, "Ada") == 200
    assert not auth.get_user(client).is_authenticated


def test_sign_in_goes_back_to_where_one_was(client: Client, ada: User) -> None:
    address = "/accounts/login/?next=/rules/"
    response = client.post(address, {"login": "Ada", "password": PASSWORD, "next": "/rules/"})
    assert response.headers["Location"] == "/rules/"


def test_sign_in_leads_to_no_other_site(client: Client, ada: User) -> None:
    form = {"login": "Ada", "password": PASSWORD, "next": "https://elsewhere.example/"}
    response = client.post("/accounts/login/", form)
    assert response.headers["Location"] == "/"


def test_only_a_post_signs_out(client: Client, ada: User) -> None:
    client.force_login(ada, "django.contrib.auth.backends.ModelBackend")
    assert client.get("/accounts/logout/").status_code == 200
    assert auth.get_user(client) == ada
    assert client.post("/accounts/logout/").status_code == 302
    assert not auth.get_user(client).is_authenticated


def test_forgotten_password_by_mail(client: Client, ada: User) -> None:
    response = client.post("/accounts/password/reset/", {"email": "ADA@example.com"})
    assert response.status_code == 302
    [message] = mail.outbox
    assert message.to == ["ada@example.com"]
    found = re.search(r"http://[^/]+(/\S+)", str(message.body))
    assert found, message.body

    form_page = client.get(found[1], follow=True)
    action = form_page.redirect_chain[-1][0]
    new = {"password1": "another long one", "password2": "another long one"}
    assert client.post(action, new).status_code == 302
    assert sign_in(Client(), "Ada") == 200
    assert sign_in(Client(), "Ada", "another long one") == 302


def test_a_reset_tells_nobody_who_plays_here(client: Client, ada: User) -> None:
    known = client.post("/accounts/password/reset/", {"email": ada.email})
    unknown = client.post("/accounts/password/reset/", {"email": "nobody@example.com"})
    assert (known.status_code, known.headers["Location"]) == (
        unknown.status_code,
        unknown.headers["Location"],
    )
    assert [message.to for message in mail.outbox] == [[ada.email]]
