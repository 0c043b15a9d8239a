"""Where a player stands, and every change of it.

Matches are known by their public ids alone: this app knows nothing of the game.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

START = 1500  # the rating of everybody who has not played a rated match
ESTABLISHED = 10  # rated matches from which on a rating is no longer provisional, and is ranked


class Rating(models.Model):
    """Where a player stands now: a cache of the player's changes, kept in the same transaction.

    ``matches`` is the number of rated matches that count (an annulled one no longer does), and
    ``won`` and ``lost`` add up to it. ``at_top`` says that the rating has reached 2400 once,
    which is for good. ``peak`` is the highest rating after a match that counts.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        primary_key=True,
        related_name="rating",
        verbose_name=_("player"),
    )
    value = models.IntegerField(_("rating"), default=START)
    matches = models.PositiveIntegerField(_("rated matches"), default=0)
    won = models.PositiveIntegerField(_("won"), default=0)
    lost = models.PositiveIntegerField(_("lost"), default=0)
    at_top = models.BooleanField(_("has reached 2400"), default=False)
    peak = models.IntegerField(_("peak"), null=True, blank=True)
    last_played = models.DateTimeField(_("last played"), null=True, blank=True)

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        ordering = ["-value", "user"]
        constraints = [
            models.CheckConstraint(
                condition=Q(matches=F("won") + F("lost")), name="matches_are_won_or_lost"
            ),
        ]
        indexes = [
            models.Index(
                F("value").desc(),
                "user",
                # The active ones are found here too, and no database has to look further.
                "last_played",
                "matches",
                name="ladder_by_rating",
                condition=Q(matches__gte=ESTABLISHED),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.value}{'?' if self.is_provisional else ''}"

    @property
    def is_provisional(self) -> bool:
        """Whether too few rated matches were played for a place in the ladder."""
        return self.matches < ESTABLISHED


class RatingChange(models.Model):
    """One change of one rating: by a match, or by staff who annulled one.

    ``number`` counts the rated matches of the player, this one included; ``k`` is the factor that
    was used. The order of the rows of one player is the order in which they happened.
    """

    class Kind(models.TextChoices):
        MATCH = "match", _("match")
        ANNULLED = "annulled", _("annulled")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="rating_changes",
        verbose_name=_("player"),
    )
    match_id = models.CharField(_("match"), max_length=10)
    kind = models.CharField(_("kind"), max_length=8, choices=Kind, default=Kind.MATCH)
    opponent = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("opponent")
    )
    opponent_before = models.IntegerField(_("opponent's rating before"))
    won = models.BooleanField(_("won"))
    number = models.PositiveIntegerField(_("number"))
    k = models.PositiveSmallIntegerField(_("factor K"))
    before = models.IntegerField(_("before"))
    after = models.IntegerField(_("after"))
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("rating change")
        verbose_name_plural = _("rating changes")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["user", "match_id", "kind"], name="rated_once"),
        ]
        indexes = [
            models.Index(fields=["match_id"], name="changes_of_match"),
            models.Index(fields=["user", "at"], name="changes_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id} {self.before} → {self.after}"

    @property
    def difference(self) -> int:
        """By how many points the rating changed."""
        return self.after - self.before
