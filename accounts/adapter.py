"""Where allauth asks this site for its own rules."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.shortcuts import redirect
from django.utils import translation
from django.utils.translation import gettext as _

from spectacular import language

from .models import User


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Allauth's own behaviour, sure of the last word of the database; mails are in the language
    of whom they are to, else of who asked for them."""

    def save_user(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """Save a new user; of two who want one name at the same moment, one is asked again."""
        try:
            with transaction.atomic():
                return super().save_user(request, *args, **kwargs)
        except IntegrityError:
            messages.error(request, _("Somebody has just taken this name or this address."))
            raise ImmediateHttpResponse(redirect("account_signup")) from None

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        to = context.get("user") or User.objects.filter(email__iexact=email).first()
        with translation.override(language.of_user(to) or translation.get_language()):
            super().send_mail(template_prefix, email, context)
