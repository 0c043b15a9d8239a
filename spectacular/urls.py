"""Every address of the site."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

from games.health import metrics, readyz
from spectacular import language
from spectacular.health import healthz

urlpatterns = [
    path("admin/", admin.site.urls),
    path("accounts/", include("allauth.account.urls")),
    path("language/", language.choose, name="language"),
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("metrics", metrics, name="metrics"),
    path("", include("ratings.urls")),
    path("", include("games.urls")),
]
