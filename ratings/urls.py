"""The address of the ladder."""

from __future__ import annotations

from django.urls import path

from . import views

urlpatterns = [
    path("ladder/", views.ladder_page, name="ladder"),
]
