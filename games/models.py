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
    """

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=new_id, editable=False)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    epoch = models.BigIntegerField(_("epoch (ms)"))
    rated = models.BooleanField(_("rated"), default=False)
    shared_device = models.BooleanField(_("shared device"), default=False)
    version = models.PositiveIntegerField(_("version"), default=0)
    snapshot = models.JSONField(_("snapshot"))
    due = models.BigIntegerField(_("due (ms)"), null=True, blank=True, db_index=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    winner = models.PositiveSmallIntegerField(_("winning seat"), null=True, blank=True)
    reason = models.CharField(_("reason of the end"), max_length=16, blank=True)

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        ordering = ["-created_at"]
        permissions = [("void_match", _("Can void a running match"))]
        indexes = [
            models.Index(fields=["ended_at"], condition=Q(reason="void"), name="void_by_end")
        ]

    def __str__(self) -> str:
        return self.id

    def get_absolute_url(self) -> str:
        from django.urls import reverse

        return reverse("match", args=[self.pk])


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
    """A player's place in a match. ``live`` is true until the match is over.

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


class Challenge(models.Model):
    """An offer of a match, open to whoever has its link until accepted or withdrawn."""

    class State(models.TextChoices):
        OPEN = "open", _("open")
        ACCEPTED = "accepted", _("accepted")
        WITHDRAWN = "withdrawn", _("withdrawn")

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=new_id, editable=False)
    creator = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="challenges", verbose_name=_("by")
    )
    rated = models.BooleanField(_("rated"), default=False)
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.OPEN)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
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

    def __str__(self) -> str:
        return self.id

    def get_absolute_url(self) -> str:
        from django.urls import reverse

        return reverse("challenge", args=[self.pk])


class StaffDecision(models.Model):
    """What staff decided about a match, and why; kept for good, and shown to staff alone."""

    class Kind(models.TextChoices):
        VOID = "void", _("void")

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

    def __str__(self) -> str:
        return f"{self.match_id} {self.kind}"


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
