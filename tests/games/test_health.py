"""Whether the service is fit for play, and its figures."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings as site_settings
from django.db import OperationalError
from django.test import Client
from prometheus_client import REGISTRY
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import Settings
from redis import ConnectionError as RedisAway

from games import store, sweeps, tasks, timekeeping, windows
from games.models import Match
from games.rules import events

from .factory import NOW, begun, deal, make_match, make_user, make_window
from .sockets import opened

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.no_front]

DEALT = deal("6-6 1-0 2-0 2-1 3-0 3-1 3-2", "6-5 6-4 6-3 6-2 6-1 6-0 5-5")


@pytest.fixture(autouse=True)
def now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timekeeping, "now_ms", lambda: NOW)


@pytest.fixture(autouse=True)
def no_sweep_yet() -> None:
    sweeps.redis().delete(f"{site_settings.REDIS_PREFIX}:sweeps")


# Ready


def away(error: Exception) -> Callable[[], None]:
    def fail() -> None:
        raise error

    return fail


def test_all_is_well(client: Client) -> None:
    make_window(NOW - 9000, NOW - 5000)
    sweeps.record(NOW - 10_000, 0, 0)
    answer = client.get("/readyz")
    assert answer.status_code == 200
    checks = {"database": True, "redis": True, "beat": True, "sweep": True}
    assert json.loads(answer.content) == {"ready": True, "checks": checks}
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.parametrize(
    ("beat", "state", "swept", "failed"),
    [
        (5001, "open", 0, ["beat"]),
        (0, "broken", 0, ["beat"]),
        (0, "stopped", 0, ["beat"]),
        (None, "", 0, ["beat"]),
        (0, "open", 10_001, ["sweep"]),
        (0, "open", None, ["sweep"]),
        (None, "", None, ["beat", "sweep"]),
    ],
)
def test_what_has_grown_stale(
    client: Client, beat: int | None, state: str, swept: int | None, failed: list[str]
) -> None:
    if beat is not None:
        make_window(NOW - 9000, NOW - beat, state)
    if swept is not None:
        sweeps.record(NOW - swept, 0, 0)
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert [check for check, fine in answer.json()["checks"].items() if not fine] == failed


def test_a_database_that_is_away(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    sweeps.record(NOW, 0, 0)
    monkeypatch.setattr(windows, "newest_beat", away(OperationalError("secret.host refused")))
    answer = client.get("/readyz")
    assert answer.status_code == 503
    checks = {"database": False, "redis": True, "beat": False, "sweep": True}
    assert answer.json() == {"ready": False, "checks": checks}


def test_a_redis_that_is_away(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    make_window(NOW - 9000, NOW)
    monkeypatch.setattr(sweeps, "redis", away(RedisAway("secret.host refused")))
    answer = client.get("/readyz")
    assert answer.status_code == 503
    checks = {"database": True, "redis": False, "beat": True, "sweep": False}
    assert answer.json() == {"ready": False, "checks": checks}


def test_being_alive_asks_nobody(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeps, "redis", away(AssertionError()))
    assert client.get("/healthz").status_code == 200


# Sweeps


def test_a_sweep_says_when_it_was_and_how_late(monkeypatch: pytest.MonkeyPatch) -> None:
    make_window(0, 2 * NOW)
    make_match([make_user("ada"), make_user("bo")], now=NOW - 62_500)
    assert sweeps.so_far() is None
    tasks.sweep()
    assert sweeps.so_far() == sweeps.Sweeps(at=NOW, late=2500, count=1, judged=1)
    tasks.sweep()
    assert sweeps.so_far() == sweeps.Sweeps(at=NOW, late=0, count=2, judged=1)


def test_a_sweep_needs_no_redis_to_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    make_window(0, 2 * NOW)
    match = make_match([make_user("ada"), make_user("bo")], now=NOW - 62_500)
    monkeypatch.setattr(sweeps, "redis", away(RedisAway()))
    assert tasks.sweep() == 1
    match.refresh_from_db()
    assert match.reason == "void"


# Figures


def figures(client: Client, **extra: Any) -> dict[str, float]:
    """What /metrics says: name, labels and value of every sample."""
    answer = client.get("/metrics", **extra)
    assert answer.status_code == 200
    return {
        sample.name + "".join(f" {value}" for value in sample.labels.values()): sample.value
        for family in text_string_to_metric_families(answer.content.decode())
        for sample in family.samples
    }


def test_the_figures_of_the_whole_service(client: Client) -> None:
    make_window(NOW - 60_000, NOW - 40_000, "broken")
    make_window(NOW - 38_000, NOW)
    sweeps.record(NOW - 1500, 250, 3)
    gap = events.Void(at=2000, reason="service_failure", begin=1000, end=2000)
    make_match([make_user("ada"), make_user("bo")], [*begun(DEALT), gap], now=NOW - 50_000)
    make_match([make_user("cy"), make_user("di")], now=NOW)
    left = make_match([make_user("ed"), make_user("flo")], now=NOW)
    store.leave(left.pk, left.seats.get(seat=0).user_id or 0, NOW)
    told = figures(client)
    assert {name: told[f"spectacular_{name}"] for name in EXPECTED} == EXPECTED


EXPECTED = {
    "ready database": 1,
    "ready redis": 1,
    "ready beat": 1,
    "ready sweep": 1,
    "sweep_lateness_seconds": 0.25,
    "sweep_age_seconds": 1.5,
    "sweeps": 1,
    "sweep_judged": 3,
    "live_matches": 1,
    "gaps_recent": 1,
    "gaps_recent_seconds": 2,
    "voids_recent service_failure": 1,
    "voids_recent abandoned": 1,
}


def test_figures_whose_source_is_away_are_left_out(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweeps, "redis", away(RedisAway()))
    told = figures(client)
    assert told["spectacular_ready redis"] == 0
    assert "spectacular_sweep_age_seconds" not in told
    assert "spectacular_live_matches" in told


def sample(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(f"spectacular_{name}", labels) or 0


@pytest.fixture
def match(transactional_db: None) -> Match:
    make_window(0, 2 * NOW)
    return make_match([make_user("ada"), make_user("bo")])


async def test_the_figures_of_this_process(match: Match) -> None:
    ada = await _user("ada")
    names: tuple[tuple[str, dict[str, str]], ...] = (
        ("commands_accepted_total", {"do": "ready"}),
        ("commands_refused_total", {"code": "already_ready"}),
        ("commands_refused_total", {"code": "malformed"}),
        ("arrival_to_commit_seconds_count", {}),
        ("commit_to_send_seconds_count", {}),
        ("sockets", {}),
    )
    before = [sample(name, **labels) for name, labels in names]
    async with opened(match, ada) as hers:
        await hers.view(0)
        await hers.say("ready", version=0)
        await hers.view(1)
        await hers.say("ready", version=1)
        assert (await hers.next("refused"))["code"] == "already_ready"
        await hers.say("dance")
        assert (await hers.next("refused"))["code"] == "malformed"
        after = [sample(name, **labels) for name, labels in names]
    assert [b - a for a, b in zip(before, after, strict=True)] == [1, 1, 1, 1, 1, 1]
    assert sample("sockets") == before[-1]


async def _user(name: str) -> Any:
    from accounts.models import User

    return await User.objects.aget(username=name)


def test_no_name_and_no_match_is_among_them(client: Client) -> None:
    make_window(NOW - 60_000, NOW)
    match = make_match([make_user("ada"), make_user("bo")])
    page = client.get("/metrics").content.decode()
    assert match.pk not in page
    assert "ada" not in page.replace("load", "")


@pytest.mark.parametrize(
    ("token", "extra", "status"),
    [
        ("", {"REMOTE_ADDR": "127.0.0.1"}, 200),
        ("", {"REMOTE_ADDR": "::1"}, 200),
        ("", {"REMOTE_ADDR": "::ffff:127.0.0.1"}, 200),
        ("", {"REMOTE_ADDR": "192.0.2.7"}, 403),
        ("", {"REMOTE_ADDR": ""}, 403),
        ("", {"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "192.0.2.7"}, 403),
        ("", {"REMOTE_ADDR": "127.0.0.1", "HTTP_FORWARDED": "for=192.0.2.7"}, 403),
        ("s3cret", {"REMOTE_ADDR": "127.0.0.1"}, 403),
        ("s3cret", {"REMOTE_ADDR": "127.0.0.1", "HTTP_AUTHORIZATION": "Bearer other"}, 403),
        ("s3cret", {"REMOTE_ADDR": "127.0.0.1", "HTTP_AUTHORIZATION": "Bearer é"}, 403),
        ("s3cret", {"REMOTE_ADDR": "192.0.2.7", "HTTP_AUTHORIZATION": "Bearer s3cret"}, 200),
    ],
)
def test_who_may_read_them(
    client: Client, settings: Settings, token: str, extra: dict[str, Any], status: int
) -> None:
    settings.METRICS_TOKEN = token
    answer = client.get("/metrics", **extra)
    assert answer.status_code == status
    assert (b"spectacular_" in answer.content) == (status == 200)
