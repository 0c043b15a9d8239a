"""Suspensions: what staff decide, who may, and what the player is told."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.db import IntegrityError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import services
from accounts.models import Suspension, User
from accounts.signals import suspended
from tests.staff import member, signed_in, superuser, text, user

pytestmark = pytest.mark.django_db

REASON = "Left eleven matches in a row."


@pytest.fixture
def ada() -> User:
    return user("ada")


@pytest.fixture
def boss() -> User:
    return user("boss", is_staff=True, is_superuser=True)


def address(who: User, action: str) -> str:
    return f"/admin/accounts/user/{who.pk}/{action}/"


# The service


def test_the_longest_suspension_counts_until_it_is_lifted(ada: User, boss: User) -> None:
    soon = timezone.now() + timedelta(hours=1)
    assert services.suspension_of(ada) is None
    services.suspend(ada, boss, "first", soon)
    services.suspend(ada, boss, "second", soon + timedelta(days=1))
    found = services.suspension_of(ada)
    assert found is not None
    assert found.reason == "second"
    services.suspend(ada, boss, "third", None)
    found = services.suspension_of(ada)
    assert found is not None
    assert found.reason == "third"
    assert services.lift(ada, boss) == 3
    assert services.suspension_of(ada) is None
    assert services.lift(ada, boss) == 0
    assert {s.lifted_by for s in ada.suspensions.all()} == {boss}


def test_a_suspension_ends_by_itself(ada: User, boss: User) -> None:
    services.suspend(ada, boss, REASON, timezone.now() + timedelta(hours=1))
    Suspension.objects.update(until=timezone.now() - timedelta(seconds=1))
    assert services.suspension_of(ada) is None
    assert services.lift(ada, boss) == 0
    assert Suspension.objects.get().lifted_at is None


def test_who_may_not_be_suspended(ada: User, boss: User) -> None:
    plain, other = user("plain", is_staff=True), user("other", is_staff=True)
    refusals: list[tuple[User, User, datetime | None, str]] = [
        (boss, boss, None, "oneself"),
        (other, plain, None, "staff"),
        (boss, plain, None, "staff"),
        (ada, plain, timezone.now(), "past"),
    ]
    for who, by, until, code in refusals:
        with pytest.raises(services.Refused) as refused:
            services.suspend(who, by, REASON, until)
        assert refused.value.code == code
    for who, by in ((boss, boss), (other, plain)):
        with pytest.raises(services.Refused):
            services.lift(who, by)
    assert not Suspension.objects.exists()
    services.suspend(other, boss, REASON, None)
    services.suspend(ada, plain, REASON, None)


def test_the_rest_of_the_site_hears_of_it(ada: User, boss: User) -> None:
    heard: list[int] = []

    def hear(sender: Any, user_id: int, **_: Any) -> None:
        heard.append(user_id)

    suspended.connect(hear)
    try:
        services.suspend(ada, boss, REASON, None)
    finally:
        suspended.disconnect(hear)
    assert heard == [ada.pk]


# The admin


def test_staff_suspend_and_lift(ada: User) -> None:
    staff = member("view_user", "suspend_user")
    page = staff.get(address(ada, "change"))
    assert f'href="{address(ada, "suspend")}"' in page.content.decode()
    assert f'href="{address(ada, "lift")}"' not in page.content.decode()
    asked = staff.get(address(ada, "suspend"))
    assert "A running match goes on" in text(asked)
    sent = {"reason": REASON, "until": "2999-05-01T18:30"}
    done = staff.post(address(ada, "suspend"), sent, follow=True)
    assert "Suspended, and ada has been told." in text(done)
    assert REASON in text(done)  # in the history on the page
    found = services.suspension_of(ada)
    assert found is not None
    assert found.until == datetime(2999, 5, 1, 18, 30, tzinfo=UTC)
    assert (found.by.username, found.reason) == ("moe", REASON)
    entry = LogEntry.objects.get()
    assert entry.object_id == str(ada.pk)
    assert REASON in entry.get_change_message()
    assert f'href="{address(ada, "lift")}"' in done.content.decode()

    done = staff.post(address(ada, "lift"), {"reason": "Said sorry."}, follow=True)
    assert "From now on ada can start matches again." in text(done)
    assert services.suspension_of(ada) is None
    entry = LogEntry.objects.latest("pk")
    assert entry.get_change_message() == "Lifted 1 suspension. Said sorry."
    again = staff.post(address(ada, "lift"), {"reason": ""}, follow=True)
    assert "No suspension of ada is running." in text(again)
    assert LogEntry.objects.count() == 2


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ({"reason": ""}, "This field is required."),
        ({"reason": "  "}, "This field is required."),
        ({"reason": "x" * 2001}, "at most 2000 characters"),
        ({"reason": REASON, "until": "2001-01-01T00:00"}, "in the future"),
        ({"reason": REASON, "until": "soon"}, "valid date/time"),
    ],
)
def test_what_is_missing_or_wrong_is_said(ada: User, sent: dict[str, str], told: str) -> None:
    page = superuser().post(address(ada, "suspend"), sent)
    assert page.status_code == 200
    assert told in text(page)
    assert not Suspension.objects.exists()


@pytest.mark.parametrize(
    "permissions",
    [(), ("view_user",), ("suspend_user",), ("view_user", "change_user", "add_suspension")],
)
def test_it_takes_the_permission(ada: User, permissions: tuple[str, ...]) -> None:
    staff = member(*permissions)
    for action in ("suspend", "lift"):
        assert staff.get(address(ada, action)).status_code == 403
        assert staff.post(address(ada, action), {"reason": REASON}).status_code == 403
    assert not Suspension.objects.exists()
    if "view_user" in permissions:
        assert address(ada, "suspend") not in staff.get(address(ada, "change")).content.decode()


def test_nobody_judges_themselves_and_staff_judge_no_staff() -> None:
    staff = member("view_user", "suspend_user")
    me, other = User.objects.get(username="moe"), user("other", is_staff=True)
    for who in (me, other):
        assert staff.post(address(who, "suspend"), {"reason": REASON}).status_code == 403
        assert address(who, "suspend") not in staff.get(address(who, "change")).content.decode()
    boss = superuser()
    assert boss.post(address(other, "suspend"), {"reason": REASON}).status_code == 302
    assert staff.post(address(other, "lift"), {}).status_code == 403
    assert Suspension.objects.count() == 1
    mine = User.objects.get(username="super")
    assert boss.post(address(mine, "suspend"), {"reason": REASON}).status_code == 403


def test_players_strangers_and_nobody(ada: User) -> None:
    assert signed_in(ada).post(address(ada, "lift"), {}).status_code == 302
    assert superuser().get("/admin/accounts/user/999/suspend/").status_code == 404


def test_the_list_is_filtered(ada: User, boss: User) -> None:
    user("bo")
    services.suspend(ada, boss, REASON, None)
    staff = signed_in(boss)
    yes = text(staff.get("/admin/accounts/user/?suspended=yes"))
    no = text(staff.get("/admin/accounts/user/?suspended=no"))
    assert "ada@" in yes
    assert "bo@" not in yes
    assert "bo@" in no
    assert "ada@" not in no


def test_the_history_grows_without_queries(ada: User, boss: User) -> None:
    staff, counts = signed_in(boss), []
    for _ in range(4):
        services.suspend(ada, boss, REASON, None)
        services.lift(ada, boss)
        with CaptureQueriesContext(connection) as queries:
            staff.get(address(ada, "change"))
        counts.append(len(queries))
    assert counts[1] == counts[-1]


# What the player sees


def test_every_page_says_until_when_and_why(ada: User, boss: User) -> None:
    player = signed_in(ada)
    assert "suspended" not in text(player.get("/rules/"))
    services.suspend(ada, boss, "<b>Rude</b>", datetime(2999, 5, 1, 18, 30, tzinfo=UTC))
    for page in ("/rules/", "/status/", "/blocks/", "/nowhere/"):
        told = player.get(page).content.decode()
        assert "You are suspended until May 1, 2999, 18:30 (UTC)" in told
        assert "Reason: &lt;b&gt;Rude&lt;/b&gt;" in told
    assert "suspended" not in text(signed_in(boss).get("/rules/"))
    services.lift(ada, boss)
    services.suspend(ada, boss, REASON, None)
    told = text(player.get("/rules/"))
    assert "You are suspended and cannot start a match." in told
    assert "until" not in told[: told.index(REASON)].rpartition("You are suspended")[2]


def test_a_player_with_suspensions_is_kept(ada: User, boss: User) -> None:
    services.suspend(ada, boss, REASON, None)
    page = signed_in(boss).post(f"/admin/accounts/user/{ada.pk}/delete/", {"post": "yes"})
    assert User.objects.filter(pk=ada.pk).exists()
    assert page.status_code in (200, 403)
    with pytest.raises(IntegrityError):
        ada.delete()
