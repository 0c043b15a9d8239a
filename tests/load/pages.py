"""How fast the large pages are: ``uv run python -m tests.load.pages [--players N] [--matches N]``.

It makes a test database on whatever ``DATABASE_URL`` names, fills it with ten players and their
matches, and measures ladder and profile; then with many, and measures the same pages again.

Nothing here is a test: it prints what it measured.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from collections.abc import Iterable, Sequence
from datetime import timedelta
from itertools import islice
from statistics import median
from typing import TYPE_CHECKING, Any

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"

if TYPE_CHECKING:
    from django.db.models import Model
    from django.test import Client

    from accounts.models import User

FEW = 10
TIMES = 15  # that every page is asked for
AT_ONCE = 1000  # rows in one statement
CHANGES = 3  # of every player's rating, in the last month or before
RESULTS = ("chips", "chips", "chips", "time", "resignation", "void")


Times = tuple[float, float, int]  # of one page: the best and the median ms, and the queries


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, default=100_000, help="in the ladder")
    parser.add_argument("--matches", type=int, default=5000, help="of one of them")
    options = parser.parse_args()
    django.setup()
    from django.test.utils import (
        setup_databases,
        setup_test_environment,
        teardown_databases,
        teardown_test_environment,
    )

    setup_test_environment()
    databases = setup_databases(verbosity=0, interactive=False)
    try:
        chance = random.Random(7)
        few = players(chance, FEW, "few")
        matches(chance, few[0], few[1:], FEW)
        small = measured(few, FEW)
        many = players(chance, options.players, "many")
        matches(chance, many[0], many[1:40], options.matches)
        settle()
        report(small, measured(many, options.players + FEW))
    finally:
        teardown_databases(databases, verbosity=0)
        teardown_test_environment()


def stored(model: type[Model], rows: Iterable[Any]) -> None:
    """Insert many rows, some at a time."""
    waiting = iter(rows)
    while some := list(islice(waiting, AT_ONCE)):
        model._default_manager.bulk_create(some)


def settle() -> None:
    """What a database does by itself before long: learn what its tables are like."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")


def players(chance: random.Random, count: int, name: str) -> list[User]:
    """Ranked players, half of them active, one in a thousand gone."""
    from django.utils import timezone

    from accounts.models import User
    from ratings.models import Rating, RatingChange

    now = timezone.now()
    stored(
        User,
        (
            User(username=f"{name}-{n}", email=f"{name}{n}@example.org", is_active=n % 1000 != 999)
            for n in range(count)
        ),
    )
    users = list(User.objects.filter(username__startswith=f"{name}-").order_by("pk"))
    lately = [now - timedelta(days=chance.uniform(0, 60)) for _ in users]
    values = [round(chance.gauss(1500, 200)) for _ in users]
    stored(
        Rating,
        (
            Rating(user=user, value=value, matches=12, won=7, lost=5, peak=value, last_played=at)
            for user, value, at in zip(users, values, lately, strict=True)
        ),
    )
    stored(
        RatingChange,
        (
            RatingChange(
                user=user,
                match_id=f"{name[0]}{n}-{user.pk}",
                opponent=users[0],
                opponent_before=1500,
                won=True,
                number=n + 1,
                k=40,
                before=value - 10,
                after=value,
                at=at - timedelta(days=n),
            )
            for user, value, at in zip(users, values, lately, strict=True)
            for n in range(CHANGES)
        ),
    )
    return users


def matches(chance: random.Random, player: User, others: Sequence[User], count: int) -> None:
    """Finished matches of a player, with their tallies and changes of the rating."""
    from django.utils import timezone

    from games.models import Event, Match, Seat, Tally
    from ratings.models import RatingChange

    now = timezone.now()
    ended = [now - timedelta(hours=2 * (count - n)) for n in range(count)]
    reasons = [chance.choice(RESULTS) for _ in ended]
    made = [
        Match(
            epoch=int(at.timestamp() * 1000),
            rated=chance.random() < 0.8,
            snapshot={},
            ended_at=at,
            winner=None if reason == "void" else chance.randrange(2),
            reason=reason,
        )
        for at, reason in zip(ended, reasons, strict=True)
    ]
    stored(Match, made)
    seated = [(match, (player, chance.choice(others))) for match in made]
    seats = [
        Seat(match=match, seat=n, user=user, name=user.username, rating=1500, live=False)
        for match, pair in seated
        for n, user in enumerate(pair)
    ]
    stored(Seat, seats)
    void = [match for match in made if match.winner is None]
    left = {"do": "void", "reason": "abandoned"}
    stored(Event, (Event(match=match, n=1, do="void", data=left) for match in void))
    stored(
        Tally,
        (
            Tally(seat=seat, rounds=6, from_ends=90, bids=4, bought=1, paid=20, decisions=50)
            for seat in seats
            if seat.match.winner is not None
        ),
    )
    value, changes = 1500, []
    for n, ((match, pair), at) in enumerate(zip(seated, ended, strict=True)):
        before, value = value, value + chance.randint(-16, 16)
        changes.append(
            RatingChange(
                user=player,
                match_id=match.pk,
                opponent=pair[1],
                opponent_before=1500,
                won=match.winner == 0,
                number=n + 1,
                k=20,
                before=before,
                after=value,
                at=at,
            )
        )
    stored(RatingChange, changes)


def measured(users: Sequence[User], ranked: int) -> dict[str, Times]:
    """How long each page takes, as the player in the middle gets it."""
    from django.test import Client

    from ratings.ladder import ROWS
    from ratings.models import Rating

    client = Client()
    ids = [user.pk for user in users]
    mine = Rating.objects.filter(pk__in=ids).order_by("-value", "user")[len(ids) // 2]
    client.force_login(mine.user)
    pages = -(-ranked // ROWS)
    opponent = users[1].username
    profile = f"/players/{users[0].username}/"
    addresses = {
        "ladder, first page": "/ladder/",
        "ladder, middle page": f"/ladder/?page={pages // 2}",
        "ladder, last page": "/ladder/?page=999999",
        "ladder, find me": "/ladder/?me=1",
        "ladder, active": "/ladder/?active=1",
        "ladder, active, last page": "/ladder/?active=1&page=999999",
        "ladder, find me among the active": "/ladder/?me=1&active=1",
        "ladder, by name": f"/ladder/?name={users[0].username[:5]}",
        "profile": profile,
        "profile, oldest matches": f"{profile}?page=999999",
        "profile, filtered": f"{profile}?kind=rated&result=won&opponent={opponent}",
        "chart": f"{profile}rating.svg",
    }
    return {page: timed(client, address) for page, address in addresses.items()}


def timed(client: Client, address: str) -> Times:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(
        connection,
    ) as queries:
        response = client.get(address)
    number = len(queries)  # before they are forgotten
    assert response.status_code in (200, 302), (address, response.status_code)
    took = []
    for _ in range(TIMES):
        began = time.perf_counter()
        client.get(address)
        took.append(1000 * (time.perf_counter() - began))
    return min(took), median(took), number


def report(small: dict[str, Times], large: dict[str, Times]) -> None:
    from django.db import connection

    print(f"{connection.vendor}, {TIMES} times each: best and median ms, queries")
    print(f"{'':<34} {'with ten rows':>20} {'with many':>24}")
    for page, few in small.items():
        figures = "    ".join("{:6.1f} {:7.1f} {:5}".format(*each) for each in (few, large[page]))
        print(f"{page:<34} {figures}")


if __name__ == "__main__":
    main()
