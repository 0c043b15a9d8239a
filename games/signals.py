"""When an account is signed out, gets a new password or is suspended, its sockets are closed; whom
somebody blocks, and whoever is suspended or has no account any more, has no offers either. Who
signs in keeps what was played before."""

from __future__ import annotations

import logging
from typing import Any

from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.db import transaction
from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver
from django.http import HttpRequest

from accounts.models import User
from accounts.signals import blocked, suspended
from spectacular.signals import front_ready, front_stopped

from . import browsers, live, lobby, restarts
from .consumers import session_digest
from .front import start_front, stop_front
from .models import RestartNotice

front_ready.connect(start_front)
front_stopped.connect(stop_front)

log = logging.getLogger(__name__)


@receiver(user_logged_in)
def keep_what_is_played(sender: object, request: HttpRequest, user: User, **_: Any) -> None:
    """What the browser plays on one device for two becomes the account's."""
    lobby.keep_for(user, browsers.known(request.session))


@receiver(user_logged_out)
def close_session(sender: object, request: HttpRequest, user: User | None, **_: Any) -> None:
    """Close the sockets of the session that ends."""
    if user is not None:
        _end(user.pk, session_digest(request.session.session_key))


@receiver(post_save, sender=User)
def close_all(sender: object, instance: User, created: bool, **_: Any) -> None:
    """A new password ends every session, and so does the end of an account, which offers nothing
    any more, either; whoever changed the password here signs in or reloads."""
    changed = getattr(instance, "_password", None) is not None  # set_password was called
    if not created and (changed or not instance.is_active):
        transaction.on_commit(lambda: _end(instance.pk, None))
    if not created and not instance.is_active:
        lobby.close_offers(instance.pk)


@receiver(suspended)
def let_go(sender: object, user_id: int, **_: Any) -> None:
    """A suspended player offers nothing any more; every socket of theirs has to come back, and
    those of the lobby may not."""
    lobby.close_offers(user_id)
    transaction.on_commit(lambda: _suspend(user_id))


@receiver(blocked)
def set_apart(sender: object, user_id: int, blocked_id: int, **_: Any) -> None:
    """What one of the two offered the other is off."""
    lobby.close_between(user_id, blocked_id)


@receiver([post_save, post_delete], sender=RestartNotice)
def tell_of_restarts(sender: object, **_: Any) -> None:
    """The next page of this process tells; other processes do within seconds."""
    transaction.on_commit(restarts.forget)


def _end(user_id: int, session: str | None) -> None:
    try:
        live.end_account(user_id, session)
    except Exception:  # each command asks the session again anyway
        log.exception("the sockets of user %s could not be closed", user_id)


def _suspend(user_id: int) -> None:
    try:
        live.suspend_account(user_id)
    except Exception:  # the lobby starts no match for them anyway
        log.exception("the sockets of user %s could not be closed", user_id)
