"""Whether the whole service is fit for play, and its figures, for whatever watches over it."""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import Iterator

from django.conf import settings
from django.db import DatabaseError
from django.db.models import Count
from django.http import HttpRequest, HttpResponse, HttpResponseForbidden, JsonResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Gauge,
    generate_latest,
)
from redis import RedisError

from . import status, sweeps, timekeeping, windows
from .models import Event, Match
from .status import PERIOD
from .sweeps import Sweeps

log = logging.getLogger(__name__)

SWEEP_FRESH = 10_000  # ms; sweeps are a second apart


@require_safe
@never_cache
def readyz(_request: HttpRequest) -> JsonResponse:
    """Whether a match can be played: 200 when every check is fine, else 503."""
    checks = ready(timekeeping.now_ms())
    fine = all(checks.values())
    return JsonResponse({"ready": fine, "checks": checks}, status=200 if fine else 503)


def ready(now: int) -> dict[str, bool]:
    """Each check, and whether it is fine at ``now``."""
    database, beat = _beat(now)
    redis, swept = _swept()
    fresh = swept is not None and now - swept.at <= SWEEP_FRESH
    return {"database": database, "redis": redis, "beat": beat, "sweep": fresh}


def _beat(now: int) -> tuple[bool, bool]:
    """Whether the database answers, and whether some front is up."""
    try:
        beat = windows.newest_beat()
    except DatabaseError:
        log.warning("the database does not answer", exc_info=True)
        return False, False
    return True, beat is not None and now - beat <= windows.tolerance()


def _swept() -> tuple[bool, Sweeps | None]:
    """Whether Redis answers, and what it knows of the sweeps."""
    try:
        return True, sweeps.so_far()
    except (RedisError, OSError):
        log.warning("Redis does not answer", exc_info=True)
        return False, None


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """The figures of this process, and those of the whole service as they are stored."""
    if not _may_read(request):
        return HttpResponseForbidden("not for you\n", content_type="text/plain")
    told = generate_latest(REGISTRY) + generate_latest(_service(timekeeping.now_ms()))
    return HttpResponse(told, content_type=CONTENT_TYPE_LATEST)


def _may_read(request: HttpRequest) -> bool:
    """Whoever has the token; where none is set, whoever asks from this very machine."""
    token: str = settings.METRICS_TOKEN
    if token:
        return constant_time_compare(request.headers.get("Authorization", ""), f"Bearer {token}")
    if {"X-Forwarded-For", "X-Real-Ip", "Forwarded"} & set(request.headers):
        return False  # somebody behind a proxy on this machine
    try:
        address = ipaddress.ip_address(request.META.get("REMOTE_ADDR", ""))
    except ValueError:
        return False
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


def _service(now: int) -> CollectorRegistry:
    """The figures of the whole service, the same from every process; without those whose
    source is away."""
    registry = CollectorRegistry()
    checks = Gauge("spectacular_ready", "Whether a check is fine.", ["check"], registry=registry)
    for check, fine in ready(now).items():
        checks.labels(check).set(fine)
    for name, told, value in _figures(now):
        Gauge(f"spectacular_{name}", told, registry=registry).set(value)
    try:
        reasons = _voids(now)
    except DatabaseError:
        return registry
    voids = Gauge(
        "spectacular_voids_recent",
        "Matches that were void in the last 30 days, by reason.",
        ["reason"],
        registry=registry,
    )
    for reason, number in reasons:
        voids.labels(reason).set(number)
    return registry


def _figures(now: int) -> Iterator[tuple[str, str, float]]:
    _, swept = _swept()
    if swept is not None:
        late, ago = swept.late / 1000, (now - swept.at) / 1000
        yield "sweep_lateness_seconds", "How overdue a match was at the last sweep, at most.", late
        yield "sweep_age_seconds", "How long ago the last sweep was.", ago
        yield "sweeps", "Sweeps since Redis began to count.", swept.count
        yield "sweep_judged", "Matches that those sweeps judged.", swept.judged
    try:
        live = Match.objects.filter(due__isnull=False).count()
        gaps = status.status(now).gaps
    except DatabaseError:
        return
    yield "live_matches", "Matches that are not over.", live
    yield "gaps_recent", "Times in the last 30 days when no front was up.", len(gaps)
    yield "gaps_recent_seconds", "How long those were together.", sum(map(len, gaps)) / 1000


def _voids(now: int) -> list[tuple[str, int]]:
    since = timekeeping.moment(now - PERIOD)
    voids = Event.objects.filter(match__reason="void", match__ended_at__gte=since, do="void")
    return list(voids.order_by().values_list("data__reason").annotate(Count("pk")))
