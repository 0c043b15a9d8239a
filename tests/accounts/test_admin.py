"""Players in the admin: who may do what with whose account."""

from __future__ import annotations

import pytest
from allauth.account.models import EmailAddress
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission
from django.test import Client

from accounts.models import Block, User
from tests.staff import member, signed_in, superuser, text, user

pytestmark = pytest.mark.django_db

PAGES = "/admin/accounts/user/"


def page_of(who: User) -> str:
    return f"{PAGES}{who.pk}/change/"


def filled(who: User, **changed: str) -> dict[str, str]:
    """The form of a player's page as a browser sends it."""
    return {
        "username": who.username,
        "email": who.email,
        "is_active": "on",
        "suspensions-TOTAL_FORMS": "0",
        "suspensions-INITIAL_FORMS": "0",
        **changed,
    }


def test_pages_of_players_open() -> None:
    staff = superuser()
    boss = User.objects.get()
    for address in ["", "add/", f"{boss.pk}/change/", f"{boss.pk}/password/", "?q=bo"]:
        assert staff.get(f"{PAGES}{address}").status_code == 200
    assert staff.get("/admin/").status_code == 200


def test_staff_add_a_player_but_no_second_of_a_name() -> None:
    staff = superuser()
    form = {
        "username": "Ada",
        "email": "ada@example.com",
        "usable_password": "true",
        "password1": "a long password",
        "password2": "a long password",
    }
    assert staff.post(f"{PAGES}add/", form).status_code == 302
    assert User.objects.get(username="Ada").check_password("a long password")
    again = staff.post(f"{PAGES}add/", {**form, "username": "ADA"})
    assert again.status_code == 200
    assert User.objects.count() == 2


def test_players_do_not_get_in(client: Client) -> None:
    assert signed_in(user("Ada")).get("/admin/").status_code == 302


# Who belongs to staff


def test_staff_change_players_and_promote_nobody() -> None:
    staff = member("view_user", "change_user")
    group = Group.objects.create(name="all")
    right = Permission.objects.get(codename="void_match")
    for who in (user("ada"), User.objects.get(username="moe")):
        powers = {"is_staff": "on", "is_superuser": "on", "groups": str(group.pk)}
        sent = filled(who, **powers, user_permissions=str(right.pk), email="new@example.org")
        assert staff.post(page_of(who), sent).status_code == 302
        was_staff = who.is_staff
        who.refresh_from_db()
        assert who.email == "new@example.org"
        assert (who.is_staff, who.is_superuser) == (was_staff, False)
        assert not who.groups.exists()
        assert right not in who.user_permissions.all()
        User.objects.filter(pk=who.pk).update(email=f"{who.pk}@example.org")


def test_superusers_promote() -> None:
    ada = user("ada")
    superuser().post(page_of(ada), filled(ada, is_staff="on"))
    ada.refresh_from_db()
    assert ada.is_staff


@pytest.mark.parametrize("powers", [{"is_superuser": True}, {"is_staff": True}])
def test_staff_touch_no_account_of_staff(powers: dict[str, bool]) -> None:
    staff = member("view_user", "change_user", "delete_user")
    other = user("other", **powers)
    assert staff.get(page_of(other)).status_code == 200  # to read
    assert staff.post(page_of(other), filled(other, email="mine@example.org")).status_code == 403
    new = {"usable_password": "true", "password1": "my-new-word-7", "password2": "my-new-word-7"}
    password = f"{PAGES}{other.pk}/password/"
    assert staff.get(password).status_code == 403
    assert staff.post(password, new).status_code == 403
    assert staff.post(f"{PAGES}{other.pk}/delete/", {"post": "yes"}).status_code == 403
    listed = {"action": "delete_selected", "_selected_action": str(other.pk), "post": "yes"}
    staff.post(PAGES, listed)
    other.refresh_from_db()
    assert other.email == "other@example.org"
    assert other.check_password("pass-word-9")


def test_staff_give_players_a_new_password() -> None:
    staff, ada = member("view_user", "change_user"), user("ada")
    new = {"usable_password": "true", "password1": "my-new-word-7", "password2": "my-new-word-7"}
    assert staff.post(f"{PAGES}{ada.pk}/password/", new).status_code == 302
    ada.refresh_from_db()
    assert ada.check_password("my-new-word-7")


def test_who_only_looks_changes_nothing() -> None:
    staff, ada = member("view_user"), user("ada")
    assert staff.get(page_of(ada)).status_code == 200
    assert staff.post(page_of(ada), filled(ada)).status_code == 403
    assert member(name="none").get(page_of(ada)).status_code == 403


def test_groups_are_for_superusers() -> None:
    names = ("add_group", "change_group", "delete_group", "view_group")
    staff, group = member(*names), Group.objects.create(name="all")
    right = Permission.objects.get(codename="void_match")
    sent = {"name": "all", "permissions": str(right.pk)}
    address = f"/admin/auth/group/{group.pk}/"
    assert staff.get(f"{address}change/").status_code == 200
    assert staff.post(f"{address}change/", sent).status_code == 403
    assert staff.post("/admin/auth/group/add/", {**sent, "name": "new"}).status_code == 403
    assert staff.post(f"{address}delete/", {"post": "yes"}).status_code == 403
    assert superuser().post(f"{address}change/", sent).status_code == 302
    assert list(group.permissions.all()) == [right]


def test_nobody_gets_into_an_account_by_an_address_of_their_own() -> None:
    names = ("add_emailaddress", "change_emailaddress", "view_emailaddress")
    staff, boss = member(*names), user("boss", is_superuser=True)
    known = EmailAddress.objects.create(user=boss, email=boss.email, verified=True)
    sent = {"user": str(boss.pk), "email": "mine@example.org", "verified": "on", "primary": "on"}
    address = "/admin/account/emailaddress/"
    assert staff.get(f"{address}{known.pk}/change/").status_code == 200
    assert staff.post(f"{address}add/", sent).status_code == 403
    assert staff.post(f"{address}{known.pk}/change/", sent).status_code == 403
    assert [*EmailAddress.objects.values_list("email", flat=True)] == [boss.email]


# What staff leave behind


def test_who_did_what_can_be_read_and_not_changed() -> None:
    staff, ada = superuser(), user("ada")
    staff.post(page_of(ada), filled(ada, email="new@example.org"))
    entry = LogEntry.objects.get()
    listed = staff.get("/admin/admin/logentry/")
    assert "Changed E-mail address" in text(listed)
    assert f'href="{page_of(ada)}"' in listed.content.decode()
    assert staff.get(f"/admin/admin/logentry/{entry.pk}/change/").status_code == 200
    for action in ("add/", f"{entry.pk}/change/", f"{entry.pk}/delete/"):
        assert staff.post(f"/admin/admin/logentry/{action}", {}).status_code == 403
    assert member("view_user").get("/admin/admin/logentry/").status_code == 403
    reader = member("view_logentry", name="reader")
    assert reader.get("/admin/admin/logentry/?q=ada").status_code == 200


def test_whoever_did_something_cannot_be_deleted_with_the_traces() -> None:
    busy = signed_in(user("busy", is_staff=True, is_superuser=True))
    ada = user("ada")
    busy.post(page_of(ada), filled(ada, email="new@example.org"))
    gone = User.objects.get(username="busy")
    superuser().post(f"{PAGES}{gone.pk}/delete/", {"post": "yes"})
    assert User.objects.filter(username="busy").exists()


@pytest.mark.parametrize(
    "question",
    [
        "accounts/user/?password__startswith=p",
        "accounts/user/?suspensions__by__password__startswith=p",
        "accounts/suspension/?user__password__startswith=p",
        "accounts/block/?blocked__password__startswith=p",
        "account/emailaddress/?user__password__startswith=p",
        "admin/logentry/?user__password__startswith=p",
    ],
)
def test_no_list_can_be_asked_about_passwords(question: str) -> None:
    assert superuser().get(f"/admin/{question}").status_code == 400


def test_suspensions_and_blocks_are_there_to_read() -> None:
    staff, ada, bo = superuser(), user("ada"), user("bo")
    block = Block.objects.create(user=ada, blocked=bo)
    assert "bo" in text(staff.get("/admin/accounts/block/?q=ada"))
    assert (
        staff.post(f"/admin/accounts/block/{block.pk}/delete/", {"post": "yes"}).status_code == 403
    )
    assert staff.get("/admin/accounts/suspension/?q=ada").status_code == 200
    assert staff.post("/admin/accounts/suspension/add/", {}).status_code == 403
