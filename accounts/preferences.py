"""How somebody wants the site to look and behave, kept with the account, or in the browser of
whoever is signed out.

Only what somebody has chosen is kept: a default that changes later changes for all who left it
alone. What is kept is read field by field, and what is no value of a field counts as not chosen:
nothing that an older version of the site, or anybody, has left there breaks a page.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from django.conf import settings
from django.core import signing
from django.db import transaction
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from .models import ChosenPreferences, User

COOKIE = "preferences"
COOKIE_SECONDS = 400 * 24 * 3600  # browsers keep none for longer
_SALT = "accounts.preferences"
_CACHED = "_preferences"

THEMES = ("system", "light", "dark")

#: What a key of the match page can do.
ACTIONS = (
    "lay",
    "back",
    "draw",
    "ready",
    "left",
    "right",
    "up",
    "down",
    "ends",
    "hand",
    "moves",
    "table",
    "last",
    "why",
    "clocks",
    "opponent",
    "boneyard",
    "bid",
    "decline",
    "accept",
    "mute",
    "help",
)

#: The most that a table of keys takes, in bytes of JSON.
KEYMAP_BYTES = 1024


@dataclass(frozen=True, slots=True)
class Preferences:
    """What somebody has chosen, and the defaults of the rest.

    ``theme`` is one of :data:`THEMES`. ``keymap`` has the keys that are not the usual ones, each
    one lower-case character by its action. ``language`` is a code of ``settings.LANGUAGES``, or
    blank for what the browser asks for.
    """

    theme: str = "system"
    sound: bool = False
    draw_for_me: bool = False
    confirm: bool = False
    show_pays: bool = True
    keys: bool = True
    keymap: Mapping[str, str] = field(default_factory=dict)
    language: str = ""

    @property
    def keymap_json(self) -> str:
        """The changed keys for a page's script."""
        return _json(dict(self.keymap))

    @property
    def next_theme(self) -> str:
        """The one that comes after this one where they are gone through in turn."""
        return THEMES[(THEMES.index(self.theme) + 1) % len(THEMES)]

    def as_dict(self) -> dict[str, Any]:
        """All values by name, as JSON has them."""
        values = {name: getattr(self, name) for name in FIELDS}
        return values | {"keymap": dict(self.keymap)}


FIELDS = tuple(each.name for each in fields(Preferences))


class Invalid(ValueError):
    """A value that no field takes; ``code`` is one of :data:`CODES`, ``about`` what it is about."""

    def __init__(self, code: str, about: str = "") -> None:
        if code not in CODES:
            raise ValueError(f"{code!r} is no code of this module")
        super().__init__(code)
        self.code = code
        self.about = about


CODES = frozenset(
    {
        "no_choice",  # none of the values there are
        "no_keymap",  # no object of characters by action
        "unknown_action",
        "no_key",  # not one character that can be typed and seen
        "same_key",  # one key for two actions
        "too_large",
    }
)


def keymap_of(value: object) -> dict[str, str]:
    """A table of keys as it is kept, its letters in lower case; raises :class:`Invalid`."""
    if not isinstance(value, dict):
        raise Invalid("no_keymap")
    keymap: dict[str, str] = {}
    for action, key in value.items():
        if action not in ACTIONS:
            raise Invalid("unknown_action", str(action)[:20])
        if not isinstance(key, str) or len(key) != 1 or key.isspace() or not key.isprintable():
            raise Invalid("no_key", action)
        small = key.lower()
        keymap[action] = small if len(small) == 1 else key
    for action, key in keymap.items():
        if list(keymap.values()).count(key) > 1:
            raise Invalid("same_key", action)
    if len(_json(keymap).encode()) > KEYMAP_BYTES:
        raise Invalid("too_large")
    return keymap


def _one_of(choices: tuple[str, ...]) -> Callable[[object], str]:
    def checked(value: object) -> str:
        if not isinstance(value, str) or value not in choices:
            raise Invalid("no_choice")
        return value

    return checked


def _switch(value: object) -> bool:
    if not isinstance(value, bool):
        raise Invalid("no_choice")
    return value


def _language(value: object) -> str:
    return _one_of(("", *(code for code, _ in settings.LANGUAGES)))(value)


_CHECKED: dict[str, Callable[[object], Any]] = {
    "theme": _one_of(THEMES),
    "sound": _switch,
    "draw_for_me": _switch,
    "confirm": _switch,
    "show_pays": _switch,
    "keys": _switch,
    "keymap": keymap_of,
    "language": _language,
}


def preferences_of(request: HttpRequest) -> Preferences:
    """What the sender of a request has chosen: by one query for somebody signed in, else none."""
    known: Preferences | None = getattr(request, _CACHED, None)
    if known is None:
        known = Preferences(**_chosen(request))
        if hasattr(request, "user"):  # before that it is not known whose they are
            setattr(request, _CACHED, known)
    return known


def save(
    request: HttpRequest, response: HttpResponseBase, changes: Mapping[str, object]
) -> Preferences:
    """Keep these values beside whatever else was chosen, and return all that counts from now on.

    Signed out, they go into a cookie of ``response``. Raises :class:`Invalid`, or ``KeyError``
    for a name that is none of :data:`FIELDS`; nothing is kept then.
    """
    checked = {name: _CHECKED[name](value) for name, value in changes.items()}
    user = _user(request)
    if user is None:
        chosen = _chosen(request) | checked
        response.set_cookie(
            COOKIE,
            signing.dumps(chosen, salt=_SALT, compress=True),
            max_age=COOKIE_SECONDS,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    else:
        chosen = _keep(user, checked)
    now = Preferences(**chosen)
    setattr(request, _CACHED, now)
    return now


@transaction.atomic
def _keep(user: User, values: dict[str, Any], *, over: bool = True) -> dict[str, Any]:
    """Keep these with the account, ``over`` or under what it has; of two changes at the same
    moment neither is lost."""
    ChosenPreferences.objects.get_or_create(user=user)
    row = ChosenPreferences.objects.select_for_update().get(user=user)
    known = _read(row.values)
    chosen = row.values = known | values if over else values | known
    row.save()
    return chosen


def take_over(request: HttpRequest | None, user: User, **_: object) -> None:
    """Whoever signs in keeps what was chosen in the browser, but for what the account has."""
    held = _held(request) if request is not None else {}
    if held:
        _keep(user, held, over=False)
    if request is not None and hasattr(request, _CACHED):
        delattr(request, _CACHED)  # from now on it is somebody else's


def _chosen(request: HttpRequest) -> dict[str, Any]:
    user = _user(request)
    if user is None:
        return _held(request)
    row = ChosenPreferences.objects.filter(user=user).first()
    return _read(row.values) if row else {}


def _user(request: HttpRequest) -> User | None:
    user = getattr(request, "user", None)
    return user if isinstance(user, User) else None


def _held(request: HttpRequest) -> dict[str, Any]:
    """What the browser holds; nothing where the cookie is not ours, or is too old."""
    cookie = request.COOKIES.get(COOKIE)
    if not cookie:
        return {}
    try:
        return _read(signing.loads(cookie, salt=_SALT, max_age=COOKIE_SECONDS))
    except (signing.BadSignature, ValueError):
        return {}


def _read(values: object) -> dict[str, Any]:
    """Of what was kept, the values that fields take."""
    chosen: dict[str, Any] = {}
    for name, value in values.items() if isinstance(values, dict) else ():
        if name in _CHECKED:
            try:
                chosen[name] = _CHECKED[name](value)
            except Invalid:
                continue
    return chosen


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
