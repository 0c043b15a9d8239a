"""In which language somebody is answered: one answer for pages, sockets, refusals and mails.

What was chosen is kept in a cookie of the browser, and with the account of whoever is signed in;
until then the browser's own list decides. An account's choice comes along: signing in on another
device sets the cookie there. Pages and sockets ask the cookie alone, so neither costs a query.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.urls import reverse
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_POST

from accounts import preferences
from accounts.models import User
from accounts.returning import safe_next

_SIGNED_IN = "_has_just_signed_in"


def of_request(request: HttpRequest) -> str:
    """The code of the language that a request is answered in."""
    return translation.get_language_from_request(request)


def of_scope(scope: Mapping[str, Any]) -> str:
    """The same for a socket: what the page has that opened it."""
    accepted = dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1")
    request: Any = SimpleNamespace(
        COOKIES=scope["cookies"], META={"HTTP_ACCEPT_LANGUAGE": accepted}
    )
    return of_request(request)


def of_user(user: object) -> str:
    """The code of the language that goes with an account, blank where none was chosen."""
    if not isinstance(user, User):
        return ""
    request: Any = SimpleNamespace(user=user)
    return preferences.preferences_of(request).language


def remember(response: HttpResponseBase, code: str) -> None:
    """The browser asks for this language from now on; for its own where ``code`` is blank."""
    if not code:
        response.delete_cookie(settings.LANGUAGE_COOKIE_NAME, samesite="Lax")
        return
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        code,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        samesite="Lax",
    )


class LanguageMiddleware(LocaleMiddleware):
    """Django's own, which tells caches of the cookie too, and gives it to who has signed in."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if getattr(request, _SIGNED_IN, False) and (code := of_user(request.user)):
            remember(response, code)
        patch_vary_headers(response, ["Cookie"])
        return super().process_response(request, response)


@receiver(user_logged_in)
def _note(request: HttpRequest | None, **_kwargs: object) -> None:
    """What is chosen with the account is looked up when the page is answered."""
    if request is not None:
        setattr(request, _SIGNED_IN, True)


@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    """Keep the language that was chosen, and go on where one was."""
    response = HttpResponseRedirect(safe_next(request) or reverse("home"))
    code = request.POST.get("language", "")
    if code in dict(settings.LANGUAGES):
        preferences.save(request, response, {"language": code})
        remember(response, code)
    return response


def place_of(request: HttpRequest) -> str:
    """The address at which the page that is shown can be asked for again: that of the form, where
    the page is what a form was answered with."""
    if request.method in ("GET", "HEAD"):
        return request.get_full_path()
    came_from = urlsplit(request.headers.get("Referer", ""))
    if came_from.netloc != request.get_host():
        return reverse("home")
    return came_from._replace(scheme="", netloc="", fragment="").geturl() or "/"
