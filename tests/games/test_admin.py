"""Staff see what happened, change none of it, and see no hand of a live match."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from accounts.models import User
from games.models import Match

from .factory import NOW, begun, deal, make_match, make_user, make_window

pytestmark = pytest.mark.django_db

DEALT = deal("6-6 1-0 2-0 2-1 3-0 3-1 3-2", "6-5 6-4 6-3 6-2 6-1 6-0 5-5")


@pytest.fixture
def staff() -> Client:
    User.objects.create_superuser("staff", "staff@example.org", "pass-word-9")
    client = Client()
    client.force_login(User.objects.get(username="staff"))
    return client


@pytest.fixture
def match() -> Match:
    return make_match([make_user("ada"), make_user("bo")], begun(DEALT))


def test_the_list_names_the_players_and_finds_them(staff: Client, match: Match) -> None:
    page = staff.get("/admin/games/match/", {"q": "ada"}).content.decode()
    assert match.pk in page
    assert "ada – bo" in page


def test_the_hands_of_a_live_match_are_shown_to_nobody(staff: Client, match: Match) -> None:
    page = staff.get(f"/admin/games/match/{match.pk}/change/").content.decode()
    assert "start" in page
    page = re.sub(r"<svg.*?</svg>", "", page, flags=re.DOTALL)  # figures of drawings
    for tile in (*DEALT.hands[0], *DEALT.hands[1], *DEALT.boneyard):
        assert str(tile) not in page


@pytest.mark.parametrize("action", ["add/", "{}/change/", "{}/delete/"])
def test_nothing_is_changed_by_hand(staff: Client, match: Match, action: str) -> None:
    address = f"/admin/games/match/{action.format(match.pk)}"
    assert staff.post(address, {"rated": "on"}).status_code == 403
    match.refresh_from_db()
    assert match.version == 4


def test_players_do_not_get_in(match: Match) -> None:
    client = Client()
    client.force_login(User.objects.get(username="ada"))
    assert client.get("/admin/games/match/").status_code == 302


def test_service_windows_are_there_to_read(staff: Client) -> None:
    window = make_window(NOW, NOW + 61_000, "broken")
    listed = staff.get("/admin/games/servicewindow/").content.decode()
    assert "Jan. 15, 2027, 8:01 a.m." in listed
    shown = staff.get(f"/admin/games/servicewindow/{window.pk}/change/")
    assert shown.status_code == 200
    for action in ("add/", f"{window.pk}/change/", f"{window.pk}/delete/"):
        assert staff.post(f"/admin/games/servicewindow/{action}", {}).status_code == 403


@pytest.mark.parametrize(
    "question",
    [
        "games/match/?snapshot__hands__1__icontains=6-5",
        "games/match/?snapshot__boneyard__0__icontains=5-4",
        "games/match/?snapshot__contains=6-6",
        "games/match/?snapshot__isnull=0",
        "games/match/?events__data__icontains=6-5",
        "games/match/?seats__match__snapshot__icontains=6-5",
        "games/challenge/?match__snapshot__icontains=6-5",
        "games/challenge/?match__events__data__icontains=6-5",
        "accounts/user/?seats__match__snapshot__icontains=6-5",
        "accounts/user/?challenges__match__snapshot__icontains=6-5",
    ],
)
def test_no_list_can_be_asked_about_hidden_tiles(
    staff: Client, match: Match, question: str
) -> None:
    assert staff.get(f"/admin/{question}").status_code == 400


def test_a_list_is_filtered_by_what_it_shows(staff: Client, match: Match) -> None:
    for question in ("rated__exact=1", "reason__exact=", "winner__isnull=True", "pk__exact=x"):
        assert staff.get(f"/admin/games/match/?{question}").status_code == 200
