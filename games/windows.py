"""The service windows as they are stored: opened, beaten, ended, and read as evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.conf import settings
from django.db import connection
from django.db.models import Q, Subquery

from .models import Seat, ServiceWindow
from .timekeeping import Evidence, Window

State = ServiceWindow.State


def tolerance() -> int:
    """How far apart beats may be, in ms."""
    return int(settings.SERVICE_TOLERANCE * 1000)


def open_window(front: str, now: int) -> int:
    """A front is up from ``now``; gives the id of its window."""
    window = ServiceWindow.objects.create(front=front, opened=now, beat=now, decided=now)
    return window.pk


def beat(window_id: int, now: int, decided: int) -> bool:
    """A front says that it is up at ``now`` and has decided everything up to ``decided``.

    False where its window has ended, or its last beat is too long ago for this one to count.
    """
    still = ServiceWindow.objects.filter(
        pk=window_id, state=State.OPEN, beat__gte=now - tolerance()
    )
    return bool(still.update(beat=now, decided=decided))


def stop(window_id: int, now: int, decided: int) -> bool:
    """A front stops cleanly, with its last beat; False where that beat does not count."""
    still = ServiceWindow.objects.filter(
        pk=window_id, state=State.OPEN, beat__gte=now - tolerance()
    )
    return bool(still.update(state=State.STOPPED, beat=now, decided=decided))


def break_window(window_id: int, cause: str) -> None:
    """A front can no longer vouch for the time it measured."""
    still = ServiceWindow.objects.filter(pk=window_id, state=State.OPEN)
    still.update(state=State.BROKEN, cause=cause)


def break_silent(now: int) -> int:
    """Mark the windows whose beats have stayed out; returns how many."""
    silent = ServiceWindow.objects.filter(state=State.OPEN, beat__lt=now - tolerance())
    return silent.update(state=State.BROKEN, cause="no beat")


def since(moment: int) -> Iterator[Window]:
    """The windows that were up at ``moment`` (Unix time in ms) or later."""
    return map(_window, ServiceWindow.objects.filter(beat__gte=moment).order_by())


def first_opened() -> int | None:
    """When the very first window was opened."""
    return ServiceWindow.objects.order_by("opened").values_list("opened", flat=True).first()


def newest_beat() -> int | None:
    """The newest beat of a window that is open."""
    still_open = ServiceWindow.objects.filter(state=State.OPEN).order_by("-beat")
    return still_open.values_list("beat", flat=True).first()


def evidence(own: int | None, begun: int) -> Evidence:
    """What there is about a decision that began at ``begun`` (Unix time in ms); ``own`` is the
    window that vouches for the awaited seat."""
    found = tuple(since(begun - tolerance()))
    return Evidence(next((w for w in found if w.id == own), None), found, tolerance())


def vouch(match_id: str, seat: int, window_id: int | None) -> None:
    """The newest socket of a seat is at this front."""
    seats = Seat.objects.filter(match_id=match_id, seat=seat, live=True)
    seats.update(window=_if_kept(window_id))


def vouch_again(match_id: str, seat: int, window_id: int) -> None:
    """A front that was not measuring vouches again, unless another one does by now."""
    nobody = Q(window=None) | ~Q(window__state=State.OPEN)
    seats = Seat.objects.filter(nobody, match_id=match_id, seat=seat, live=True)
    seats.update(window=_if_kept(window_id))


def _if_kept(window_id: int | None) -> Subquery | None:
    """A window, or none where its row is gone: a front must not stumble over that."""
    if window_id is None:
        return None
    return Subquery(ServiceWindow.objects.filter(pk=window_id).values("pk")[:1])


def let_go(match_id: str, seat: int, window_id: int | None) -> None:
    """A front has no socket of this seat any more."""
    Seat.objects.filter(match_id=match_id, seat=seat, window_id=window_id).update(window=None)


def orphaned_matches() -> list[str]:
    """The live matches for which a broken front still vouches."""
    orphans = Seat.objects.filter(live=True, window__state=State.BROKEN)
    return list(orphans.values_list("match_id", flat=True).distinct())


def release(match_ids: Iterable[str]) -> None:
    """These matches have been judged: from now on any front vouches for what broken ones did."""
    ids = list(match_ids)
    if ids:
        orphans = Seat.objects.filter(match_id__in=ids, window__state=State.BROKEN)
        orphans.update(window=None)


def database_now() -> int:
    """The Unix time in ms by the clock of the database."""
    question = {
        "postgresql": "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint",
        "sqlite": "SELECT CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)",
    }[connection.vendor]
    with connection.cursor() as cursor:
        cursor.execute(question)
        return int(cursor.fetchone()[0])


def _window(row: ServiceWindow) -> Window:
    return Window(
        id=row.pk,
        opened=row.opened,
        beat=row.beat,
        decided=row.decided,
        broken=row.state == State.BROKEN,
        stopped=row.state == State.STOPPED,
    )
