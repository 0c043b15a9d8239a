"""Who may sign up, and under which name."""

from __future__ import annotations

import pytest
from django.contrib import auth
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.test import Client

from accounts.models import User

PASSWORD = "a long password"
pytestmark = pytest.mark.django_db


def sign_up(client: Client, **changes: str) -> dict[str, list[str]]:
    """Fill in the form; return its complaints, none when it was accepted."""
    form = {"username": "Ada", "email": "ada@example.com", "password1": PASSWORD, **changes}
    response = client.post("/accounts/signup/", form)
    if response.status_code == 302:
        return {}
    assert response.status_code == 200
    return {field: list(errors) for field, errors in response.context["form"].errors.items()}


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("Ada", "ada@example.com", PASSWORD)


def test_sign_up_signs_in_at_once(client: Client) -> None:
    assert sign_up(client) == {}
    user = User.objects.get()
    assert (user.username, user.email) == ("Ada", "ada@example.com")
    assert auth.get_user(client) == user
    assert client.get("/").status_code == 200


@pytest.mark.parametrize("name", ["ab", "A" * 20, "x_Y-9", "007"])
def test_names_that_are_fine(client: Client, name: str) -> None:
    assert sign_up(client, username=name) == {}


@pytest.mark.parametrize(
    "name",
    [
        "",
        "a",
        "A" * 21,
        "Ada Lovelace",
        "a/b",
        "a.b",
        "ä ö",
        "Zoë",
        "ада",
        "a@b",
        "a\u202eb",
        "a\nb",
    ],
)
def test_names_that_are_refused(client: Client, name: str) -> None:
    assert "username" in sign_up(client, username=name)
    assert not User.objects.exists()


@pytest.mark.parametrize("name", ["admin", "Admin", "SPECTATOR", "_root_", "Spectacular-Bid"])
def test_reserved_names_are_refused(client: Client, name: str) -> None:
    assert sign_up(client, username=name)["username"] == ["This name is reserved."]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("email", ""),
        ("email", "no address"),
        ("password1", ""),
        ("password1", "short"),
        ("password1", "12345678901"),
        ("password1", "password123"),
    ],
)
def test_bad_fields_are_named(client: Client, field: str, value: str) -> None:
    assert list(sign_up(client, **{field: value})) == [field]
    assert not User.objects.exists()


@pytest.mark.usefixtures("ada")
def test_a_name_is_taken_in_every_case(client: Client) -> None:
    assert "username" in sign_up(client, username="aDA", email="other@example.com")


@pytest.mark.usefixtures("ada")
def test_an_address_is_taken_in_every_case(client: Client) -> None:
    assert "email" in sign_up(client, username="Bo", email="ADA@example.com")


@pytest.mark.usefixtures("ada")
@pytest.mark.parametrize(
    ("name", "email"), [("ADA", "other@example.com"), ("Bo", "Ada@Example.com")]
)
def test_the_database_itself_refuses_a_second_one(name: str, email: str) -> None:
    with pytest.raises(IntegrityError):
        User.objects.create_user(name, email, PASSWORD)


@pytest.mark.usefixtures("ada")
def test_forms_of_the_model_refuse_a_second_one() -> None:
    with pytest.raises(ValidationError) as refusal:
        User(username="ADA", email="Ada@Example.com", password="x").full_clean()
    assert "This name is taken." in refusal.value.messages
    assert "This e-mail address is taken." in refusal.value.messages


def test_who_loses_the_race_for_a_name_is_asked_again(
    client: Client, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "allauth.account.internal.userkit.filter_users_by_username", lambda _: User.objects.none()
    )
    response = client.post(
        "/accounts/signup/",
        {"username": "ADA", "email": "second@example.com", "password1": PASSWORD},
        follow=True,
    )
    assert response.redirect_chain == [("/accounts/signup/", 302)]
    assert "Somebody has just taken this name" in response.content.decode()
    assert list(User.objects.all()) == [ada]
