"""Addresses of what one player thinks of another."""

from __future__ import annotations

from django.urls import path

from accounts import views

urlpatterns = [
    path("blocks/", views.blocks, name="blocks"),
    path("players/<str:name>/block/", views.block, name="block"),
    path("players/<str:name>/unblock/", views.unblock, name="unblock"),
]
