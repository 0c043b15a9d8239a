"""The database ends every session of a front; the sockets stay, and the next move counts."""

from __future__ import annotations

import pytest
from asgiref.sync import sync_to_async
from django.db import connection

from accounts.models import User
from games.models import Match

from .fronts import Fronts
from .pages import opened

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]


def end_sessions(name: str) -> int:
    """Have PostgreSQL end all sessions of the programs of a name; returns how many."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
            "WHERE datname = current_database() AND application_name = %s",
            [name],
        )
        return int(cursor.fetchone()[0])


async def test_lost_sessions_cost_at_most_a_refusal_and_no_socket(
    fronts: Fronts, match: Match, ada: User
) -> None:
    (front,) = await sync_to_async(fronts.get)("a")
    async with opened(front, match, ada) as hers, opened(front, match) as watching:
        await hers.reach(4)
        await watching.reach(4)
        assert await sync_to_async(end_sessions)(fronts.name)
        heard = len(hers.heard)
        await hers.say("play", tile="6-6", arm="open", version=4)
        await hers.until(lambda: hers.of("refused", heard) or hers.of("view", heard))
        if refusals := hers.of("refused", heard):
            assert [refusal["code"] for refusal in refusals] == ["failed"]
            await hers.say("play", tile="6-6", arm="open", version=4)
        assert (await hers.reach(5))["count"] == 12
        assert (await watching.reach(5))["count"] == 12
        assert (hers.code, watching.code) == (None, None)
