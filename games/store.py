"""The only writer of a match: load it, decide, and commit by compare-and-set."""

from __future__ import annotations

import json
import logging
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db import transaction

import ratings.services
from accounts.models import User
from ratings import elo

from . import endings, guide, live, metrics, play, timekeeping, windows
from .endings import annul
from .models import Event, Match, Seat, StaffDecision
from .play import Command, Decision, Position, Refused
from .rules import events, snapshot
from .rules.match import State, apply
from .rules.record import Json, event_json, header_json, parse_event
from .rules.sight import revealed_seat
from .rules.tiles import ALL_TILES, HAND_SIZE
from .timekeeping import Evidence

__all__ = [
    "Refused",
    "annul",
    "commit",
    "create_guided_match",
    "create_match",
    "create_shared_match",
    "judge",
    "lateness",
    "leave",
    "load",
    "record_lines",
    "replayed",
    "submit",
    "sweep",
    "void",
    "vouch",
]

log = logging.getLogger(__name__)

TRIES = 50  # lost races in a row before a command is given up
SWEPT_AT_ONCE = 1000


@dataclass(frozen=True, slots=True)
class Loaded:
    """A match as it was read: the row, the user and the service window of each seat, and what
    to decide on."""

    match: Match
    users: tuple[int | None, int | None]
    windows: tuple[int | None, int | None]
    position: Position

    def seat_of(self, user_id: int | None) -> int | None:
        """The seat this user plays, or None for a spectator."""
        if user_id is None or user_id not in self.users:
            return None
        return self.users.index(user_id)

    def seat_for(self, user_id: int | None, browser: str, command: Command) -> int:
        """The seat for which a command counts. Raises :class:`Refused`."""
        if self.match.kind != Match.Kind.DUEL and self.match.is_owned_by(user_id, browser):
            if self.match.guided:
                return guide.READER
            return play.seat_on_device(self.position.state, command)
        seat = self.seat_of(user_id)
        if seat is None:
            raise Refused("not_a_player")
        return seat

    def shows_already(self, command: Command) -> bool:
        """Whether a shared device asks for the tiles of a turn that has been revealed: no event,
        and no clock, comes of that."""
        state = self.position.state
        same = command.version == self.position.version
        return command.do == "reveal" and same and revealed_seat(state) is not None


def shuffled_deal() -> events.Deal:
    """A deal of the whole set, from the system's own source of chance (R2.1, R2.2)."""
    tiles = list(ALL_TILES)
    secrets.SystemRandom().shuffle(tiles)
    first, second, rest = tiles[:HAND_SIZE], tiles[HAND_SIZE : 2 * HAND_SIZE], 2 * HAND_SIZE
    return events.Deal(hands=(tuple(first), tuple(second)), boneyard=tuple(tiles[rest:]))


def create_match(users: Sequence[User], *, rated: bool, now: int) -> Match:
    """A match of two users, the first on seat 0, waiting for both to press Start; it keeps
    where they stand in the ladder now.

    ``now`` is the Unix time in milliseconds. Raises ``IntegrityError`` where one of them
    has a running match; call it inside a transaction.
    """
    first, second = users
    standings = ratings.services.standings([first.pk, second.pk])
    match = Match.objects.create(
        epoch=now,
        rated=rated,
        snapshot=snapshot.take(State()),
        due=now + play.START_WITHIN,
        level=elo.rounded((standings[first.pk].value + standings[second.pk].value) / 2),
    )
    Seat.objects.bulk_create(
        Seat(
            match=match,
            seat=seat,
            user=user,
            name=user.username,
            rating=standings[user.pk].value,
            provisional=standings[user.pk].is_provisional,
        )
        for seat, user in enumerate((first, second))
    )
    return match


def create_shared_match(
    names: tuple[str, str], *, owner: User | None, browser: str, now: int
) -> Match:
    """A match on one device, whose seats have names alone: unrated, and nobody's running match.

    ``browser`` stands for the browser it belongs to where no account owns it; ``now`` is the Unix
    time in milliseconds. Call it inside a transaction.
    """
    kind, state = Match.Kind.SHARED, State.new(shared_device=True)
    return _create_owned(kind, names, owner, browser, state, now, now + play.START_WITHIN)


def create_guided_match(name: str, *, owner: User | None, browser: str, now: int) -> Match:
    """A guided round of a reader who goes by ``name``: unrated, and nobody's running match; the
    rest as with :func:`create_shared_match`."""
    names = (name, guide.NAME)
    match = _create_owned(Match.Kind.GUIDED, names, owner, browser, State.new(), now, now)
    commit(load(match.pk), guide.begin())
    match.refresh_from_db()
    return match


def _create_owned(
    kind: Match.Kind,
    names: tuple[str, str],
    owner: User | None,
    browser: str,
    state: State,
    now: int,
    due: int,
) -> Match:
    """A match whose seats have names alone, and that an account or else a browser owns."""
    match = Match.objects.create(
        epoch=now,
        kind=kind,
        owner=owner,
        browser="" if owner else browser,
        snapshot=snapshot.take(state),
        due=due,
    )
    Seat.objects.bulk_create(
        Seat(match=match, seat=seat, name=name) for seat, name in enumerate(names)
    )
    return match


def load(match_id: str) -> Loaded:
    """Read a match in one query; raises ``Match.DoesNotExist``."""
    seats = list(Seat.objects.filter(match_id=match_id).select_related("match").order_by("seat"))
    if not seats:
        raise Match.DoesNotExist
    match = seats[0].match
    position = Position.stored(match.snapshot, match.version, match.due, match.epoch)
    first, second = seats
    users, windows = (first.user_id, second.user_id), (first.window_id, second.window_id)
    return Loaded(match, users, windows, position)


def submit(
    match_id: str, user_id: int | None, command: Command, arrived: int, *, browser: str = ""
) -> bool:
    """Carry out a command that arrived at ``arrived``, Unix time in milliseconds, from a user, or
    from the browser that has a match on one device.

    True when it was accepted and its news is on the way; False when there is no news and
    the sender wants the current view: a flag, or a command that was accepted before.
    Raises :class:`Refused`, ``Match.DoesNotExist``.
    """
    for _ in range(TRIES):
        loaded = load(match_id)
        seat = loaded.seat_for(user_id, browser, command)
        if _judge(loaded, arrived) is not None:
            continue
        if command.do == "flag" or loaded.shows_already(command):
            return False
        at = arrived - loaded.match.epoch
        decide = guide.decide if loaded.match.guided else play.decide
        try:
            decision = decide(loaded.position, seat, command, at, shuffled_deal)
        except Refused:
            if _was_accepted(loaded, seat, command):
                return False
            raise
        if commit(loaded, decision, seen=command.version, arrived=arrived):
            return True
    raise Refused("failed")


def judge(match_id: str, now: int) -> None:
    """Carry out what is due by itself; ``now`` is the Unix time in milliseconds.

    Whoever comes to a match asks this first, so that an outage is noticed.
    """
    for _ in range(TRIES):
        if _judge(load(match_id), now) is not False:
            return


def vouch(match_id: str, seat: int, window_id: int | None, now: int) -> bool:
    """The newest socket of a seat is at this front. False where the time of that seat has run
    out and nothing is proven yet: that is up to whoever vouched for it until then."""
    loaded = load(match_id)
    due = loaded.match.due
    if loaded.position.state.clock.running == seat and due is not None and due <= now:
        return False
    windows.vouch(match_id, seat, window_id)
    return True


def sweep(now: int) -> int:
    """Judge every match that is due, or that a broken front vouched for; returns how many were.

    One that fails harms no other, and is looked at again.
    """
    windows.break_silent(now)
    due = Match.objects.filter(due__lte=now).order_by("due").values_list("pk", flat=True)
    orphans = windows.orphaned_matches()
    judged = [pk for pk in [*due[:SWEPT_AT_ONCE], *orphans] if _judged_safely(pk, now)]
    windows.release(set(orphans) & set(judged))
    return len(judged)


def lateness(now: int) -> int:
    """For how many ms the most overdue match has waited."""
    overdue = Match.objects.filter(due__lte=now).order_by("due").values_list("due", flat=True)
    due = overdue.first()
    return 0 if due is None else now - due


def _judged_safely(match_id: str, now: int) -> bool:
    try:
        judge(match_id, now)
    except Exception:
        log.exception("match %s could not be judged", match_id)
        return False
    return True


def leave(match_id: str, user_id: int | None, now: int, *, browser: str = "") -> None:
    """A player leaves before both have pressed Start. Raises :class:`Refused`."""
    for _ in range(TRIES):
        loaded = load(match_id)
        unnamed = loaded.match.kind != Match.Kind.DUEL
        owned = unnamed and loaded.match.is_owned_by(user_id, browser)
        if loaded.seat_of(user_id) is None and not owned:
            raise Refused("not_a_player")
        if _judge(loaded, now) is not None:
            continue
        at = now - loaded.match.epoch
        if commit(loaded, play.leave(loaded.position, at, shuffled_deal)):
            return
    raise Refused("failed")


def void(match_id: str, staff: User, reason: str, now: int) -> None:
    """Staff end a running match for a ``reason`` that is kept. Raises :class:`Refused`."""
    for _ in range(TRIES):
        loaded = load(match_id)
        if _judge(loaded, now) is not None:
            continue
        decision = play.void_by_staff(loaded.position, now - loaded.match.epoch, shuffled_deal)
        with transaction.atomic():
            if commit(loaded, decision):
                kind = StaffDecision.Kind.VOID
                loaded.match.staff_decisions.create(kind=kind, by=staff, reason=reason)
                return
    raise Refused("failed")


def record_lines(match: Match) -> Iterator[str]:
    """The record of a match, a line at a time and without line ends."""
    names = [seat.name for seat in match.seats.order_by("seat")]
    ended = {"winner": match.winner, "reason": match.reason} if match.reason else None
    yield _line(
        header_json(
            (names[0], names[1]),
            shared_device=match.shared_device or None,
            id=match.pk,
            rated=match.rated,
            played_on=match.created_at.date().isoformat(),
            result=ended,
        )
    )
    for data in match.events.order_by("n").values_list("data", flat=True):
        yield _line(data)


def replayed(match: Match) -> State:
    """The state that the stored log gives; raises ``Illegal`` where it cannot be replayed."""
    state = State.new(shared_device=match.shared_device)
    for data in match.events.order_by("n").values_list("data", flat=True):
        state = apply(state, parse_event(data))
    return state


def _line(data: Json) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(", ", ": "))


def _judge(loaded: Loaded, now: int) -> bool | None:
    """Decide and commit what is due: None if nothing was, False if the race was lost."""
    if loaded.position.due is None:
        return None
    epoch, at = loaded.match.epoch, now - loaded.match.epoch
    if loaded.match.guided:
        decision = guide.judge(loaded.position, at)
    else:
        decision = play.judge(loaded.position, at, _evidence(loaded).shifted(epoch), shuffled_deal)
    return None if decision is None else commit(loaded, decision)


def _evidence(loaded: Loaded) -> Evidence:
    """What the service windows say about the seat that is awaited, if one is."""
    state = loaded.position.state
    begun = state.clock.since if state.clock.running is not None else state.at
    own = None if state.clock.running is None else loaded.windows[state.clock.running]
    return windows.evidence(own, loaded.match.epoch + begun)


def _was_accepted(loaded: Loaded, seat: int, command: Command) -> bool:
    """Whether this very command (sender, version and content) is in the log already. On a shared
    device one sender plays both seats, and it may count for the other one by now."""
    earlier = Event.objects.filter(match=loaded.match, seen=command.version, do=command.do)
    seats = (0, 1) if loaded.match.shared_device else (seat,)
    earlier = earlier.filter(seat__in=seats)
    asked = [event_json(play.event_of(command, seat, 0)) for seat in seats]
    rows = earlier.values_list("data", flat=True)
    return any(one | {"at": data.get("at")} == data for data in rows for one in asked)


def commit(
    loaded: Loaded, decision: Decision, *, seen: int | None = None, arrived: int | None = None
) -> bool:
    """Store a decision where the version is still the one decided on; False if it is not.

    The result of a rated match is counted in the same transaction.
    Where it answers a command, ``seen`` is the version on the sender's page and ``arrived``
    when it came.
    """
    match, position = loaded.match, loaded.position
    if not decision.steps:
        return _postpone(loaded, decision)
    state, version = decision.state, position.version + len(decision.steps)
    tallies = endings.tallies(match, position, decision)
    with transaction.atomic():
        changed = Match.objects.filter(pk=match.pk, version=position.version).update(
            version=version,
            snapshot=snapshot.take(state),
            due=None if decision.due is None else match.epoch + decision.due,
            **endings.columns(match, state),
        )
        if not changed:
            return False
        Event.objects.bulk_create(_rows(match, position.version, decision, seen))
        if state.result:
            endings.keep(match, loaded.users, state, tallies)
        news = live.News(match.pk, match.epoch, position.version, decision, still=match.guided)
        transaction.on_commit(lambda: _committed(news, arrived), robust=True)
    return True


def _committed(news: live.News, arrived: int | None) -> None:
    if arrived is not None:
        metrics.ARRIVAL_TO_COMMIT.observe(max(0, timekeeping.now_ms() - arrived) / 1000)
    live.publish(news)


def _postpone(loaded: Loaded, decision: Decision) -> bool:
    """Move the due time of an interlude; nothing has happened in the match."""
    match = loaded.match
    assert decision.due is not None
    same = Match.objects.filter(pk=match.pk, version=loaded.position.version, due=match.due)
    return bool(same.update(due=match.epoch + decision.due))


def _rows(match: Match, version: int, decision: Decision, seen: int | None) -> Iterator[Event]:
    for n, step in enumerate(decision.steps, version + 1):
        yield Event(
            match_id=match.pk,
            n=n,
            seat=getattr(step.event, "seat", None),
            do=step.event.do,
            seen=seen if n == version + 1 else None,
            data=event_json(step.event),
        )
