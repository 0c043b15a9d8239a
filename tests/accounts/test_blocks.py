"""Blocks: what one player thinks of another."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts import services
from accounts.models import Block, User
from tests.staff import signed_in, text, user

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada() -> User:
    return user("Ada")


@pytest.fixture
def bo() -> User:
    return user("Bo")


def pairs() -> list[tuple[str, str]]:
    return [*Block.objects.values_list("user__username", "blocked__username")]


def test_block_and_unblock_in_any_spelling_as_often_as_one_likes(ada: User, bo: User) -> None:
    player = signed_in(ada)
    for name in ("Bo", "BO"):
        done = player.post(f"/players/{name}/block/")
        assert done.headers["Location"] == "/players/Bo/"
    assert pairs() == [("Ada", "Bo")]
    assert "You have blocked Bo" in text(player.get("/rules/"))
    for name in ("bo", "Bo"):
        done = player.post(f"/players/{name}/unblock/", {"next": "/blocks/"})
        assert done.headers["Location"] == "/blocks/"
    assert pairs() == []
    assert "You no longer block Bo." in text(player.get("/rules/"))


def test_one_unblocks_ones_own_blocks_alone(ada: User, bo: User) -> None:
    signed_in(ada).post("/players/Bo/block/")
    signed_in(bo).post("/players/Ada/unblock/")
    assert pairs() == [("Ada", "Bo")]


def test_nobody_blocks_themselves(ada: User) -> None:
    player = signed_in(ada)
    player.post("/players/ada/block/")
    assert pairs() == []
    assert "Nobody does that to themselves." in text(player.get("/rules/"))


def test_it_takes_a_player_who_is_signed_in(client: Client, ada: User) -> None:
    for action in ("block", "unblock"):
        sent = client.post(f"/players/Ada/{action}/")
        assert sent.headers["Location"] == "/accounts/login/?next=/players/Ada/"
        assert signed_in(ada).get(f"/players/Ada/{action}/").status_code == 405
        assert client.post(f"/players/Nemo/{action}/").status_code == 404
    assert client.get("/blocks/").headers["Location"] == "/accounts/login/?next=/blocks/"


def test_a_form_leads_nowhere_else(ada: User, bo: User) -> None:
    for wanted in ("https://example.org/", "//example.org/", "-1", "x:y", "ladder", "\r\nX: y"):
        sent = signed_in(ada).post("/players/Bo/block/", {"next": wanted})
        assert sent.headers["Location"] == "/players/Bo/", wanted
    sent = signed_in(ada).post("/players/Bo/unblock/", {"next": "/blocks/"})
    assert sent.headers["Location"] == "/blocks/"


def test_there_is_an_end_to_it(ada: User, bo: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MAX_BLOCKS", 1)
    services.block(ada, bo)
    with pytest.raises(services.Refused) as refused:
        services.block(ada, user("Cy"))
    assert refused.value.code == "too_many_blocks"
    assert services.block(ada, bo) is False


def test_the_list_is_ones_own(ada: User, bo: User) -> None:
    user("Cy")
    player = signed_in(ada)
    assert "You block nobody." in text(player.get("/blocks/"))
    player.post("/players/Bo/block/")
    player.post("/players/Cy/block/")
    signed_in(bo).post("/players/Ada/block/")
    page = player.get("/blocks/").content.decode()
    assert 'href="/players/Bo/"' in page
    assert 'action="/players/Cy/unblock/"' in page
    assert 'action="/players/Ada/unblock/"' not in page


def test_the_list_grows_without_queries(ada: User) -> None:
    player, counts = signed_in(ada), []
    for name in ("Bo", "Cy", "Di", "Eve"):
        services.block(ada, user(name))
        with CaptureQueriesContext(connection) as queries:
            player.get("/blocks/")
        counts.append(len(queries))
    assert counts[1] == counts[-1]


def test_either_way_counts(ada: User, bo: User) -> None:
    services.block(ada, bo)
    assert services.has_blocked(ada.pk, bo.pk)
    assert not services.has_blocked(bo.pk, ada.pk)
    assert services.blocks_between(bo.pk, {ada.pk, 999}) == {ada.pk}
