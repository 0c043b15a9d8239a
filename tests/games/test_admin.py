"""Staff see what happened, change none of it, and see no hand of a live match."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games import reports, store, words
from games.models import Challenge, Match, Report
from games.play import Command
from games.rules.events import Draw
from games.rules.match import Phase, State, apply
from games.rules.record import parse_event
from ratings.models import Rating, RatingChange
from tests.staff import member, signed_in, superuser, text

from .factory import NOW, begun, deal, go_on, make_match, make_user, make_window, whatever_comes

pytestmark = pytest.mark.django_db

DEALT = deal("6-6 1-0 2-0 2-1 3-0 3-1 3-2", "6-5 6-4 6-3 6-2 6-1 6-0 5-5")


@pytest.fixture
def staff() -> Client:
    return superuser()


@pytest.fixture
def match() -> Match:
    return make_match([make_user("ada"), make_user("bo")], begun(DEALT))


def page_of(match: Match) -> str:
    return f"/admin/games/match/{match.pk}/change/"


def state_of(match: Match) -> State:
    return store.replayed(match)


def play_on(match: Match, steps: int) -> Match:
    """So many answers, or deals between two rounds, further."""
    state, chance, told = state_of(match), random.Random(7), []
    for _ in range(steps):
        for event in whatever_comes(state, chance, at=2000):
            state = apply(state, event)
            told.append(event)
    assert state.result is None
    return go_on(match, told)


def until_round_over(match: Match) -> Match:
    while state_of(match).phase is not Phase.ROUND_OVER:
        play_on(match, 1)
    return match


def resigned(match: Match) -> Match:
    store.submit(match.pk, match.seats.get(seat=0).user_id, Command("resign", None), NOW + 5000)
    match.refresh_from_db()
    return match


def ways_to_write(tile: str) -> list[str]:
    """A tile as the record, the pictures, the words and a program could have it."""
    high, low = tile.split("-")
    return [
        rf"(?<![\d-]){high}-{low}(?![\d-])",
        rf"(?<![\d-]){low}-{high}(?![\d-])",
        rf"\bt{high}{low}\b",
        rf"\[{high}, ?{low}\]",
        rf"(?<![\w-]){words.tile_name(tile)}(?![\w-])",
    ]


def hidden_in(match: Match) -> list[str]:
    state = state_of(match)
    return [str(tile) for tile in (*state.hands[0], *state.hands[1], *state.boneyard)]


def assert_hides(page: Any, match: Match) -> None:
    content = re.sub(r' (d|viewBox|transform|x|y)="[^"]*"', "", page.content.decode())  # figures
    for tile in hidden_in(match):
        for way in ways_to_write(tile):
            assert not re.search(way, content, re.IGNORECASE), (tile, way)


# The list


def test_the_list_names_the_players_and_finds_them(staff: Client, match: Match) -> None:
    page = staff.get("/admin/games/match/", {"q": "ada"}).content.decode()
    assert match.pk in page
    assert "ada – bo" in page
    assert match.pk not in staff.get("/admin/games/match/", {"q": "cy"}).content.decode()


def test_a_list_is_filtered_by_what_it_shows(staff: Client, match: Match) -> None:
    for question in (
        "rated__exact=1",
        "reason__exact=",
        "winner__isnull=True",
        "pk__exact=x",
        "ended_at__isempty=1",
        "annulled_at__isempty=0",
    ):
        assert staff.get(f"/admin/games/match/?{question}").status_code == 200


# A match as one can read it


def test_a_live_match_reads_as_a_spectator_reads_it(staff: Client, match: Match) -> None:
    play_on(match, 8)
    page = staff.get(page_of(match))
    told = text(page)
    state = state_of(match)
    assert state.table.laid
    for laid in state.table.laid:
        assert words.tile_name(str(laid.tile)) in told
        assert f'href="#t{str(laid.tile).replace("-", "")}"' in page.content.decode()
    assert f"ada has {state.chips[0]} points, bo has {state.chips[1]}." in told
    assert "ada opens with double six." in told
    assert "The hands of a running match are shown to nobody." in told
    assert_hides(page, match)


@pytest.mark.parametrize("answers", [0, 1, 2, 3, 5, 8, 13])
def test_the_hands_of_a_live_match_are_shown_to_nobody(
    staff: Client, match: Match, answers: int
) -> None:
    play_on(match, answers)
    boss = User.objects.get(username="super")
    report = reports.report(boss, "other", "Look.", match=match)
    offer = Challenge.objects.create(creator=boss, state="accepted", match=match, kind="rematch")
    Challenge.objects.create(creator=boss, kind="rematch", previous=match)
    LogEntry.objects.log_actions(boss.pk, [match], CHANGE, "Looked.", single_object=True)
    for address in (
        "/admin/",
        "/admin/games/",
        "/admin/games/match/",
        f"/admin/games/match/?q={match.pk}",
        page_of(match),
        f"{page_of(match)}?_to_field=id&_popup=1",
        f"/admin/games/match/{match.pk}/history/",
        f"/admin/games/match/{match.pk}/void/",
        "/admin/games/challenge/",
        f"/admin/games/challenge/{offer.pk}/change/",
        "/admin/games/report/",
        f"/admin/games/report/{report.pk}/change/",
        f"/admin/games/report/{report.pk}/uphold/",
        f"/admin/accounts/user/{match.seats.get(seat=0).user_id}/change/",
        f"/admin/accounts/user/{match.seats.get(seat=0).user_id}/delete/",
        "/admin/admin/logentry/",
    ):
        page = staff.get(address)
        assert page.status_code == 200, address
        assert_hides(page, match)


def test_between_two_rounds_the_hands_are_not_shown_either(staff: Client, match: Match) -> None:
    assert_hides(staff.get(page_of(until_round_over(match))), match)


def test_a_player_who_is_staff_sees_no_hand_either(match: Match) -> None:
    ada = match.seats.get(seat=0).user
    assert ada is not None
    ada.is_staff = ada.is_superuser = True
    ada.save()
    assert_hides(signed_in(ada).get(page_of(match)), match)


def test_the_test_for_hidden_tiles_finds_them(staff: Client, match: Match) -> None:
    """What the tests above look for is there once the match is over."""
    hidden = hidden_in(play_on(match, 5))
    page = staff.get(page_of(resigned(match)))
    told = text(page)
    for tile in hidden:
        assert re.search(ways_to_write(tile)[0], told)


def test_a_finished_match_reads_with_every_hand(staff: Client, match: Match) -> None:
    play_on(match, 30)
    events = [parse_event(data) for data in match.events.values_list("data", flat=True)]
    page = staff.get(page_of(resigned(match)))
    told = text(page)
    assert "ada 6-6 1-0 2-0 2-1 3-0 3-1 3-2 bo 6-5 6-4 6-3 6-2 6-1 6-0 5-5 Boneyard" in told
    state, drawn = State(), []
    for event in events:
        state = apply(state, event)
        if isinstance(event, Draw):
            name = words.tile_name(str(state.drawn))
            drawn.append(f"{('ada', 'bo')[event.seat]} draws {name}.")
    assert drawn
    for sentence in drawn:
        assert sentence in told
    assert "ada resigns. bo wins the match." in told
    hands = " ".join(str(tile) for tile in state_of(match).hands[1])
    assert f"bo {hands} Boneyard" in told


def test_a_match_without_a_round_has_no_table(staff: Client, transactional_db: None) -> None:
    match = make_match([make_user("ada"), make_user("bo")])
    told = text(staff.get(page_of(match)))
    assert "Nothing yet." in told
    assert "The table is empty." in told


def test_seats_show_their_ratings(staff: Client, match: Match) -> None:
    match.seats.filter(seat=0).update(rating=1723, provisional=False)
    assert "1723" in text(staff.get(page_of(match)))


def test_a_long_match_takes_no_more_queries(staff: Client, match: Match) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            assert staff.get(page_of(match)).status_code == 200
        return len(asked)

    queries()
    before = queries()
    play_on(match, 40)
    assert queries() == before


def test_the_list_takes_no_more_queries_for_more_matches(staff: Client, match: Match) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            staff.get("/admin/games/match/")
        return len(asked)

    queries()
    before = queries()
    for n in range(3):
        make_match([make_user(f"one{n}"), make_user(f"two{n}")])
    assert queries() == before


def test_no_page_needs_what_the_policy_forbids(staff: Client, match: Match) -> None:
    for address in (page_of(match), f"/admin/games/match/{match.pk}/void/", "/admin/"):
        page = staff.get(address)
        content = page.content.decode()
        assert "default-src 'self'" in page.headers["Content-Security-Policy"]
        assert " style=" not in content
        assert "<style" not in content
        assert not re.search(r"<script(?![^>]*\bsrc=)", content)


# Nothing is changed by hand


@pytest.mark.parametrize("action", ["add/", "{}/change/", "{}/delete/"])
def test_nothing_is_changed_by_hand(staff: Client, match: Match, action: str) -> None:
    address = f"/admin/games/match/{action.format(match.pk)}"
    assert staff.post(address, {"rated": "on"}).status_code == 403
    match.refresh_from_db()
    assert match.version == 4


def test_players_do_not_get_in(match: Match) -> None:
    client = signed_in(User.objects.get(username="ada"))
    assert client.get("/admin/games/match/").status_code == 302
    assert client.get(page_of(match)).status_code == 302


def test_it_takes_the_permission_to_look(match: Match) -> None:
    nobody = member("view_user")
    assert nobody.get("/admin/games/match/").status_code == 403
    assert nobody.get(page_of(match)).status_code == 403
    looker = member("view_match", name="looker")
    page = looker.get(page_of(match))
    assert "start" in text(page)
    assert_hides(page, match)
    assert "Void this match" not in text(page)


def test_no_such_match(staff: Client) -> None:
    assert staff.get("/admin/games/match/nothing/change/").status_code == 302  # to the index


def test_who_has_played_is_not_deleted(staff: Client, match: Match) -> None:
    ada = User.objects.get(username="ada")
    address = f"/admin/accounts/user/{ada.pk}/delete/"
    assert "protected related objects" in text(staff.get(address))
    assert "protected related objects" in text(staff.post(address, {"post": "yes"}))
    listed = {"action": "delete_selected", "_selected_action": str(ada.pk), "post": "yes"}
    staff.post("/admin/accounts/user/", listed)
    assert User.objects.filter(pk=ada.pk).exists()


def test_service_windows_are_there_to_read(staff: Client) -> None:
    window = make_window(NOW, NOW + 61_000, "broken")
    listed = staff.get("/admin/games/servicewindow/").content.decode()
    assert "Jan. 15, 2027, 08:01" in listed
    shown = staff.get(f"/admin/games/servicewindow/{window.pk}/change/")
    assert shown.status_code == 200
    for action in ("add/", f"{window.pk}/change/", f"{window.pk}/delete/"):
        assert staff.post(f"/admin/games/servicewindow/{action}", {}).status_code == 403


def test_challenges_of_every_kind_are_there_to_read(staff: Client) -> None:
    ada, bo = make_user("ada"), make_user("bo")
    offers = [
        Challenge.objects.create(creator=ada, kind=kind, to=bo if kind == "direct" else None)
        for kind in Challenge.Kind.values
    ]
    listed = text(staff.get("/admin/games/challenge/?q=ada"))
    for offer in offers:
        assert offer.get_kind_display() in listed
        address = f"/admin/games/challenge/{offer.pk}/"
        assert staff.get(f"{address}change/").status_code == 200
        assert staff.post(f"{address}change/", {}).status_code == 403
        assert staff.post(f"{address}delete/", {"post": "yes"}).status_code == 403
    direct = text(staff.get("/admin/games/challenge/?kind__exact=direct"))
    assert offers[0].pk not in direct


def test_ratings_and_their_changes_are_there_to_read(staff: Client, match: Match) -> None:
    resigned(match)
    ada = User.objects.get(username="ada")
    rating, change = Rating.objects.get(user=ada), RatingChange.objects.get(user=ada)
    assert rating.value == 1480
    assert "1480" in text(staff.get("/admin/ratings/rating/?q=ada"))
    listed = text(staff.get("/admin/ratings/ratingchange/?q=ada&kind__exact=match"))
    assert "-20" in listed
    assert match.pk in listed
    for address in (f"rating/{rating.pk}", f"ratingchange/{change.pk}"):
        assert staff.get(f"/admin/ratings/{address}/change/").status_code == 200
        assert staff.post(f"/admin/ratings/{address}/change/", {"value": "3000"}).status_code == 403
        assert staff.post(f"/admin/ratings/{address}/delete/", {"post": "y"}).status_code == 403
    assert member("view_match").get("/admin/ratings/rating/").status_code == 403
    assert member("view_rating", name="reader").get("/admin/ratings/rating/").status_code == 200


@pytest.mark.parametrize(
    "question",
    [
        "games/match/?snapshot__hands__1__icontains=6-5",
        "games/match/?snapshot__boneyard__0__icontains=5-4",
        "games/match/?snapshot__contains=6-6",
        "games/match/?snapshot__isnull=0",
        "games/match/?events__data__icontains=6-5",
        "games/match/?events__isnull=0",
        "games/match/?seats__match__snapshot__icontains=6-5",
        "games/match/?rematches__previous__snapshot__icontains=6-5",
        "games/match/?reports__match__snapshot__icontains=6-5",
        "games/challenge/?match__snapshot__icontains=6-5",
        "games/challenge/?previous__snapshot__icontains=6-5",
        "games/challenge/?match__events__data__icontains=6-5",
        "games/report/?match__snapshot__icontains=6-5",
        "games/report/?match__events__data__icontains=6-5",
        "games/report/?player__seats__match__snapshot__icontains=6-5",
        "accounts/user/?seats__match__snapshot__icontains=6-5",
        "accounts/user/?challenges__match__snapshot__icontains=6-5",
        "accounts/user/?reports__match__snapshot__icontains=6-5",
        "accounts/suspension/?user__seats__match__snapshot__icontains=6-5",
        "accounts/block/?blocked__seats__match__snapshot__icontains=6-5",
        "ratings/rating/?user__seats__match__snapshot__icontains=6-5",
        "ratings/ratingchange/?opponent__seats__match__snapshot__icontains=6-5",
        "admin/logentry/?user__seats__match__snapshot__icontains=6-5",
        "auth/group/?user__seats__match__snapshot__icontains=6-5",
        "account/emailaddress/?user__seats__match__snapshot__icontains=6-5",
    ],
)
def test_no_list_can_be_asked_about_hidden_tiles(
    staff: Client, match: Match, question: str
) -> None:
    assert staff.get(f"/admin/{question}").status_code == 400


def test_no_list_is_sorted_or_searched_by_hidden_tiles(staff: Client, match: Match) -> None:
    """A search finds nothing of the snapshot or the events; nobody is asked for choices."""
    for question in ("q=hands", "q=boneyard", "q=snapshot", "o=-9.9", "o=1.2.3.4.5.6"):
        page = staff.get(f"/admin/games/match/?{question}")
        assert_hides(page, match)
        assert (f"{match.pk}/change" in page.content.decode()) is question.startswith("o=")
    sources = {"app_label": "games", "model_name": "challenge", "field_name": "match", "term": "6"}
    for source in (sources, {**sources, "term": ""}):
        assert_hides(staff.get("/admin/autocomplete/", source), match)


@pytest.mark.parametrize(
    "question",
    [
        "games/match/?id=%00",
        "games/challenge/?state__exact=a%00b",
        "games/challenge/?created_at__year=-1",
        "games/match/?created_at__year=9223372036854775808",
        "accounts/user/?email=%00",
        "auth/group/?name=%00",
        "admin/logentry/?object_id=%00",
    ],
)
def test_a_question_that_no_database_takes_finds_nothing(staff: Client, question: str) -> None:
    page = staff.get(f"/admin/{question}")
    assert page.headers["Location"].endswith("?e=1")


@pytest.mark.parametrize("rows", ["games/match", "games/challenge"])
@pytest.mark.parametrize("page", ["change", "history", "delete", "void", "annul"])
def test_nothing_is_stored_under_an_id_that_no_database_takes(
    staff: Client, rows: str, page: str
) -> None:
    assert staff.get(f"/admin/{rows}/%00/{page}/").status_code in {302, 403, 404}


def test_every_model_of_the_site_is_guarded() -> None:
    """A model that comes into the admin later says what its list may be asked, too."""
    from django.contrib import admin

    from accounts.admin.common import AskedByWhatIsShown

    for model, model_admin in admin.site._registry.items():
        if model._meta.app_label in {"games", "accounts", "ratings"}:
            assert isinstance(model_admin, AskedByWhatIsShown), model
            assert "snapshot" not in model_admin.askable
            assert "data" not in model_admin.askable


# The first page


def test_the_first_page_says_what_waits(staff: Client, match: Match) -> None:
    assert "No report waits for staff." in text(staff.get("/admin/"))
    ada, bo = (seat.user for seat in match.seats.order_by("seat"))
    assert ada is not None
    reports.report(ada, "other", "Look.", player=bo)
    reports.report(ada, "other", "Look.", match=match)
    page = staff.get("/admin/")
    assert "2 reports wait for staff" in text(page)
    assert 'href="/admin/games/report/?state__exact=open"' in page.content.decode()
    Report.objects.filter(match=None).update(state="upheld")
    assert "1 report waits for staff" in text(staff.get("/admin/"))
    assert "for staff" not in text(member("view_match").get("/admin/"))
