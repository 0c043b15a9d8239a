"""The pages: home and rules, challenges, and the match itself."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRedirect, HttpResponseClientRefresh

from accounts.models import User
from games import live, lobby, lobby_words, present, store, timekeeping, words
from games.forms import NewMatchForm
from games.models import Challenge, Match

GET = ["GET", "HEAD"]


@require_http_methods(GET)
@never_cache
def home(request: HttpRequest) -> HttpResponse:
    """Where one starts or resumes a match, or learns what this is."""
    user = _player(request)
    if user is None:
        return render(request, "home.html")
    context = {
        "form": NewMatchForm(),
        "mine": lobby.running_match_of(user),
        "challenges": lobby.open_challenges_of(user),
        "running_shown": True,
    }
    return render(request, "home.html", context)


@require_http_methods(GET)
def rules(request: HttpRequest) -> HttpResponse:
    """The rules of the game, for people who have never heard of it."""
    return render(request, "rules.html")


@require_http_methods([*GET, "POST"])
@never_cache
def new_match(request: HttpRequest) -> HttpResponse:
    """Offer a match: the answer is a page with the link to send."""
    user = _player(request)
    if user is None:
        return redirect_to_login(reverse("new_match"))
    form = NewMatchForm(request.POST if request.method == "POST" else None)
    context: dict[str, object] = {"form": form}
    if request.method == "POST" and form.is_valid():
        try:
            return redirect(lobby.create(user, rated=form.rated))
        except lobby.Refused as refused:
            return render(request, "games/new_match.html", context | _problem(refused), status=409)
    if mine := lobby.running_match_of(user):
        context |= _problem(lobby.Refused("you_are_playing", match=mine.id, opponent=mine.opponent))
    status = 422 if form.errors else 200
    return render(request, "games/new_match.html", context, status=status)


@require_http_methods(GET)
@never_cache
def challenge(request: HttpRequest, challenge_id: str) -> HttpResponse:
    """The offer: its link for the creator, a yes for whoever else gets here."""
    offer = get_object_or_404(Challenge.objects.select_related("creator"), pk=challenge_id)
    if "HX-Request" in request.headers:
        return _news_for_the_waiting(request, offer)
    return _challenge_page(request, offer, lobby.obstacle(offer, _player(request)))


@require_http_methods(["POST"])
def challenge_accept(request: HttpRequest, challenge_id: str) -> HttpResponse:
    """Yes: the match starts, unless something stands against it."""
    user = _player(request)
    if user is None:
        return redirect_to_login(reverse("challenge", args=[challenge_id]))
    try:
        match = lobby.accept(challenge_id, user, now=timekeeping.now_ms())
    except Challenge.DoesNotExist:
        raise Http404 from None
    except lobby.Refused as refused:
        return _refused_challenge(request, challenge_id, refused)
    return redirect(match)


@require_http_methods(["POST"])
def challenge_withdraw(request: HttpRequest, challenge_id: str) -> HttpResponse:
    """The creator takes the offer back."""
    user = _player(request)
    if user is None:
        return redirect_to_login(reverse("challenge", args=[challenge_id]))
    try:
        lobby.withdraw(challenge_id, user)
    except Challenge.DoesNotExist:
        raise Http404 from None
    except lobby.Refused as refused:
        return _refused_challenge(request, challenge_id, refused)
    messages.success(request, _("Your offer is withdrawn."))
    return redirect("home")


@require_http_methods(GET)
@never_cache
def match_page(request: HttpRequest, match_id: str) -> HttpResponse:
    """A match as this visitor may see it. Never stored anywhere: a hand is in it."""
    try:
        player = _player(request)
        page = live.page(match_id, None if player is None else player.pk)
    except Match.DoesNotExist:
        raise Http404 from None
    return render(
        request, "games/match.html", present.page_context(page.info, page.view, page.log, full=True)
    )


@require_http_methods(GET)
def record(request: HttpRequest, match_id: str) -> HttpResponse:
    """The record of a finished match, to keep."""
    match = get_object_or_404(Match, pk=match_id)
    if match.ended_at is None:
        return render(request, "games/no_record.html", {"match": match}, status=409)
    body = "".join(f"{line.rstrip()}\n" for line in store.record_lines(match))
    name = f"spectacular-bid-{match.pk}.jsonl"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(body, content_type="application/jsonl; charset=utf-8", headers=headers)


@require_http_methods(["POST"])
def leave(request: HttpRequest, match_id: str) -> HttpResponse:
    """A player steps out before both have pressed Start: the match is void."""
    match = get_object_or_404(Match, pk=match_id)
    user = _player(request)
    if user is None:
        return redirect_to_login(match.get_absolute_url())
    try:
        store.leave(match.pk, user.pk, timekeeping.now_ms())
    except store.Refused as refused:
        messages.error(request, words.refusal(refused.code, refused.params))
        return redirect(match)
    messages.success(request, _("You have left the match. It is void: nobody won or lost."))
    return redirect("home")


def _news_for_the_waiting(request: HttpRequest, offer: Challenge) -> HttpResponse:
    """What the creator's waiting page does next: wait on, go to the match, or look again."""
    player = _player(request)
    if player == offer.creator and offer.state == Challenge.State.OPEN:
        return HttpResponse(status=204)
    if offer.match and player and offer.match.seats.filter(user=player).exists():
        return HttpResponseClientRedirect(offer.match.get_absolute_url())
    return HttpResponseClientRefresh()


def _refused_challenge(
    request: HttpRequest, challenge_id: str, refused: lobby.Refused
) -> HttpResponse:
    offer = get_object_or_404(Challenge.objects.select_related("creator"), pk=challenge_id)
    return _challenge_page(request, offer, refused, status=409)


def _challenge_page(
    request: HttpRequest, offer: Challenge, refused: lobby.Refused | None, status: int = 200
) -> HttpResponse:
    player = _player(request)
    mine = player == offer.creator
    context: dict[str, object] = {
        "challenge": offer,
        "mine": mine,
        "waiting": mine and offer.state == Challenge.State.OPEN,
        "link": request.build_absolute_uri(offer.get_absolute_url()),
        "next": offer.get_absolute_url(),
    }
    if refused and not (context["waiting"] and status == 200):
        context |= _problem(refused)
    if offer.match and player and offer.match.seats.filter(user=player).exists():
        context["my_match"] = offer.match
    return render(request, "games/challenge.html", context, status=status)


def _problem(refused: lobby.Refused) -> dict[str, object]:
    return {
        "problem": lobby_words.sentence(refused),
        "problem_match": refused.params.get("match"),
        "problem_link": lobby_words.link(refused),
    }


def _player(request: HttpRequest) -> User | None:
    return request.user if request.user.is_authenticated else None
