"""The ladder: who is in it, in which order, and how one finds oneself."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from ratings import ladder
from ratings.models import ESTABLISHED, Rating, RatingChange
from ratings.templatetags.figures import gain
from tests.games.factory import make_user

pytestmark = pytest.mark.django_db


def stand(name: str, value: int, matches: int = 12, *, days_ago: float = 1) -> User:
    """A player with a rating, whose last rated match was some days ago."""
    user = make_user(name)
    won = matches // 2
    Rating.objects.create(
        user=user,
        value=value,
        matches=matches,
        won=won,
        lost=matches - won,
        last_played=timezone.now() - timedelta(days=days_ago),
    )
    return user


def crowd(count: int, value: int = 1500) -> list[User]:
    """Many ranked players at once, each one point below the one before."""
    users = User.objects.bulk_create(
        User(username=f"p{n:03}", email=f"p{n}@example.org") for n in range(count)
    )
    at = timezone.now()
    Rating.objects.bulk_create(
        Rating(user=user, value=value - n, matches=10, won=4, lost=6, last_played=at)
        for n, user in enumerate(users)
    )
    return users


def change(user: User, before: int, after: int, *, days_ago: float) -> None:
    RatingChange.objects.create(
        user=user,
        match_id=f"m{RatingChange.objects.count()}",
        opponent=user,
        opponent_before=1500,
        won=after > before,
        number=1,
        k=20,
        before=before,
        after=after,
        at=timezone.now() - timedelta(days=days_ago),
    )


def get(address: str = "/ladder/", user: User | None = None) -> Any:
    client = Client()
    if user:
        client.force_login(user)
    return client.get(address)


def text(response: Any) -> str:
    page = re.sub(r"<[^>]+>", " ", response.content.decode())
    return " ".join(unescape(page).split())


def told(response: Any) -> list[tuple[int, str]]:
    """Ranks and names, as they stand on the page."""
    return [(row.rank, row.rating.user.username) for row in response.context["rows"]]


def test_the_best_come_first_and_equals_share_a_rank() -> None:
    for name, value in (("Ada", 1600), ("Bo", 1700), ("Cy", 1600), ("Di", 1500)):
        stand(name, value)
    page = get()
    assert told(page) == [(1, "Bo"), (2, "Ada"), (2, "Cy"), (4, "Di")]
    assert "4 players" in text(page)
    for name in ("Ada", "Bo", "Cy", "Di"):
        assert f'<a class="player" href="/players/{name}/">{name}</a>' in page.content.decode()


def test_a_rank_is_the_same_wherever_it_is_told() -> None:
    users = crowd(120)
    Rating.objects.filter(user__in=users[40:60]).update(value=1460)  # across a border of pages
    for number in (1, 2, 3):
        for row in get(f"/ladder/?page={number}").context["rows"]:
            assert row.rank == ladder.rank_of(row.rating)


def test_provisional_ratings_have_no_rank() -> None:
    stand("Ada", 1600, ESTABLISHED)
    new = stand("Bo", 1900, ESTABLISHED - 1)
    assert told(get()) == [(1, "Ada")]
    assert ladder.rank_of(Rating.objects.get(user=new)) is None


def test_who_is_gone_is_not_shown_and_takes_no_rank() -> None:
    gone, ada = stand("Gone", 1900), stand("Ada", 1600)
    User.objects.filter(pk=gone.pk).update(is_active=False)
    assert told(get()) == [(1, "Ada")]
    assert ladder.rank_of(Rating.objects.get(user=ada)) == 1


def test_figures_of_a_row() -> None:
    stand("Ada", 1600, 13, days_ago=3)
    day = (timezone.now() - timedelta(days=3)).date()
    page = get()
    assert "1 Ada 6 won, 7 lost, last played" in text(page)
    assert f'<time datetime="{day.isoformat()}' in page.content.decode()


# The trend


def test_the_trend_is_the_change_of_the_last_30_days() -> None:
    ada, bo, cy = stand("Ada", 1620), stand("Bo", 1590), stand("Cy", 1500)
    change(ada, 1500, 1580, days_ago=31)
    change(ada, 1580, 1600, days_ago=29)
    change(ada, 1600, 1620, days_ago=1)
    change(bo, 1600, 1590, days_ago=2)
    change(cy, 1480, 1500, days_ago=40)
    trends = {row.rating.user.username: row.trend for row in get().context["rows"]}
    assert trends == {"Ada": 40, "Bo": -10, "Cy": None}
    assert "+40" in text(get())
    assert "−10" in text(get())


@pytest.mark.parametrize(("points", "shown"), [(3, "+3"), (-3, "−3"), (0, "±0"), (None, "–")])
def test_a_gain_has_its_sign(points: int | None, shown: str) -> None:
    assert f">{shown}<" in gain(points)


# Choosing


def test_only_the_active() -> None:
    stand("Ada", 1600, days_ago=29)
    stand("Bo", 1700, days_ago=31)
    page = get("/ladder/?active=1")
    assert told(page) == [(2, "Ada")]  # the rank is the one among all
    assert 'name="active" value="1" checked' in page.content.decode()


def test_by_the_beginning_of_a_name_in_any_case() -> None:
    for name, value in (("Adam", 1500), ("ada", 1600), ("Bad", 1700), ("a_b", 1400)):
        stand(name, value)
    assert told(get("/ladder/?name=AD")) == [(2, "ada"), (3, "Adam")]
    assert told(get("/ladder/?name=a_")) == [(4, "a_b")]
    assert told(get("/ladder/?name=%25")) == []
    assert told(get("/ladder/?name=a%00d")) == [(2, "ada"), (3, "Adam")]


def test_what_was_asked_for_stays_on_the_other_pages() -> None:
    crowd(60)
    page = get("/ladder/?name=p&active=1").content.decode()
    assert 'href="/ladder/?active=1&amp;name=p&amp;page=2"' in page


def test_what_was_typed_is_told_as_text() -> None:
    page = get('/ladder/?name="><script>').content.decode()
    assert "<script>" not in page
    assert "&quot;&gt;&lt;script&gt;" in page


# Pages


def test_borders_of_pages() -> None:
    crowd(100)
    first, second = get(), get("/ladder/?page=2")
    assert [len(told(page)) for page in (first, second)] == [50, 50]
    assert told(first)[-1] == (50, "p049")
    assert told(second)[0] == (51, "p050")
    assert "Page 2 of 2" in text(second)
    assert 'rel="next"' in first.content.decode()
    assert 'rel="next"' not in second.content.decode()
    assert 'rel="prev" href="/ladder/"' in second.content.decode()


@pytest.mark.parametrize(
    ("number", "shown"),
    [("0", 2), ("-1", 2), ("x", 1), ("99", 2), ("", 1), ("1e9", 1), ("9" * 30, 2)],
)
def test_a_wrong_number_gives_the_nearest_page(number: str, shown: int) -> None:
    crowd(51)
    page = get(f"/ladder/?page={number}")
    assert page.status_code == 200
    assert page.context["page"].number == shown


def test_no_pager_where_one_page_is_all() -> None:
    crowd(50)
    assert "Page 1 of" not in text(get())


# Finding oneself


def test_find_me_leads_to_my_row() -> None:
    me = crowd(120)[70]
    found = get("/ladder/?me=1", me)
    assert found["Location"] == "/ladder/?page=2#me"
    page = get("/ladder/?page=2", me).content.decode()
    assert re.search(r'<tr id="me" class="me">\s*<td class="number">71</td>', page)
    assert 'id="me"' not in get("/ladder/", me).content.decode()


def test_find_me_among_equals_and_at_a_border() -> None:
    users = crowd(120)
    Rating.objects.filter(user__in=users[40:60]).update(value=1460)
    for n, number in ((49, ""), (50, "?page=2"), (99, "?page=2"), (100, "?page=3")):
        assert get("/ladder/?me=1", users[n])["Location"] == f"/ladder/{number}#me"
        assert f'href="/players/{users[n].username}/"' in text_of_me(users[n], number)


def text_of_me(user: User, query: str) -> str:
    found = re.search(
        r'<tr id="me".*?</tr>', get(f"/ladder/{query}", user).content.decode(), re.DOTALL
    )
    assert found
    return found[0]


def test_find_me_among_the_active_only_where_i_am_one() -> None:
    users = crowd(60)
    away = timezone.now() - timedelta(days=31)
    Rating.objects.filter(user__in=users[:5]).update(last_played=away)
    assert get("/ladder/?me=1&active=1", users[52])["Location"] == "/ladder/?active=1#me"
    assert get("/ladder/?me=1&active=1", users[4])["Location"] == "/ladder/#me"


def test_my_rank_is_told() -> None:
    stand("Ada", 1700)
    me = stand("Bo", 1600)
    page = get(user=me)
    assert "Your rank is 2 , with a rating of 1600 ." in text(page)
    assert "Find me" in text(page)


@pytest.mark.parametrize("played", [0, 1, 9])
def test_why_i_am_not_ranked(played: int) -> None:
    me = stand("Ada", 1540, played)
    for address in ("/ladder/", "/ladder/?me=1"):
        page = text(get(address, me))
        assert "You are not ranked yet" in page
        assert "1540?" in page
        assert f"you have played {played} of 10" in page
        assert "Find me" not in page


def test_somebody_who_never_played_and_somebody_signed_out() -> None:
    assert "you have played 0 of 10" in text(get("/ladder/?me=1", make_user("Ada")))
    page = get("/ladder/?me=1")
    assert page.status_code == 200
    assert "Your rank" not in text(page)


# Nobody


def test_empty_ladders_say_so() -> None:
    assert "Nobody is ranked yet" in text(get())
    stand("Ada", 1500, days_ago=40)
    assert "No ranked player was active in the last 30 days" in text(get("/ladder/?active=1"))
    assert "name begins with “x”" in text(get("/ladder/?name=x"))


def test_it_is_read_and_not_posted_to(client: Client) -> None:
    assert client.post("/ladder/").status_code == 405


# Queries


@pytest.mark.parametrize("query", ["", "?active=1", "?name=p", "?me=1"])
def test_queries_do_not_grow(query: str) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            client.get(f"/ladder/{query}")
        return len(captured)

    client = Client()
    client.force_login(crowd(10)[3])
    queries()  # what is kept for a while is fetched now
    few = queries()
    more = User.objects.bulk_create(
        User(username=f"pq{n}", email=f"q{n}@example.org") for n in range(190)
    )
    Rating.objects.bulk_create(
        Rating(user=user, value=1490, matches=10, won=10, last_played=timezone.now())
        for user in more
    )
    assert queries() == few
