"""Who plays here."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.auth.models import AbstractUser, UserManager
from django.core.validators import MinLengthValidator, RegexValidator
from django.db import models
from django.db.models.functions import Upper
from django.utils.translation import gettext_lazy as _

from accounts.names import MAX_LENGTH, MIN_LENGTH, PATTERN, refuse_reserved


class PlayerManager(UserManager["User"]):
    """Finds a name whichever way it is capitalised."""

    def get_by_natural_key(self, username: str | None) -> User:
        if username and "\0" in username:  # PostgreSQL takes no such text
            raise self.model.DoesNotExist
        return self.get(username__iexact=username)


class User(AbstractUser):
    """A player. ``username`` is the public name; first and last names are not asked for."""

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    username = models.CharField(
        _("name"),
        max_length=MAX_LENGTH,
        unique=True,
        help_text=_("2 to 20 letters, digits, “_” or “-”. Everybody sees it."),
        validators=[
            RegexValidator(
                PATTERN, _("A name consists of letters from a to z, digits, “_” and “-”.")
            ),
            MinLengthValidator(MIN_LENGTH),
            refuse_reserved,
        ],
    )
    email = models.EmailField(_("e-mail address"))

    objects: ClassVar[PlayerManager] = PlayerManager()

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        permissions = [
            ("suspend_user", _("Can suspend a player and lift a suspension")),
        ]
        # Few are gone; lists of players leave them out by this one.
        indexes = [
            models.Index(
                fields=["id"], condition=models.Q(is_active=False), name="inactive_players"
            )
        ]
        # Upper, because that is what Django's iexact looks up.
        constraints = [
            models.UniqueConstraint(
                Upper("username"),
                name="name_once_in_any_case",
                violation_error_message=_("This name is taken."),
            ),
            models.UniqueConstraint(
                Upper("email"),
                name="email_once_in_any_case",
                violation_error_message=_("This e-mail address is taken."),
            ),
        ]

    def __str__(self) -> str:
        return self.username

    def get_full_name(self) -> str:
        return self.username

    def get_short_name(self) -> str:
        return self.username


class Suspension(models.Model):
    """A player who may start no match for a while; kept for good, with who decided it and why.

    ``until`` is null for one without an end; ``lifted_at`` is when staff ended it early.
    """

    user = models.ForeignKey(
        User, models.PROTECT, related_name="suspensions", verbose_name=_("player")
    )
    by = models.ForeignKey(User, models.PROTECT, related_name="+", verbose_name=_("by"))
    at = models.DateTimeField(_("at"), auto_now_add=True)
    until = models.DateTimeField(_("until"), null=True, blank=True)
    reason = models.TextField(_("reason"), max_length=2000)
    lifted_at = models.DateTimeField(_("lifted"), null=True, blank=True)
    lifted_by = models.ForeignKey(
        User,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("lifted by"),
    )

    class Meta:
        verbose_name = _("suspension")
        verbose_name_plural = _("suspensions")
        ordering = ["-at"]

    def __str__(self) -> str:
        return f"{self.user} {self.at:%Y-%m-%d}"


class Block(models.Model):
    """``user`` wants no match with ``blocked``, either way round."""

    user = models.ForeignKey(User, models.CASCADE, related_name="blocks", verbose_name=_("player"))
    blocked = models.ForeignKey(
        User, models.CASCADE, related_name="blocked_by", verbose_name=_("blocked player")
    )
    at = models.DateTimeField(_("at"), auto_now_add=True)

    class Meta:
        verbose_name = _("block")
        verbose_name_plural = _("blocks")
        ordering = ["-at"]
        constraints = [
            models.UniqueConstraint(fields=["user", "blocked"], name="blocked_once"),
            models.CheckConstraint(
                condition=~models.Q(user=models.F("blocked")), name="nobody_blocks_themselves"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} – {self.blocked}"


class ChosenPreferences(models.Model):
    """What a player has chosen of ``accounts.preferences``; no row where nothing ever was."""

    user = models.OneToOneField(
        User, models.CASCADE, primary_key=True, related_name="+", verbose_name=_("player")
    )
    values = models.JSONField(_("values"), default=dict)

    class Meta:
        verbose_name = _("preferences")
        verbose_name_plural = _("preferences")

    def __str__(self) -> str:
        return str(self.user)
