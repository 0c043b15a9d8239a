"""Addresses of what players choose for themselves, and what they think of others."""

from __future__ import annotations

from django.urls import path

from accounts import preferences_views, views

urlpatterns = [
    path("preferences/", preferences_views.preferences_page, name="preferences"),
    path("blocks/", views.blocks, name="blocks"),
    path("players/<str:name>/block/", views.block, name="block"),
    path("players/<str:name>/unblock/", views.unblock, name="unblock"),
]
