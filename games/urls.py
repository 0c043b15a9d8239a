"""Addresses of the lobby, the matches and the rules."""

from __future__ import annotations

from django.urls import include, path

from games import (
    after_views,
    learn_views,
    lobby_views,
    profile_views,
    report_views,
    rules_views,
    status_view,
    two_views,
    views,
    watch_views,
)

urlpatterns = [
    path("", lobby_views.home, name="home"),
    path("rules/", rules_views.rules, name="rules"),
    path("status/", status_view.status_page, name="status"),
    path("new/", views.new_match, name="new_match"),
    path("two/", two_views.two, name="two"),
    path("learn/", learn_views.learn, name="learn"),
    path("challenges/<slug:challenge_id>/", views.challenge, name="challenge"),
    path(
        "challenges/<slug:challenge_id>/accept/",
        lobby_views.challenge_accept,
        name="challenge_accept",
    ),
    path(
        "challenges/<slug:challenge_id>/withdraw/",
        lobby_views.challenge_withdraw,
        name="challenge_withdraw",
    ),
    path("watch/", watch_views.watch_page, name="watch"),
    path("watch/list/", watch_views.watch_list, name="watch_list"),
    path("watch/best/", watch_views.watch_best, name="watch_best"),
    path(
        "challenges/<slug:challenge_id>/decline/",
        lobby_views.challenge_decline,
        name="challenge_decline",
    ),
    path("challenges/", lobby_views.challenge_by_name, name="challenge_by_name"),
    path("play-now/", lobby_views.play_now, name="play_now"),
    path("seeks/", lobby_views.seek, name="seek"),
    path("players/<str:name>/challenge/", lobby_views.challenge_player, name="challenge_player"),
    path("matches/<slug:match_id>/after/", after_views.after, name="match_after"),
    path("matches/<slug:match_id>/rematch/", after_views.rematch, name="rematch"),
    path("matches/<slug:match_id>/", views.match_page, name="match"),
    path("matches/<slug:match_id>/record/", views.record, name="record"),
    path("matches/<slug:match_id>/leave/", views.leave, name="leave"),
    path("players/<str:name>/", profile_views.profile, name="player"),
    path("players/<str:name>/rating.svg", profile_views.rating_chart, name="rating_chart"),
    path("matches/<slug:match_id>/report/", report_views.report_match, name="report_match"),
    path("players/<str:name>/report/", report_views.report_player, name="report_player"),
    path("", include("accounts.urls")),
]
