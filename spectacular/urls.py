"""Every address of the site."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

from spectacular.health import healthz

urlpatterns = [
    path("admin/", admin.site.urls),
    path("accounts/", include("allauth.account.urls")),
    path("healthz", healthz, name="healthz"),
    path("", include("games.urls")),
]
