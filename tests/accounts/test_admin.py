"""Players in the admin."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(client: Client) -> Client:
    boss = User.objects.create_superuser("Boss", "boss@example.com", "a long password")
    client.force_login(boss, "django.contrib.auth.backends.ModelBackend")
    return client


def test_pages_of_players_open(staff: Client) -> None:
    boss = User.objects.get()
    for address in ["", "add/", f"{boss.pk}/change/", f"{boss.pk}/password/", "?q=bo"]:
        assert staff.get(f"/admin/accounts/user/{address}").status_code == 200


def test_staff_add_a_player_but_no_second_of_a_name(staff: Client) -> None:
    form = {
        "username": "Ada",
        "email": "ada@example.com",
        "usable_password": "true",
        "password1": "a long password",
        "password2": "a long password",
    }
    assert staff.post("/admin/accounts/user/add/", form).status_code == 302
    assert User.objects.get(username="Ada").check_password("a long password")
    again = staff.post("/admin/accounts/user/add/", {**form, "username": "ADA"})
    assert again.status_code == 200
    assert User.objects.count() == 2


def test_players_do_not_get_in(client: Client) -> None:
    ada = User.objects.create_user("Ada", "ada@example.com", "a long password")
    client.force_login(ada, "django.contrib.auth.backends.ModelBackend")
    assert client.get("/admin/").status_code == 302
