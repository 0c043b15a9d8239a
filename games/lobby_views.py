"""The lobby: its page, and the forms by which a match is offered, accepted and declined.

Every form works by itself: it is answered with the page, and with what there is to say where
the person looks. A page with scripts asks for less: the words, and the regions as they are now.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django import forms
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST
from django_htmx.http import HttpResponseClientRedirect

from accounts.models import User
from games import lobby, lobby_words, timekeeping
from games.forms import ChallengeForm, KindForm, NewMatchForm, SeekForm
from games.lobby_regions import Regions, Shelf, fragments
from games.models import Challenge, Match
from games.views import GET, challenge_page, player_of

Kind = Challenge.Kind


@dataclass(frozen=True, slots=True)
class Said:
    """Something to tell a player, in the part of the page that it is about."""

    slot: str
    text: str
    good: bool = False
    status: int = 200
    match: str = ""
    link: str = ""

    @classmethod
    def of(cls, slot: str, refused: lobby.Refused) -> Said:
        """The words for a request that was turned down."""
        link = lobby_words.link(refused)
        match = str(refused.params.get("match", "")) if link else ""
        return cls(slot, lobby_words.sentence(refused), status=409, match=match, link=link)

    @classmethod
    def of_form(cls, slot: str, form: forms.Form) -> Said:
        """The words for a form that cannot be read so."""
        errors = [str(error) for found in form.errors.values() for error in found]
        return cls(slot, " ".join(errors), status=422)


@require_http_methods(GET)
@never_cache
def home(request: HttpRequest) -> HttpResponse:
    """The lobby of a player; a stranger learns what this is."""
    user = player_of(request)
    if user is None:
        return render(request, "home.html")
    # Where scripts do not run, looking again and again is how one stays in the lobby.
    lobby.keep_alive(user.pk, timekeeping.now_ms())
    return lobby_page(request, user)


def lobby_page(
    request: HttpRequest, user: User, said: Said | None = None, **filled: forms.Form
) -> HttpResponse:
    """The whole page of the lobby; ``filled`` are forms as their sender left them."""
    board = lobby.board(timekeeping.now_ms(), [user.pk])
    made = board.made_by(user.pk)
    context: dict[str, object] = {
        "regions": _regions(request, user, board),
        "seek_form": SeekForm(initial={"kind": "rated"}),
        "challenge_form": ChallengeForm(initial={"kind": "rated"}),
        "form": NewMatchForm(),
        "said": said,
        "mine": board.match_of(user.pk),
        "waits": any(offer.kind in (Kind.QUICK, Kind.SEEK) for offer in made),
        "now": board.now,
        "newcomer": board.facts.players[user.pk].provisional,
        "running_shown": True,
        "incoming_shown": True,
    }
    status = 200 if said is None else said.status
    return render(request, "home.html", context | filled, status=status)


def _regions(request: HttpRequest, user: User, board: lobby.Board) -> Regions:
    return Shelf(get_token(request)).regions(board, user.pk, get_language() or "en")


def _answer(request: HttpRequest, user: User, said: Said, **filled: forms.Form) -> HttpResponse:
    """What a form of the lobby is answered with."""
    if "HX-Request" in request.headers:
        board = lobby.board(timekeeping.now_ms(), [user.pk])
        words = render_to_string("lobby/_said.html", {"said": said})
        return HttpResponse(words + fragments(_regions(request, user, board)), status=said.status)
    if said.status != 200:
        return lobby_page(request, user, said, **filled)
    messages.success(request, said.text)
    return redirect("home")


def _go(request: HttpRequest, address: str) -> HttpResponse:
    """On to another page, for a page with scripts too."""
    if "HX-Request" in request.headers:
        return HttpResponseClientRedirect(address)
    return redirect(address)


def _sign_in(request: HttpRequest, then: str) -> HttpResponse:
    return _go(request, redirect_to_login(then).url)


# Offering


@require_POST
def play_now(request: HttpRequest) -> HttpResponse:
    """Be paired with whoever waits, or wait."""
    user = player_of(request)
    if user is None:
        return _sign_in(request, reverse("home"))
    form = KindForm(request.POST)
    if not form.is_valid():
        return _answer(request, user, Said.of_form("quick", form))
    try:
        found = lobby.play_now(user, rated=form.rated, now=timekeeping.now_ms())
    except lobby.Refused as refused:
        return _answer(request, user, Said.of("quick", refused))
    if isinstance(found, Match):
        return _go(request, found.get_absolute_url())
    return _answer(request, user, Said("quick", _("You wait for an opponent."), good=True))


@require_POST
def seek(request: HttpRequest) -> HttpResponse:
    """Offer a match to everybody in the lobby."""
    user = player_of(request)
    if user is None:
        return _sign_in(request, reverse("home"))
    form = SeekForm(request.POST)
    if not form.is_valid():
        return _answer(request, user, Said.of_form("seeks", form), seek_form=form)
    window, now = form.cleaned_data["window"], timekeeping.now_ms()
    try:
        lobby.seek(user, rated=form.rated, window=window, now=now)
    except lobby.Refused as refused:
        return _answer(request, user, Said.of("seeks", refused), seek_form=form)
    done = _("Your seek is in the lobby, as long as you are.")
    return _answer(request, user, Said("seeks", done, good=True))


@require_POST
def challenge_by_name(request: HttpRequest) -> HttpResponse:
    """Challenge the player whose name was typed."""
    user = player_of(request)
    if user is None:
        return _sign_in(request, reverse("home"))
    return _challenge(request, user, ChallengeForm(request.POST))


@require_POST
def challenge_player(request: HttpRequest, name: str) -> HttpResponse:
    """Challenge the player whose page this was sent from."""
    user = player_of(request)
    if user is None:
        return _sign_in(request, reverse("home"))
    return _challenge(request, user, ChallengeForm({**request.POST.dict(), "name": name}))


def _challenge(request: HttpRequest, user: User, form: ChallengeForm) -> HttpResponse:
    if not form.is_valid():
        return _answer(request, user, Said.of_form("challenge", form), challenge_form=form)
    name, now = form.cleaned_data["name"].strip(), timekeeping.now_ms()
    try:
        offer = lobby.challenge(user, name, rated=form.rated, now=now)
    except lobby.Refused as refused:
        return _answer(request, user, Said.of("challenge", refused), challenge_form=form)
    assert offer.to is not None
    done = _("You have challenged %(name)s.") % {"name": offer.to.username}
    return _answer(request, user, Said("challenge", done, good=True))


# Answering


def _slot(offer: Challenge, *, mine: bool) -> str:
    """The part of the page that shows an offer."""
    if offer.kind == Kind.QUICK:
        return "quick"
    if offer.kind == Kind.SEEK:
        return "seeks"
    return "offers" if mine else "incoming"


@require_POST
def challenge_accept(request: HttpRequest, challenge_id: str) -> HttpResponse:
    """Yes: the match starts, unless something stands against it."""
    user = player_of(request)
    if user is None:
        return _sign_in(request, reverse("challenge", args=[challenge_id]))
    try:
        match = lobby.accept(challenge_id, user, now=timekeeping.now_ms())
    except Challenge.DoesNotExist:
        raise Http404 from None
    except lobby.Refused as refused:
        return _refused(request, user, challenge_id, refused)
    return _go(request, match.get_absolute_url())


@require_POST
def challenge_withdraw(request: HttpRequest, challenge_id: str) -> HttpResponse:
    """The creator takes the offer back."""
    return _close(request, challenge_id, lobby.withdraw, _("Your offer is withdrawn."))


@require_POST
def challenge_decline(request: HttpRequest, challenge_id: str) -> HttpResponse:
    """No, says the player whom the offer was made to."""
    return _close(request, challenge_id, lobby.decline, _("You have declined."))


def _close(
    request: HttpRequest, challenge_id: str, close: Callable[[str, User], None], done: str
) -> HttpResponse:
    user = player_of(request)
    if user is None:
        return _sign_in(request, reverse("challenge", args=[challenge_id]))
    try:
        close(challenge_id, user)
    except Challenge.DoesNotExist:
        raise Http404 from None
    except lobby.Refused as refused:
        return _refused(request, user, challenge_id, refused)
    offer = Challenge.objects.get(pk=challenge_id)
    if offer.kind == Kind.QUICK:
        done = _("You no longer wait.")
    return _answer(request, user, Said(_slot(offer, mine=offer.creator == user), done, good=True))


def _refused(
    request: HttpRequest, user: User, challenge_id: str, refused: lobby.Refused
) -> HttpResponse:
    """Said in the lobby where one came from there, else on the page of the offer."""
    offer = get_object_or_404(Challenge.objects.select_related("creator"), pk=challenge_id)
    if "HX-Request" in request.headers or "lobby" in request.POST:
        slot = _slot(offer, mine=offer.creator == user)
        return _answer(request, user, Said.of(slot, refused))
    return challenge_page(request, offer, refused, status=409)
