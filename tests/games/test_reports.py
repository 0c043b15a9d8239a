"""Reports: what players ask staff to look at, and how staff close it."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games import reports
from games.models import Match, Report
from tests.staff import member, signed_in, superuser, text

from .factory import begun, deal, make_match, make_user

pytestmark = pytest.mark.django_db

DEALT = deal("6-6 1-0 2-0 2-1 3-0 3-1 3-2", "6-5 6-4 6-3 6-2 6-1 6-0 5-5")
SENT = {"about": "stalling", "text": "Let the clock run, round after round."}
QUEUE = "/admin/games/report/"


@pytest.fixture
def ada(db: None) -> User:
    return make_user("Ada")


@pytest.fixture
def bo(db: None) -> User:
    return make_user("Bo")


@pytest.fixture
def match(ada: User, bo: User) -> Match:
    return make_match([ada, bo], begun(DEALT))


def refused(**asked: Any) -> str:
    with pytest.raises(reports.Refused) as refusal:
        reports.report(asked.pop("reporter"), "other", "Look.", **asked)
    return refusal.value.code


# The service


def test_a_report_needs_a_target_that_fits(ada: User, bo: User, match: Match) -> None:
    assert refused(reporter=ada, player=ada) == "oneself"
    assert refused(reporter=ada, player=make_user("Cy"), match=match) == "not_a_player"
    reports.report(make_user("Di"), "other", "Look.", player=bo, match=match)


def test_one_open_report_of_a_target_and_ten_in_all(ada: User, bo: User, match: Match) -> None:
    reports.report(ada, "other", "Look.", player=bo)
    reports.report(ada, "other", "Look.", match=match)
    first = reports.report(ada, "other", "Look.", player=bo, match=match)
    for target in ({"player": bo}, {"match": match}, {"player": bo, "match": match}):
        assert refused(reporter=ada, **target) == "reported"
    reports.report(make_user("Other"), "other", "Look.", player=bo)  # somebody else may
    others = [make_user(f"P{n}") for n in range(8)]
    for other in others[:7]:
        reports.report(ada, "other", "Look.", player=other)
    assert refused(reporter=ada, player=others[7]) == "too_many_open"
    reports.close(first.pk, bo, "", upheld=False)
    reports.report(ada, "other", "Again.", player=bo, match=match)


def test_a_report_is_closed_once(ada: User, bo: User) -> None:
    report = reports.report(ada, "other", "Look.", player=bo)
    reports.close(report.pk, ada, "Seen.", upheld=True)
    with pytest.raises(reports.Refused) as refusal:
        reports.close(report.pk, bo, "No.", upheld=False)
    assert refusal.value.code == "closed"
    report.refresh_from_db()
    assert (report.state, report.closed_by, report.note) == ("upheld", ada, "Seen.")


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_of_many_who_close_a_report_at_once_one_does() -> None:
    ada, bo = make_user("Ada"), make_user("Bo")
    report = reports.report(ada, "other", "Look.", player=bo)
    done = _at_once(6, lambda n: reports.close(report.pk, bo, str(n), upheld=bool(n % 2)))
    assert sorted(done) == ["closed"] * 5 + ["done"]
    report.refresh_from_db()
    assert report.state == ("upheld" if int(report.note) % 2 else "dismissed")


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_of_many_reports_of_one_target_at_once_one_is_kept() -> None:
    ada, bo = make_user("Ada"), make_user("Bo")
    done = _at_once(6, lambda n: reports.report(ada, "other", str(n), player=bo))
    assert sorted(done) == ["done"] + ["reported"] * 5
    assert Report.objects.count() == 1


def _at_once(count: int, work: Any) -> list[str]:
    """What came of ``count`` threads that do ``work`` at the same moment."""
    ready, outcomes = threading.Barrier(count), []

    def one(n: int) -> None:
        try:
            ready.wait(10)
            work(n)
            outcomes.append("done")
        except reports.Refused as refusal:
            outcomes.append(refusal.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=one, args=(n,)) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return outcomes


# What players see


def test_a_player_is_reported(ada: User, bo: User) -> None:
    player = signed_in(ada)
    asked = player.get("/players/Bo/report/")
    assert "Report Bo" in text(asked)
    assert "Stalling or leaving matches" in text(asked)
    done = player.post("/players/bo/report/", SENT)
    assert done.headers["Location"] == "/players/Bo/"
    assert "Thank you." in text(player.get("/rules/"))
    report = Report.objects.get()
    assert (report.reporter, report.player, report.match) == (ada, bo, None)
    assert (report.about, report.text, report.state) == (*SENT.values(), "open")
    again = player.post("/players/Bo/report/", SENT)
    assert again.status_code == 409
    assert "You have reported this already" in text(again)


def test_names_are_spelt_right(ada: User, bo: User) -> None:
    assert signed_in(ada).get("/players/BO/report/").headers["Location"] == "/players/Bo/report/"
    assert signed_in(ada).get("/players/Nemo/report/").status_code == 404
    assert signed_in(ada).post("/players/Nemo/report/", SENT).status_code == 404


def test_a_match_is_reported_with_or_without_a_player(ada: User, bo: User, match: Match) -> None:
    player, address = signed_in(ada), f"/matches/{match.pk}/report/"
    page = player.get(address).content.decode()
    assert f'<option value="{bo.pk}">Bo</option>' in page
    assert f'<option value="{ada.pk}">' not in page
    assert player.post(address, SENT).headers["Location"] == match.get_absolute_url()
    assert player.post(address, {**SENT, "player": str(bo.pk)}).status_code == 302
    found = {(r.player_id, r.match_id) for r in Report.objects.all()}
    assert found == {(None, match.pk), (bo.pk, match.pk)}
    assert player.get("/matches/nothing/report/").status_code == 404
    page = signed_in(make_user("Cy")).get(address).content.decode()  # a spectator names either
    assert f'<option value="{ada.pk}">Ada</option>' in page


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"about": ""}, "Choose what it is about."),
        ({"about": "nonsense"}, "not one of the available choices"),
        ({"text": "  "}, "Tell in a sentence or two what happened."),
        ({"text": "x" * 2001}, "at most 2000 characters"),
        ({"player": "999"}, "not one of the available choices"),
        ({"player": "me"}, "not one of the available choices"),
    ],
)
def test_what_is_missing_or_wrong_is_said(
    ada: User, match: Match, changed: dict[str, str], told: str
) -> None:
    page = signed_in(ada).post(f"/matches/{match.pk}/report/", {**SENT, **changed})
    assert page.status_code == 422
    assert told in text(page)
    assert not Report.objects.exists()


def test_nobody_reports_themselves(ada: User, match: Match) -> None:
    page = signed_in(ada).post("/players/Ada/report/", SENT)
    assert page.status_code == 409
    assert "Nobody reports themselves." in text(page)
    mine = {**SENT, "player": str(ada.pk)}
    assert signed_in(ada).post(f"/matches/{match.pk}/report/", mine).status_code == 422
    assert not Report.objects.exists()


def test_it_takes_a_player_who_is_signed_in(client: Client, bo: User, match: Match) -> None:
    for address in ("/players/Bo/report/", f"/matches/{match.pk}/report/"):
        for sent in (client.get(address), client.post(address, SENT)):
            assert sent.headers["Location"] == f"/accounts/login/?next={address}"


# The queue


def test_open_ones_come_first_and_the_oldest_of_them(ada: User, bo: User) -> None:
    first = [reports.report(make_user(f"R{n}"), "other", f"Text {n}", player=bo) for n in range(4)]
    reports.close(first[0].pk, ada, "", upheld=True)
    listed = text(superuser().get(QUEUE))
    places = [listed.index(f"Text {n}") for n in (1, 2, 3, 0)]
    assert places == sorted(places)
    only = text(superuser("second").get(f"{QUEUE}?state__exact=open"))
    assert "Text 0" not in only
    assert "Text 1" in only


def test_a_report_names_all_it_is_about(ada: User, bo: User, match: Match) -> None:
    report = reports.report(ada, "stalling", "<b>Look</b>", player=bo, match=match)
    for n in range(2):
        reports.report(make_user(f"R{n}"), "other", "Look.", player=bo)
    reports.report(ada, "other", "A match alone.", match=match)
    staff = member("view_report")
    for address in (QUEUE, f"{QUEUE}{report.pk}/change/"):
        page = staff.get(address).content.decode()
        assert f'href="/admin/accounts/user/{bo.pk}/change/"' in page
        assert f'href="/admin/games/match/{match.pk}/change/"' in page
        assert f'<a href="{QUEUE}?player__id__exact={bo.pk}">2</a>' in page
        assert "&lt;b&gt;Look" in page
        assert "Ada" in page
    several = text(staff.get(f"{QUEUE}?player__id__exact={bo.pk}"))
    assert "A match alone." not in several
    assert f"{QUEUE}{report.pk}/uphold/" not in page


@pytest.mark.parametrize(
    ("action", "state", "logged"),
    [("uphold", "upheld", "Upheld"), ("dismiss", "dismissed", "Dis")],
)
def test_staff_close_a_report(ada: User, bo: User, action: str, state: str, logged: str) -> None:
    report = reports.report(ada, "other", "Look.", player=bo)
    staff = member("view_report", "change_report")
    address = f"{QUEUE}{report.pk}/{action}/"
    assert f'href="{address}"' in staff.get(f"{QUEUE}{report.pk}/change/").content.decode()
    assert "does nothing else" in text(staff.get(address))
    assert "This field is required." in text(staff.post(address, {"reason": " "}))
    before = timezone.now()
    done = staff.post(address, {"reason": "Warned."}, follow=True)
    assert "The report is closed." in text(done)
    assert address not in done.content.decode()
    report.refresh_from_db()
    assert (report.state, report.note) == (state, "Warned.")
    assert report.closed_by == User.objects.get(username="moe")
    assert report.closed_at is not None
    assert report.closed_at >= before
    entry = LogEntry.objects.get()
    assert entry.object_id == str(report.pk)
    assert entry.get_change_message().startswith(logged)
    for sent in (
        staff.get(address, follow=True),
        staff.post(address, {"reason": "x"}, follow=True),
    ):
        assert "Somebody has closed this report meanwhile." in text(sent)
    assert LogEntry.objects.count() == 1


def test_who_is_slower_is_told(ada: User, bo: User, monkeypatch: pytest.MonkeyPatch) -> None:
    report = reports.report(ada, "other", "Look.", player=bo)
    close = reports.close

    def meanwhile(*args: Any, **keys: Any) -> None:
        close(report.pk, bo, "First.", upheld=False)
        close(*args, **keys)

    monkeypatch.setattr(reports, "close", meanwhile)
    sent = superuser().post(f"{QUEUE}{report.pk}/uphold/", {"reason": "Second."}, follow=True)
    assert "Somebody has closed this report meanwhile." in text(sent)
    report.refresh_from_db()
    assert (report.note, report.closed_by) == ("First.", bo)
    assert not LogEntry.objects.exists()


@pytest.mark.parametrize(
    "permissions", [(), ("view_report",), ("change_match", "view_match"), ("delete_report",)]
)
def test_it_takes_the_permission(ada: User, bo: User, permissions: tuple[str, ...]) -> None:
    report = reports.report(ada, "other", "Look.", player=bo)
    staff = member(*permissions)
    for action in ("uphold", "dismiss"):
        assert staff.get(f"{QUEUE}{report.pk}/{action}/").status_code == 403
        sent = {"reason": "x"}
        assert staff.post(f"{QUEUE}{report.pk}/{action}/", sent).status_code == 403
    allowed = 200 if "view_report" in permissions else 403
    assert staff.get(QUEUE).status_code == allowed
    assert staff.get(f"{QUEUE}{report.pk}/change/").status_code == allowed
    report.refresh_from_db()
    assert report.state == "open"
    assert signed_in(ada).get(QUEUE).status_code == 302


def test_what_was_reported_stays_as_it_is(ada: User, bo: User) -> None:
    report = reports.report(ada, "other", "Look.", player=bo)
    staff = superuser()
    for action in ("add/", f"{report.pk}/change/", f"{report.pk}/delete/"):
        assert staff.post(f"{QUEUE}{action}", {"state": "upheld", "post": "yes"}).status_code == 403
    assert staff.get(f"{QUEUE}999/uphold/").status_code == 404


def test_the_queue_grows_without_queries(ada: User, bo: User, match: Match) -> None:
    staff, counts = superuser(), []
    for n in range(4):
        reports.report(make_user(f"R{n}"), "other", "Look.", player=bo, match=match)
        with CaptureQueriesContext(connection) as queries:
            staff.get(QUEUE)
        counts.append(len(queries))
    assert counts[1] == counts[-1]
