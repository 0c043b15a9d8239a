"""The page of one's preferences, which also takes a single one from any other page."""

from __future__ import annotations

import json

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from spectacular import language

from .preferences import preferences_of, save
from .preferences_form import PreferencesForm
from .returning import safe_next


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def preferences_page(request: HttpRequest) -> HttpResponse:
    """Show the form, or keep what was chosen, signed in or not."""
    known = preferences_of(request)
    if request.method != "POST":
        return render(request, "accounts/preferences.html", {"form": PreferencesForm(known)})
    form = PreferencesForm(known, request.POST)
    scripted = "HX-Request" in request.headers
    if not form.is_valid():
        page = "_preferences_form" if scripted else "preferences"
        return render(request, f"accounts/{page}.html", {"form": form}, status=422)
    back = safe_next(request) or reverse("preferences")
    response = HttpResponse(status=204) if scripted else HttpResponseRedirect(back)
    now = save(request, response, form.changes)
    if "language" in form.changes:
        language.remember(response, now.language)
    if scripted:
        response["HX-Trigger"] = json.dumps({"preferences": now.as_dict()})
    else:
        messages.success(request, _("Your preferences are kept."))
    return response
