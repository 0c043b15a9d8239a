"""What is stored of a match: its seats, its append-only log, and links to start one.

The log is the truth; ``Match.snapshot`` is a cache of its replay.
"""

from __future__ import annotations

import secrets
import string

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

ID_ALPHABET = string.ascii_letters + string.digits
ID_LENGTH = 10


def new_id() -> str:
    """A random public id of ten letters and digits (59 bits), safe in a URL."""
    return "".join(secrets.choice(ID_ALPHABET) for _ in range(ID_LENGTH))


class Match(models.Model):
    """One match: the snapshot of its log, and the moment somebody has to look at it.

    ``epoch`` is the Unix time, in milliseconds, that every event's ``at`` counts from;
    ``version`` is the number of events; ``due`` is the Unix time, in milliseconds, of the
    running decision's deadline or of the interlude's end, null once the match is over.
    ``level`` is the mean of both ratings when it began; ``annulled_at`` when staff decided that
    the result counts no more.

    In a *duel* each seat is a player's. A match on a *shared* device has one owner who plays both
    seats, which carry names alone: the account ``owner``, or whoever has the browser that
    ``browser`` stands for (see :mod:`games.browsers`). So has a *guided* round, whose owner plays
    one seat and a script the other (see :mod:`games.guide`).
    """

    class Kind(models.TextChoices):
        DUEL = "duel", _("two players")
        SHARED = "shared", _("one device for two")
        GUIDED = "guided", _("guided round")

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=new_id, editable=False)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    epoch = models.BigIntegerField(_("epoch (ms)"))
    rated = models.BooleanField(_("rated"), default=False)
    kind = models.CharField(_("kind"), max_length=8, choices=Kind, default=Kind.DUEL)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="owned_matches",
        verbose_name=_("owner"),
    )
    browser = models.CharField(_("browser"), max_length=64, blank=True)
    version = models.PositiveIntegerField(_("version"), default=0)
    snapshot = models.JSONField(_("snapshot"))
    due = models.BigIntegerField(_("due (ms)"), null=True, blank=True, db_index=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    winner = models.PositiveSmallIntegerField(_("winning seat"), null=True, blank=True)
    reason = models.CharField(_("reason of the end"), max_length=16, blank=True)
    level = models.IntegerField(_("mean rating"), null=True, blank=True)
    annulled_at = models.DateTimeField(_("annulled"), null=True, blank=True)

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        ordering = ["-created_at"]
        permissions = [
            ("void_match", _("Can void a running match")),
            ("annul_match", _("Can annul a finished rated match")),
        ]
        indexes = [
            models.Index(fields=["ended_at"], condition=Q(reason="void"), name="void_by_end"),
            models.Index(
                models.F("level").desc(),
                "created_at",
                condition=Q(ended_at=None, level__isnull=False),
                name="running_by_level",
            ),
            models.Index(
                fields=["browser"], condition=Q(ended_at=None) & ~Q(browser=""), name="by_browser"
            ),
        ]

    def __str__(self) -> str:
        return self.id

    def get_absolute_url(self) -> str:
        from django.urls import reverse

        return reverse("match", args=[self.pk])

    @property
    def shared_device(self) -> bool:
        """Whether both seats are played on one device, with a hand-over between turns."""
        return self.kind == self.Kind.SHARED

    @property
    def guided(self) -> bool:
        """Whether the second seat follows a script, and the first is told what to do."""
        return self.kind == self.Kind.GUIDED

    def is_owned_by(self, user_id: int | None, browser: str) -> bool:
        """Whether this account, or this browser, plays what has no account on a seat."""
        if user_id is not None and user_id == self.owner_id:
            return True
        return bool(browser) and browser == self.browser


class ServiceWindow(models.Model):
    """A stretch in which a web process was up and measured time; the evidence is kept.

    Times are Unix times in milliseconds: ``beat`` is the last beat, ``decided`` the moment up
    to which everything that reached the process had been decided then.
    """

    class State(models.TextChoices):
        OPEN = "open", _("open")
        STOPPED = "stopped", _("stopped")
        BROKEN = "broken", _("broken")

    front = models.CharField(_("front"), max_length=80)
    opened = models.BigIntegerField(_("opened (ms)"))
    beat = models.BigIntegerField(_("last beat (ms)"), db_index=True)
    decided = models.BigIntegerField(_("decided up to (ms)"))
    state = models.CharField(_("state"), max_length=8, choices=State, default=State.OPEN)
    cause = models.CharField(_("cause"), max_length=60, blank=True)

    class Meta:
        verbose_name = _("service window")
        verbose_name_plural = _("service windows")
        ordering = ["-opened"]

    def __str__(self) -> str:
        return f"{self.front} {self.state}"


class Seat(models.Model):
    """A player's place in a match. ``live`` is true until the match is over; ``rating`` and
    ``provisional`` are the player's as the match began.

    ``window`` is that of the front which holds the seat's newest socket and so vouches for
    its time; null while the seat has no socket, when any front does.
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="seats", verbose_name=_("match"))
    seat = models.PositiveSmallIntegerField(_("seat"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="seats",
        verbose_name=_("player"),
    )
    name = models.CharField(_("name"), max_length=150)
    rating = models.IntegerField(_("rating"), null=True, blank=True)
    provisional = models.BooleanField(_("provisional rating"), default=True)
    live = models.BooleanField(_("live"), default=True)
    window = models.ForeignKey(
        ServiceWindow,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("service window"),
    )

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering = ["match", "seat"]
        constraints = [
            models.UniqueConstraint(fields=["match", "seat"], name="seat_once_per_match"),
            models.CheckConstraint(condition=Q(seat__in=[0, 1]), name="seat_is_0_or_1"),
            models.UniqueConstraint(
                fields=["user"], condition=Q(live=True), name="one_running_match_per_player"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.seat})"


class Event(models.Model):
    """One line of the record. ``n`` counts from 1; ``data`` is the event as the record has it.

    ``seen`` is the version its sender had on the page, kept so that a repeated command is
    known; null for the server's own events.
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="events", verbose_name=_("match"))
    n = models.PositiveIntegerField(_("number"))
    seat = models.PositiveSmallIntegerField(_("seat"), null=True, blank=True)
    do = models.CharField(_("event"), max_length=8)
    seen = models.PositiveIntegerField(_("version seen"), null=True, blank=True)
    data = models.JSONField(_("data"))

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        ordering = ["match", "n"]
        constraints = [models.UniqueConstraint(fields=["match", "n"], name="event_once")]

    def __str__(self) -> str:
        return f"{self.match_id} {self.n} {self.do}"


class Tally(models.Model):
    """What a player did in a finished match, in figures; a cache of what its log says.

    Points are those taken from the opponent: by open ends, by blocks, and for openings the other
    bought (going out earns nothing of its own). ``bids`` counts the bids made; ``bought`` those
    accepted, ``paid`` what they cost, ``brought`` the points the buyer took by ends and blocks,
    less those it gave, in the rounds opened so. ``decisions`` were taken in ``thought`` ms, of
    which ``bank`` ms went off the bank.
    """

    seat = models.OneToOneField(
        Seat, models.CASCADE, primary_key=True, related_name="tally", verbose_name=_("seat")
    )
    rounds = models.PositiveSmallIntegerField(_("rounds"), default=0)
    rounds_won = models.PositiveSmallIntegerField(_("rounds gone out"), default=0)
    from_ends = models.PositiveIntegerField(_("points by open ends"), default=0)
    from_blocks = models.PositiveIntegerField(_("points by blocks"), default=0)
    from_auctions = models.PositiveIntegerField(_("points by auctions"), default=0)
    bids = models.PositiveSmallIntegerField(_("bids"), default=0)
    bought = models.PositiveSmallIntegerField(_("openings bought"), default=0)
    paid = models.PositiveIntegerField(_("paid for openings"), default=0)
    brought = models.IntegerField(_("brought by bought openings"), default=0)
    decisions = models.PositiveIntegerField(_("decisions"), default=0)
    thought = models.PositiveBigIntegerField(_("time thought (ms)"), default=0)
    bank = models.PositiveIntegerField(_("bank used (ms)"), default=0)

    class Meta:
        verbose_name = _("tally")
        verbose_name_plural = _("tallies")

    def __str__(self) -> str:
        return f"{self.seat_id}"


class Challenge(models.Model):
    """An offer of a match, open until it is accepted, taken back, declined or too old.

    A *link* is for whoever has it, a *seek* stands in the lobby for everybody whose rating lies
    within its window, a *direct* challenge is for the player ``to``, *quick* waits for the
    nearest rating, and a *rematch* is for the opponent of the match ``previous``.
    ``expires_at`` is null where nothing but its creator ends it.
    """

    class Kind(models.TextChoices):
        LINK = "link", _("by link")
        SEEK = "seek", _("in the lobby")
        DIRECT = "direct", _("to a player")
        QUICK = "quick", _("play now")
        REMATCH = "rematch", _("rematch")

    class State(models.TextChoices):
        OPEN = "open", _("open")
        ACCEPTED = "accepted", _("accepted")
        WITHDRAWN = "withdrawn", _("withdrawn")
        DECLINED = "declined", _("declined")
        EXPIRED = "expired", _("expired")

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=new_id, editable=False)
    kind = models.CharField(_("kind"), max_length=8, choices=Kind, default=Kind.LINK)
    creator = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="challenges", verbose_name=_("by")
    )
    to = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="challenges_received",
        verbose_name=_("to"),
    )
    rated = models.BooleanField(_("rated"), default=False)
    rating = models.IntegerField(_("rating of its creator"), null=True, blank=True)
    least = models.IntegerField(_("lowest rating"), null=True, blank=True)
    most = models.IntegerField(_("highest rating"), null=True, blank=True)
    previous = models.ForeignKey(
        Match,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="rematches",
        verbose_name=_("match before"),
    )
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.OPEN)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    match = models.OneToOneField(
        Match,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="challenge",
        verbose_name=_("match"),
    )

    class Meta:
        verbose_name = _("challenge")
        verbose_name_plural = _("challenges")
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["creator"],
                condition=Q(state="open", kind="quick"),
                name="waiting_once",
            ),
            models.UniqueConstraint(
                fields=["creator", "previous"],
                condition=Q(state="open", kind="rematch"),
                name="rematch_once",
            ),
            models.UniqueConstraint(
                fields=["creator", "to"],
                condition=Q(state="open", kind="direct"),
                name="challenged_once",
            ),
        ]
        indexes = [
            models.Index(
                fields=["kind", "expires_at"], condition=Q(state="open"), name="open_by_expiry"
            ),
        ]

    def __str__(self) -> str:
        return self.id

    def get_absolute_url(self) -> str:
        from django.urls import reverse

        return reverse("challenge", args=[self.pk])


class StaffDecision(models.Model):
    """What staff decided about a match, and why; kept for good, and shown to staff alone."""

    class Kind(models.TextChoices):
        VOID = "void", _("void")
        ANNUL = "annul", _("annul")

    match = models.ForeignKey(
        Match, models.CASCADE, related_name="staff_decisions", verbose_name=_("match")
    )
    kind = models.CharField(_("decision"), max_length=8, choices=Kind)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("by")
    )
    at = models.DateTimeField(_("at"), auto_now_add=True)
    reason = models.TextField(_("reason"))

    class Meta:
        verbose_name = _("staff decision")
        verbose_name_plural = _("staff decisions")
        ordering = ["-at"]
        constraints = [
            models.UniqueConstraint(fields=["match", "kind"], name="decided_once"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id} {self.kind}"


class Report(models.Model):
    """Something that staff should look at: a player, a match, or a player in a match."""

    class About(models.TextChoices):
        STALLING = "stalling", _("Stalling or leaving matches")
        COLLUSION = "collusion", _("Losing on purpose, or playing with oneself")
        NAME = "name", _("An offensive name")
        RESULT = "result", _("A result or a rating that is wrong")
        OTHER = "other", _("Something else")

    class State(models.TextChoices):
        OPEN = "open", _("open")
        UPHELD = "upheld", _("upheld")
        DISMISSED = "dismissed", _("dismissed")

    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="reports_made",
        verbose_name=_("reported by"),
    )
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="reports",
        verbose_name=_("player"),
    )
    match = models.ForeignKey(
        Match,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="reports",
        verbose_name=_("match"),
    )
    about = models.CharField(_("about"), max_length=10, choices=About)
    text = models.TextField(_("what happened"), max_length=2000)
    at = models.DateTimeField(_("at"), auto_now_add=True)
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.OPEN)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("closed by"),
    )
    note = models.TextField(_("note of staff"), blank=True, max_length=2000)

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        ordering = ["at"]
        constraints = [
            models.CheckConstraint(
                condition=Q(player__isnull=False) | Q(match__isnull=False),
                name="report_is_about_something",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pk} {self.about}"


class RestartNotice(models.Model):
    """A restart that is announced: while it is active, from ``begins`` on, every page says so
    and no new match is offered or accepted. Running matches go on."""

    active = models.BooleanField(
        _("active"),
        default=True,
        help_text=_("Untick it after the restart: matches can be started again."),
    )
    begins = models.DateTimeField(
        _("from"),
        default=timezone.now,
        help_text=_("From then on every page tells it, and no new match starts (UTC)."),
    )
    text = models.CharField(
        _("further words"),
        max_length=200,
        blank=True,
        help_text=_("Shown to everybody after the announcement, such as when it is over."),
    )

    class Meta:
        verbose_name = _("announced restart")
        verbose_name_plural = _("announced restarts")
        ordering = ["-begins"]

    def __str__(self) -> str:
        return f"{self.begins:%Y-%m-%d %H:%M}"
