"""What a player's public name may be."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

MIN_LENGTH = 2
MAX_LENGTH = 20
PATTERN = r"\A[A-Za-z0-9_-]+\Z"

# Names that would pass for the house itself or for nobody.
RESERVED = frozenset(
    [
        "account",
        "accounts",
        "admin",
        "administrator",
        "anonymous",
        "api",
        "bot",
        "guest",
        "help",
        "host",
        "house",
        "me",
        "moderator",
        "nobody",
        "none",
        "null",
        "official",
        "play",
        "player",
        "players",
        "root",
        "server",
        "site",
        "spectacular",
        "spectacular-bid",
        "spectacularbid",
        "spectator",
        "staff",
        "support",
        "system",
        "undefined",
        "webmaster",
        "you",
    ]
)


def refuse_reserved(name: str) -> None:
    """Raise ``ValidationError`` for a name that belongs to the house, in any case."""
    if name.lower().strip("_-") in RESERVED:
        raise ValidationError(_("This name is reserved."), code="reserved")
