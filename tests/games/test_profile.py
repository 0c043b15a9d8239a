"""The page of a player: rating and its chart, results, opponents, figures, every match."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.db import connection
from django.template import Context, Template
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import services as accounts
from accounts.models import User
from accounts.templatetags.players import player as named
from games import profiles, store
from games.models import Match, Seat, Tally
from ratings import history, services
from ratings.history import Point, thinned
from ratings.models import Rating, RatingChange
from tests.games.factory import NOW, make_match, make_user
from tests.games.test_pages import audit
from tests.ratings.matches import left, resigned, timed_out, voided

pytestmark = pytest.mark.django_db


@pytest.fixture
def boss() -> User:
    return User.objects.create_superuser("Boss", "boss@example.org", "pass-word-9")


def get(address: str, user: User | None = None, **headers: str) -> Any:
    client = Client()
    if user:
        client.force_login(user)
    return client.get(address, headers=headers)


def text(response: Any) -> str:
    page = re.sub(r"<[^>]+>", " ", response.content.decode())
    return " ".join(unescape(page).split())


def changes(user: User, values: list[int]) -> None:
    """A history of a rating, a change a day."""
    first = datetime(2026, 1, 1, tzinfo=UTC)
    RatingChange.objects.bulk_create(
        RatingChange(
            user=user,
            match_id=f"m{n}",
            opponent=user,
            opponent_before=1500,
            won=True,
            number=n,
            k=20,
            before=1500,
            after=value,
            at=first + timedelta(days=n),
        )
        for n, value in enumerate(values, 1)
    )


def bulk_matches(player: User, others: list[User], count: int) -> None:
    """Finished matches without a log, all won by ``player``."""
    at = timezone.now()
    matches = Match.objects.bulk_create(
        Match(epoch=NOW, rated=True, snapshot={}, ended_at=at, winner=0, reason="chips")
        for _ in range(count)
    )
    seats = Seat.objects.bulk_create(
        Seat(match=match, seat=seat, user=user, name=user.username, live=False)
        for n, match in enumerate(matches)
        for seat, user in enumerate((player, others[n % len(others)]))
    )
    Tally.objects.bulk_create(Tally(seat=seat, rounds=1) for seat in seats)


# How a player is named


def test_a_name_is_a_link_with_a_rating_where_one_is_given(ada: User) -> None:
    link = '<a class="player" href="/players/Ada/">Ada</a>'
    assert named(ada) == named("Ada") == link
    assert named(ada, 1512).startswith(f'<span class="rated-player">{link}')
    assert ">1512</span>" in named("Ada", 1512)
    assert ">1512?</span>" in named("Ada", 1512, provisional=True)
    assert ">1500?</span>" in named(ada, Rating(user=ada))


def test_a_name_is_told_as_text_and_without_a_link_where_none_leads_anywhere(ada: User) -> None:
    assert named("<b>/x") == "&lt;b&gt;/x"
    assert named('"&?') == '<a class="player" href="/players/%22&amp;%3F/">&quot;&amp;?</a>'
    ada.is_active = False
    assert named(ada) == "Ada"
    assert named(None) == ""
    drawn = Template("{% load players %}{% player who %}").render(Context({"who": "<i>"}))
    assert "<i>" not in drawn


# Who is found


def test_a_name_in_any_case_leads_to_its_right_spelling(ada: User) -> None:
    assert get("/players/aDA/?page=2&kind=rated")["Location"] == "/players/Ada/?page=2&kind=rated"
    assert get("/players/Ada/").status_code == 200
    changes(ada, [1520])
    assert get("/players/ADA/rating.svg")["Location"] == "/players/Ada/rating.svg"


@pytest.mark.parametrize("name", ["Nobody", "A%25a", "A_a", "%00", "Gone", "%3Cscript%3E", "Adа"])
def test_nobody_of_that_name(ada: User, name: str) -> None:
    User.objects.filter(pk=make_user("Gone").pk).update(is_active=False)
    assert get(f"/players/{name}/").status_code == 404
    assert get(f"/players/{name}/rating.svg").status_code == 404


def test_a_name_with_every_sign_there_is() -> None:
    user = make_user("-_a-B_9-_")
    page = get("/players/-_a-B_9-_/", user)
    assert page.status_code == 200
    assert audit(page.content.decode()) == []


# Somebody new


def test_an_empty_profile(ada: User, bo: User) -> None:
    page = get("/players/Ada/")
    assert "Rating 1500? provisional" in text(page)
    assert "0 of 10 rated matches" in text(page)
    assert "Ada has not finished a match yet." in text(page)
    assert "rating.svg" not in page.content.decode()
    assert "You have not finished a match yet." in text(get("/players/Ada/", ada))
    assert get("/players/Ada/rating.svg").status_code == 404
    for visitor in (None, ada, bo):
        assert audit(get("/players/Ada/", visitor).content.decode()) == []


# What everybody sees


def test_figures_at_the_top(ada: User, bo: User) -> None:
    for _ in range(10):
        resigned(ada, bo)
    mine = services.standing(ada.pk)
    assert mine.peak == mine.value
    shown = text(get("/players/Ada/"))
    assert f"Rating {mine.value} Rank 1 Peak {mine.value} Rated matches 10" in shown
    assert "10 won, 0 lost" in shown
    assert "Rank 2" in text(get("/players/Bo/"))
    assert "Here since" in shown


def test_a_running_match_is_shown(ada: User, bo: User) -> None:
    match = make_match([ada, bo])
    page = get("/players/Ada/")
    assert "Playing now against Bo" in text(page)
    assert f'href="{match.get_absolute_url()}">Watch' in page.content.decode()
    assert "has not finished a match yet" in text(page)


def test_results_by_kind_and_manner(ada: User, bo: User, boss: User) -> None:
    resigned(ada, bo)
    resigned(ada, bo)
    timed_out(bo, ada)
    resigned(bo, ada, rated=False)
    left(ada, bo)
    store.annul(resigned(ada, bo).pk, boss, "A test.", NOW)
    found = profiles.results(ada)
    assert dict(found.counts) == {
        (True, True, "resignation"): 2,
        (True, False, "time"): 1,
        (False, False, "resignation"): 1,
    }
    assert (found.void, found.annulled, found.finished) == (1, 1, 6)
    assert found.totals == [2, 1, 0, 1]
    shown = text(get("/players/Ada/"))
    assert "resignation 2 0 0 1" in shown
    assert "all 2 1 0 1" in shown
    assert "Not counted: 1 void match, 1 annulled match" in shown


def test_head_to_head(ada: User, bo: User, cy: User, boss: User) -> None:
    for _ in range(2):
        resigned(ada, bo)
    resigned(bo, ada, rated=False)
    resigned(cy, ada)
    left(ada, cy)
    store.annul(resigned(ada, cy).pk, boss, "A test.", NOW)

    def told(first: User | None = None) -> list[tuple[str, int, int]]:
        records = profiles.head_to_head(ada, first)
        return [(record.opponent.username, record.won, record.lost) for record in records]

    assert told() == told(boss) == told(ada) == [("Bo", 2, 1), ("Cy", 0, 1)]
    assert told(cy) == [("Cy", 0, 1), ("Bo", 2, 1)]
    assert "Cy you 0 1" in text(get("/players/Ada/", cy))


@pytest.mark.spoils_matches
def test_head_to_head_has_a_bound_and_the_visitor_is_within_it(ada: User) -> None:
    others = User.objects.bulk_create(
        User(username=f"o{n}", email=f"o{n}@example.org") for n in range(15)
    )
    bulk_matches(ada, others, 30)
    bulk_matches(ada, others[:3], 3)
    records = profiles.head_to_head(ada, others[14])
    assert [r.opponent for r in records] == [others[14], *others[:9]]
    assert [r.won for r in records] == [2, 3, 3, 3, *[2] * 6]


@pytest.mark.spoils_matches
def test_figures_are_sums_over_the_matches_that_count(ada: User, bo: User) -> None:
    bulk_matches(ada, [bo], 3)
    mine = Tally.objects.filter(seat__user=ada).order_by("pk")
    mine.update(rounds=4, rounds_won=1, from_ends=100, from_blocks=20, from_auctions=30)
    mine.update(bids=3, bought=1, paid=15, brought=-5, decisions=20, thought=50_000, bank=30_000)
    Match.objects.filter(pk=mine[2].seat.match_id).update(annulled_at=timezone.now())
    found = profiles.figures(ada)
    assert (found.matches, found.rounds, found.points, found.bids) == (2, 8, 300, 6)
    shown = text(get("/players/Ada/"))
    for words in (
        "open ends 200 100.0",
        "blocks 40 20.0",
        "openings the other bought 60 30.0",
        "all 300 150.0",
        "Rounds gone out 2 (25 %)",
        "Openings bought 2",
        "Paid for an opening 15.0 of 30 in all",
        "-5.0 of -10 in all",
        "Time for a decision 2.5 s",
        "Bank used in a match 0:30",
        "From 2 matches that count",
    ):
        assert words in shown


def test_what_the_end_of_a_match_stores_is_what_the_page_sums_up(ada: User, bo: User) -> None:
    resigned(ada, bo)
    found = profiles.figures(bo)
    assert (found.matches, found.rounds) == (1, 1)


# The chart


def test_the_chart_and_the_table_have_the_same_figures(ada: User) -> None:
    changes(ada, [1520, 1507, 1526])
    page = get("/players/Ada/")
    assert [point.value for point in page.context["points"]] == [1500, 1520, 1507, 1526]
    assert "0 at the start 1500 1 Jan. 2, 2026 1520 2 Jan. 3, 2026 1507 3" in text(page)
    assert re.search(
        r'<img class="chart" src="/players/Ada/rating.svg\?v=\d+"', page.content.decode()
    )
    assert drawn_values(ada) == [1500, 1520, 1507, 1526]


def drawn_values(user: User) -> list[int]:
    """The ratings that a chart shows, read off its line by the labels of the axis."""
    root = ET.fromstring(get(f"/players/{user.username}/rating.svg").content)
    ns = "{http://www.w3.org/2000/svg}"
    axis = next(g for g in root.iter(f"{ns}g") if "axis y" in g.get("class", ""))
    marks = {}
    for guide in axis.iter(f"{ns}g"):
        label, path = guide.find(f"{ns}text"), guide.find(f"{ns}path")
        if label is not None and path is not None:
            marks[int(label.text or "")] = float(re.findall(r"[\d.]+", path.get("d", ""))[1])
    (low, y_low), (high, y_high) = min(marks.items()), max(marks.items())
    line = next(p for p in root.iter(f"{ns}path") if "reactive" in p.get("class", ""))
    ys = [float(y) for y in re.findall(r"[\d.]+ ([\d.]+)", line.get("d", ""))]
    return [round(low + (y - y_low) * (high - low) / (y_high - y_low)) for y in ys]


def test_a_long_history_is_thinned_the_same_way_in_both(ada: User) -> None:
    values = [1500 + n % 37 - n % 11 for n in range(1000)]
    values[500], values[700] = 1900, 1100
    changes(ada, values)
    points = get("/players/Ada/").context["points"]
    assert len(points) <= history.MOST
    assert drawn_values(ada) == [point.value for point in points]
    shown = [point.value for point in points]
    assert (shown[0], shown[-1], max(shown), min(shown)) == (1500, values[-1], 1900, 1100)


@pytest.mark.parametrize("count", [1, 2, 99, 100, 101, 5000])
def test_thinning_keeps_order_ends_and_extremes(count: int) -> None:
    points = [Point(n, 1500 + (n * 7919) % 613) for n in range(count)]
    kept = thinned(points)
    assert len(kept) == min(count, 100)
    assert kept == sorted(kept)
    assert set(kept) <= set(points)
    for extreme in (min, max):
        assert extreme(p.value for p in kept) == extreme(p.value for p in points)


def test_the_chart_runs_nothing_and_leads_nowhere(ada: User) -> None:
    changes(ada, [1520, 1507])
    response = get("/players/Ada/rating.svg")
    assert response["Content-Type"].startswith("image/svg+xml")
    assert "default-src 'none'" in response["Content-Security-Policy"]
    picture = response.content.decode()
    assert "<script" not in picture
    assert not re.search(r"href|url\(|@import|\son\w+=|<!--|<\?xml-stylesheet", picture)
    assert set(re.findall(r"https?://[^\"' ]+", picture)) <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
    }
    assert "<title>Rating history of Ada</title>" in picture
    assert "@media (prefers-color-scheme:dark)" in picture


def test_a_chart_is_kept_until_the_rating_changes(ada: User) -> None:
    changes(ada, [1520])
    address = "/players/Ada/rating.svg"
    first = get(address)
    assert "public" in first["Cache-Control"]
    assert "max-age" in first["Cache-Control"]
    assert "Cookie" in first["Vary"]  # its title and days are in the language that was chosen
    again = get(address, if_none_match=first["ETag"])
    assert (again.status_code, again.content) == (304, b"")
    assert again["ETag"] == first["ETag"]
    assert get(address, if_modified_since=first["Last-Modified"]).status_code == 304
    services.record("other", winner=ada.pk, loser=make_user("Bo").pk, at=timezone.now())
    later = get(address, if_none_match=first["ETag"])
    assert later.status_code == 200
    assert later["ETag"] != first["ETag"]


def test_an_annulled_match_is_a_step_back_in_the_history(ada: User, bo: User, boss: User) -> None:
    store.annul(resigned(ada, bo).pk, boss, "A test.", NOW)
    assert [p.value for p in history.history_of(ada.pk)] == [1500, 1520, 1500]
    assert "a match annulled" in text(get("/players/Ada/"))


# The matches


def rows(response: Any) -> list[tuple[str, str, str, int | None]]:
    return [
        (line.opponent.name, line.outcome, line.manner, line.change)
        for line in response.context["played"]
    ]


@pytest.fixture
def varied(ada: User, bo: User, cy: User, boss: User) -> list[Match]:
    """Matches of Ada's, each an hour after the one before."""
    hour = 3_600_000
    return [
        resigned(ada, bo, now=NOW),
        timed_out(cy, ada, now=NOW + hour),
        resigned(bo, ada, rated=False, now=NOW + 2 * hour),
        left(cy, ada, now=NOW + 3 * hour),
        voided(ada, bo, now=NOW + 4 * hour),
    ]


def test_every_match_is_listed_the_newest_first(varied: list[Match]) -> None:
    page = get("/players/Ada/")
    lost = RatingChange.objects.get(match_id=varied[1].pk, won=False).difference
    assert lost < 0
    assert rows(page) == [
        ("Bo", "Void", "ended by staff", None),
        ("Cy", "Void", "left", None),
        ("Bo", "Lost", "resignation", None),
        ("Cy", "Lost", "time", lost),
        ("Bo", "Won", "resignation", 20),
    ]
    for match in varied:
        assert f'href="{match.get_absolute_url()}"' in page.content.decode()
    assert audit(page.content.decode()) == []


@pytest.mark.parametrize(
    ("query", "chosen"),
    [
        ("kind=rated", [4, 3, 1, 0]),
        ("kind=casual", [2]),
        ("result=won", [0]),
        ("result=lost", [2, 1]),
        ("result=void", [4, 3]),
        ("opponent=cY", [3, 1]),
        ("opponent=Bo&result=lost", [2]),
        ("kind=nonsense&result=nonsense", [4, 3, 2, 1, 0]),
        ("opponent=Ada", []),
        ("opponent=Nobody", []),
        ("opponent=%25", []),
        ("opponent=c%00y", [3, 1]),
    ],
)
def test_matches_can_be_chosen(varied: list[Match], query: str, chosen: list[int]) -> None:
    page = get(f"/players/Ada/?{query}")
    assert [line.match for line in page.context["played"]] == [varied[n] for n in chosen]
    assert ("No match is like that." in text(page)) == (not chosen)


def test_an_annulled_match_is_marked(ada: User, bo: User, boss: User) -> None:
    store.annul(resigned(ada, bo).pk, boss, "A test.", NOW)
    page = get("/players/Ada/")
    assert "Won resignation annulled" in text(page)
    assert re.search(r"<s><span class=.gain up.>\+20</span></s>", page.content.decode())


@pytest.mark.spoils_matches
def test_pages_of_matches_keep_what_was_chosen(ada: User, bo: User) -> None:
    bulk_matches(ada, [bo], 41)
    first = get("/players/Ada/?kind=rated&opponent=bo")
    assert len(first.context["played"]) == 20
    assert 'href="?kind=rated&amp;opponent=bo&amp;page=2#matches"' in first.content.decode()
    assert "Page 1 of 3" in text(first)
    assert len(get("/players/Ada/?page=3").context["played"]) == 1
    for wrong, number in (("0", 3), ("x", 1), ("99", 3), ("-1", 3)):
        assert get(f"/players/Ada/?page={wrong}").context["page"].number == number


def test_what_was_typed_is_told_as_text(ada: User, bo: User) -> None:
    resigned(ada, bo)
    page = get('/players/Ada/?opponent="><script>').content.decode()
    assert "<script>" not in page
    assert "&quot;&gt;&lt;script&gt;" in page


def test_a_name_in_a_list_of_matches_is_told_as_text(ada: User, bo: User) -> None:
    match = resigned(ada, bo)
    Seat.objects.filter(match=match, user=bo).update(user=None, name="<i>Bo</i>")
    assert "<i>Bo" not in get("/players/Ada/").content.decode()


# What a visitor may do


def test_signed_out_one_is_asked_to_sign_in(ada: User) -> None:
    page = get("/players/Ada/").content.decode()
    assert 'href="/accounts/login/?next=/players/Ada/"' in page
    assert "/players/Ada/block/" not in page
    assert "/players/Ada/report/" not in page


def test_on_ones_own_page_there_is_nobody_to_challenge(ada: User) -> None:
    page = get("/players/Ada/", ada).content.decode()
    for action in ("challenge", "block", "report"):
        assert f"/players/Ada/{action}/" not in page
    assert '<span class="you">you</span>' in page


def test_another_can_be_challenged_blocked_and_reported(ada: User, bo: User) -> None:
    page = get("/players/Ada/", bo).content.decode()
    for action in ("challenge", "block", "report"):
        assert f'"/players/Ada/{action}/"' in page
    assert "/players/Ada/unblock/" not in page
    for kind in ("rated", "casual"):
        assert f'name="kind" value="{kind}"' in page


def test_whoever_is_blocked_can_be_unblocked_but_not_challenged(ada: User, bo: User) -> None:
    accounts.block(bo, ada)
    page = get("/players/Ada/", bo).content.decode()
    assert "/players/Ada/unblock/" in page
    for action in ("challenge", "block"):
        assert f'"/players/Ada/{action}/"' not in page
    # The other is not told.
    assert "/players/Bo/block/" in get("/players/Bo/", ada).content.decode()


def test_only_staff_see_that_somebody_is_suspended(ada: User, bo: User, boss: User) -> None:
    accounts.suspend(ada, boss, "Stalling <again>", None)
    assert "Suspended without an end: Stalling <again>" in text(get("/players/Ada/", boss))
    for visitor in (None, bo):
        assert "Stalling" not in text(get("/players/Ada/", visitor))
    assert "Suspended without an end" not in text(get("/players/Ada/", ada))


def test_pages_are_read_and_never_stored(ada: User, client: Client) -> None:
    assert client.post("/players/Ada/").status_code == 405
    assert client.post("/players/Ada/rating.svg").status_code == 405
    assert "no-store" in client.get("/players/Ada/")["Cache-Control"]


# Queries


@pytest.mark.spoils_matches
@pytest.mark.parametrize("query", ["", "?kind=rated&result=won&opponent=o1"])
def test_queries_do_not_grow(ada: User, query: str) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert client.get(f"/players/Ada/{query}").status_code == 200
        return len(captured)

    others = User.objects.bulk_create(
        User(username=f"o{n}", email=f"o{n}@example.org") for n in range(30)
    )
    client = Client()
    client.force_login(others[1])
    bulk_matches(ada, others[:2], 10)
    changes(ada, [1510] * 10)
    queries()  # what is kept for a while is fetched now
    few = queries()
    bulk_matches(ada, others, 190)
    RatingChange.objects.all().delete()
    changes(ada, [1510] * 200)
    assert queries() == few
