"""Which browser this is, where nobody is signed in: a random token in the data of its session.

It is in the data because the session's key changes when somebody signs in. What is stored of it
beside the session is a digest, so that nobody who reads the one can pass for the other.
"""

from __future__ import annotations

import hashlib
import secrets

from django.contrib.sessions.backends.base import SessionBase

KEY = "browser"


def known(session: SessionBase) -> str:
    """What stands for this browser; empty where it has no token yet."""
    token = session.get(KEY)
    return hashlib.sha256(token.encode()).hexdigest() if isinstance(token, str) else ""


def made_known(session: SessionBase) -> str:
    """What stands for this browser from now on, for as long as its session lasts."""
    if not known(session):
        session[KEY] = secrets.token_urlsafe(32)
    return known(session)
