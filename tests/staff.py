"""Members of staff made to order, signed in."""

from __future__ import annotations

import re
from typing import Any

from django.contrib.auth.models import Permission
from django.test import Client

from accounts.models import User


def user(name: str, **fields: Any) -> User:
    """A player, or whatever ``fields`` make of one."""
    return User.objects.create_user(name, f"{name}@example.org", "pass-word-9", **fields)


def signed_in(who: User) -> Client:
    client = Client()
    client.force_login(who, "django.contrib.auth.backends.ModelBackend")
    return client


def member(*permissions: str, name: str = "moe") -> Client:
    """A member of staff with just these permissions ("view_match")."""
    who = user(name, is_staff=True)
    who.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    assert who.user_permissions.count() == len(permissions)
    return signed_in(who)


def superuser(name: str = "super") -> Client:
    return signed_in(user(name, is_staff=True, is_superuser=True))


def text(page: Any) -> str:
    """What a page says, without its tags."""
    return " ".join(re.sub(r"<[^>]+>", " ", page.content.decode()).split())
