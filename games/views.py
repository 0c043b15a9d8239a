"""The pages: challenges, and the match itself."""

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
from games import browsers, live, lobby, lobby_words, present, store, timekeeping, words
from games.forms import NewMatchForm
from games.models import Challenge, Match

GET = ["GET", "HEAD"]
Kind, State = Challenge.Kind, Challenge.State


@require_http_methods([*GET, "POST"])
@never_cache
def new_match(request: HttpRequest) -> HttpResponse:
    """Offer a match: the answer is a page with the link to send."""
    user = player_of(request)
    if user is None:
        return redirect_to_login(reverse("new_match"))
    form = NewMatchForm(request.POST if request.method == "POST" else None)
    context: dict[str, object] = {"form": form}
    if request.method == "POST" and form.is_valid():
        try:
            return redirect(lobby.create(user, rated=form.rated))
        except lobby.Refused as refused:
            return render(request, "games/new_match.html", context | problem(refused), status=409)
    if mine := lobby.running_match_of(user):
        context |= problem(lobby.Refused("you_are_playing", match=mine.id, opponent=mine.opponent))
    status = 422 if form.errors else 200
    return render(request, "games/new_match.html", context, status=status)


@require_http_methods(GET)
@never_cache
def challenge(request: HttpRequest, challenge_id: str) -> HttpResponse:
    """The offer: its link for the creator, a yes for whoever else gets here."""
    offer = get_object_or_404(Challenge.objects.select_related("creator"), pk=challenge_id)
    if "HX-Request" in request.headers:
        return _news_for_the_waiting(request, offer)
    player = player_of(request)
    if offer.kind != Kind.LINK and player == offer.creator and _stands(offer):
        return redirect("home")  # there it stands among the others
    return challenge_page(request, offer, lobby.obstacle(offer, player))


@require_http_methods(GET)
@never_cache
def match_page(request: HttpRequest, match_id: str) -> HttpResponse:
    """A match as this visitor may see it. Never stored anywhere: a hand is in it, unless one
    device is for both players."""
    if "at" in request.GET:
        return _replay(request, match_id)
    try:
        player = player_of(request)
        user_id = None if player is None else player.pk
        page = live.page(match_id, user_id, browser=browsers.known(request.session))
    except Match.DoesNotExist:
        raise Http404 from None
    return render(
        request, "games/match.html", present.page_context(page.info, page.view, page.log, full=True)
    )


def _replay(request: HttpRequest, match_id: str) -> HttpResponse:
    """One moment of a finished match, for everybody: after the event that ``at`` names, or the
    nearest one there is. A running match has its own page only."""
    match = get_object_or_404(Match, pk=match_id)
    asked = request.GET["at"]
    if match.ended_at is None or not (asked.isascii() and asked.isdigit() and len(asked) < 9):
        return redirect(match)
    then = live.moment(match, lambda log: present.nearest_stop(log, int(asked)))
    context = present.replay_context(then.info, then.view, then.log, then.hands)
    response = render(request, "games/replay.html", context)
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response


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
    user, browser = player_of(request), browsers.known(request.session)
    user_id = None if user is None else user.pk
    if user is None and not match.is_owned_by(None, browser):
        return redirect_to_login(match.get_absolute_url())
    try:
        store.leave(match.pk, user_id, timekeeping.now_ms(), browser=browser)
    except store.Refused as refused:
        messages.error(request, words.refusal(refused.code, refused.params))
        return redirect(match)
    messages.success(request, _("You have left the match. It is void: nobody won or lost."))
    return redirect("home")


def _news_for_the_waiting(request: HttpRequest, offer: Challenge) -> HttpResponse:
    """What the creator's waiting page does next: wait on, go to the match, or look again."""
    player = player_of(request)
    if player == offer.creator and _stands(offer):
        return HttpResponse(status=204)
    if offer.match and player and offer.match.seats.filter(user=player).exists():
        return HttpResponseClientRedirect(offer.match.get_absolute_url())
    return HttpResponseClientRefresh()


def _stands(offer: Challenge) -> bool:
    """Whether an offer can be accepted still: one that is too old is open until it is closed."""
    fresh = offer.expires_at is None or offer.expires_at > lobby.moment(timekeeping.now_ms())
    return offer.state == State.OPEN and fresh


def challenge_page(
    request: HttpRequest, offer: Challenge, refused: lobby.Refused | None, status: int = 200
) -> HttpResponse:
    """The page of one offer, as whoever asks may see it."""
    player = player_of(request)
    mine = player == offer.creator
    context: dict[str, object] = {
        "challenge": offer,
        "mine": mine,
        "waiting": mine and _stands(offer),
        "link": request.build_absolute_uri(offer.get_absolute_url()),
        "next": offer.get_absolute_url(),
    }
    if refused and not (context["waiting"] and status == 200):
        context |= problem(refused)
    if offer.match and player and offer.match.seats.filter(user=player).exists():
        context["my_match"] = offer.match
    return render(request, "games/challenge.html", context, status=status)


def problem(refused: lobby.Refused) -> dict[str, object]:
    """What a page says about a request that was turned down."""
    return {
        "problem": lobby_words.sentence(refused),
        "problem_match": refused.params.get("match"),
        "problem_link": lobby_words.link(refused),
    }


def player_of(request: HttpRequest) -> User | None:
    """Who is signed in, if anybody is."""
    return request.user if request.user.is_authenticated else None
