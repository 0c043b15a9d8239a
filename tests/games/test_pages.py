"""The pages as a browser without scripts gets them."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games import lobby
from games.models import Challenge, Match
from games.rules import events
from games.timekeeping import now_ms
from tests.games.factory import begun, deal, make_match

pytestmark = pytest.mark.django_db

DEAL = deal("6-6 5-5 4-4 3-3 2-2 1-1 0-0", "6-5 5-4 4-3 3-2 2-1 1-0 6-0")


def browser(user: User | None = None) -> Client:
    client = Client()
    if user:
        client.force_login(user)
    return client


def text(response: Any) -> str:
    """What one reads on the page, white space apart."""
    page = response.content.decode()
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def offer(user: User, *, rated: bool = False) -> Challenge:
    return lobby.create(user, rated=rated)


# Home


def test_home_tells_a_visitor_what_this_is(client: Client) -> None:
    page = client.get("/")
    assert page.status_code == 200
    assert "domino duel" in text(page)
    for name in ("account_signup", "account_login", "rules"):
        assert f'href="{reverse(name)}"' in page.content.decode()


def test_home_offers_a_new_match_and_lists_open_offers(ada: User, bo: User) -> None:
    mine, others = offer(ada, rated=True), offer(bo)
    page = browser(ada).get("/")
    assert f'action="{reverse("new_match")}"' in page.content.decode()
    assert mine.get_absolute_url() in page.content.decode()
    assert "By link Rated" in text(page)
    assert others.pk not in page.content.decode()


def test_home_leads_to_the_running_match_and_offers_no_other(ada: User, bo: User) -> None:
    match = make_match([ada, bo])
    page = browser(ada).get("/")
    assert match.get_absolute_url() in page.content.decode()
    assert "against Bo" in text(page)
    assert f'action="{reverse("play_now")}"' not in page.content.decode()
    # The forms stay in the page for afterwards; the style sheet hides them beside this region.
    assert 'id="lobby-running" class="region"></div>' not in page.content.decode()


# Every page


def test_a_banner_leads_to_the_running_match(ada: User, bo: User) -> None:
    match = make_match([ada, bo])
    page = browser(bo).get("/rules/")
    assert "Your match against Ada is running." in text(page)
    assert f'href="{match.get_absolute_url()}"' in page.content.decode()


def test_the_banner_costs_one_query(
    ada: User, bo: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    make_match([ada, bo])
    client = browser(bo)
    # Session, user, preferences, suspension, seat, announced restart.
    with django_assert_num_queries(6):
        client.get("/rules/")
    with django_assert_num_queries(5):  # the last is remembered
        client.get("/rules/")


def test_no_banner_without_a_running_match(ada: User) -> None:
    assert "is running" not in text(browser(ada).get("/rules/"))


def test_the_header_knows_who_is_signed_in(ada: User) -> None:
    page = browser(ada).get("/rules/")
    assert "Signed in as Ada" in text(page)
    assert re.search(
        rf'<form method="post" action="{reverse("account_logout")}">', page.content.decode()
    )
    assert reverse("account_login") not in page.content.decode()


# New match


def test_a_new_match_asks_to_sign_in_and_comes_back(client: Client) -> None:
    for page in (client.get("/new/"), client.post("/new/", {"kind": "rated"})):
        assert page.status_code == 302
        assert page["Location"] == "/accounts/login/?next=/new/"
    assert not Challenge.objects.exists()


@pytest.mark.parametrize("kind", ["rated", "casual"])
def test_a_new_match_gives_a_page_with_the_link(ada: User, kind: str) -> None:
    client = browser(ada)
    sent = client.post("/new/", {"kind": kind})
    challenge = Challenge.objects.get()
    assert challenge.rated is (kind == "rated")
    assert sent["Location"] == f"/challenges/{challenge.pk}/"
    page = client.get(sent["Location"])
    assert f"http://testserver/challenges/{challenge.pk}/" in page.content.decode()
    assert f"Your {kind} match" in text(page)


@pytest.mark.parametrize("kind", [None, "", "blitz"])
def test_a_new_match_must_be_rated_or_casual(ada: User, kind: str | None) -> None:
    page = browser(ada).post("/new/", {} if kind is None else {"kind": kind})
    assert page.status_code == 422
    assert "Please look at this again" in text(page)
    assert not Challenge.objects.exists()


def test_no_new_match_during_a_running_one(ada: User, bo: User) -> None:
    match = make_match([ada, bo])
    client = browser(ada)
    for page in (client.get("/new/"), client.post("/new/", {"kind": "casual"})):
        assert "running match against Bo" in text(page)
        assert f'href="{match.get_absolute_url()}"' in page.content.decode()
    assert page.status_code == 409
    assert not Challenge.objects.exists()


def test_too_many_open_offers(ada: User) -> None:
    for _ in range(lobby.MAX_OPEN):
        offer(ada)
    page = browser(ada).post("/new/", {"kind": "casual"})
    assert page.status_code == 409
    assert "You already have 10 open offers." in text(page)


# The challenge page


def test_the_creator_sees_link_wait_and_withdrawal(ada: User) -> None:
    challenge = offer(ada)
    page = browser(ada).get(challenge.get_absolute_url())
    body = page.content.decode()
    assert page.status_code == 200
    assert "<title>Waiting for an opponent" in body
    assert 'hx-trigger="every 2s"' in body
    assert reverse("challenge_withdraw", args=[challenge.pk]) in body
    assert reverse("challenge_accept", args=[challenge.pk]) not in body


@pytest.mark.parametrize(("rated", "kind"), [(True, "rated"), (False, "casual")])
def test_a_guest_sees_who_offers_what(ada: User, bo: User, rated: bool, kind: str) -> None:
    challenge = offer(ada, rated=rated)
    page = browser(bo).get(challenge.get_absolute_url())
    assert f"Ada offers you a {kind} match" in text(page)
    assert reverse("challenge_accept", args=[challenge.pk]) in page.content.decode()
    assert "hx-get" not in page.content.decode()


def test_a_signed_out_guest_signs_in_and_comes_back(ada: User, client: Client) -> None:
    challenge = offer(ada)
    body = client.get(challenge.get_absolute_url()).content.decode()
    for name in ("account_login", "account_signup"):
        assert f"{reverse(name)}?next={challenge.get_absolute_url()}" in body
    assert reverse("challenge_accept", args=[challenge.pk]) not in body


def test_sign_up_brings_a_guest_back_to_the_offer(ada: User, client: Client) -> None:
    there = offer(ada).get_absolute_url()
    form = client.get(f"/accounts/signup/?next={there}").content.decode()
    assert f'value="{there}"' in form
    sent = client.post(
        "/accounts/signup/",
        {
            "username": "Dora",
            "email": "dora@example.org",
            "password1": "quite-a-secret-9",
            "next": there,
        },
    )
    assert sent["Location"] == there
    assert "Ada offers you" in text(client.get(there))


def test_yes_starts_the_match(ada: User, bo: User) -> None:
    challenge = offer(ada)
    sent = browser(bo).post(reverse("challenge_accept", args=[challenge.pk]))
    match = Match.objects.get()
    assert sent.status_code == 302
    assert sent["Location"] == f"/matches/{match.pk}/"


def test_a_yes_signed_out_asks_to_sign_in_first(ada: User, client: Client) -> None:
    challenge = offer(ada)
    sent = client.post(reverse("challenge_accept", args=[challenge.pk]))
    assert sent["Location"] == f"/accounts/login/?next={challenge.get_absolute_url()}"
    assert not Match.objects.exists()


def test_an_unknown_challenge(ada: User) -> None:
    client = browser(ada)
    assert client.get("/challenges/nothere/").status_code == 404
    assert client.post("/challenges/nothere/accept/").status_code == 404
    assert client.post("/challenges/nothere/withdraw/").status_code == 404


def test_withdrawing(ada: User) -> None:
    challenge = offer(ada)
    client = browser(ada)
    sent = client.post(reverse("challenge_withdraw", args=[challenge.pk]), follow=True)
    assert "Your offer is withdrawn." in text(sent)
    assert "This offer was withdrawn." in text(client.get(challenge.get_absolute_url()))


def test_withdrawing_signed_out_changes_nothing(ada: User, client: Client) -> None:
    challenge = offer(ada)
    sent = client.post(reverse("challenge_withdraw", args=[challenge.pk]))
    assert sent["Location"] == f"/accounts/login/?next={challenge.get_absolute_url()}"
    assert lobby.open_challenges_of(ada).exists()


# The challenge page: refusals, each with its sentence and its link


def refused(user: User, challenge: Challenge, what: str = "accept") -> Any:
    response = browser(user).post(reverse(f"challenge_{what}", args=[challenge.pk]))
    assert response.status_code == 409
    assert 'role="alert"' in response.content.decode()
    return response


def test_refused_own_challenge(ada: User) -> None:
    challenge = offer(ada)
    assert "This is your own offer" in text(refused(ada, challenge))
    assert lobby.open_challenges_of(ada).exists()


def test_refused_full(ada: User, bo: User, cy: User) -> None:
    challenge = offer(ada)
    match = lobby.accept(challenge.pk, bo, now=now_ms())
    for page in (refused(cy, challenge), browser(cy).get(challenge.get_absolute_url())):
        assert "already has its two players" in text(page)
        assert f'href="{match.get_absolute_url()}">Watch this match' in page.content.decode()
    assert Match.objects.count() == 1


def test_refused_withdrawn(ada: User, bo: User) -> None:
    challenge = offer(ada)
    lobby.withdraw(challenge.pk, ada)
    assert "This offer was withdrawn." in text(refused(bo, challenge))


def test_refused_because_you_are_playing(ada: User, bo: User, cy: User) -> None:
    challenge = offer(ada)
    match = make_match([bo, cy])
    for page in (refused(bo, challenge), browser(bo).get(challenge.get_absolute_url())):
        assert "You are in a running match against Cy" in text(page)
        assert f'href="{match.get_absolute_url()}">Go to your match' in page.content.decode()


def test_refused_because_the_creator_is_playing(ada: User, bo: User, cy: User) -> None:
    challenge = offer(ada)
    match = make_match([ada, cy])
    page = refused(bo, challenge)
    assert "in a running match against Cy" in text(page)
    assert f'href="{match.get_absolute_url()}">Watch that match' in page.content.decode()


def test_refused_withdrawal_by_somebody_else(ada: User, bo: User) -> None:
    challenge = offer(ada)
    assert "Only the player who made this offer" in text(refused(bo, challenge, "withdraw"))
    assert lobby.open_challenges_of(ada).exists()


def test_refused_withdrawal_of_an_accepted_offer(ada: User, bo: User) -> None:
    challenge = offer(ada)
    match = lobby.accept(challenge.pk, bo, now=now_ms())
    page = refused(ada, challenge, "withdraw")
    assert "already has its two players" in text(page)
    assert f'href="{match.get_absolute_url()}"' in page.content.decode()


def test_a_yes_said_twice_leads_to_the_match(ada: User, bo: User) -> None:
    challenge = offer(ada)
    match = lobby.accept(challenge.pk, bo, now=now_ms())
    page = refused(bo, challenge)
    assert f'href="{match.get_absolute_url()}">Go to your match' in page.content.decode()


# What the waiting page hears


def ask_for_news(user: User | None, challenge: Challenge) -> Any:
    return browser(user).get(challenge.get_absolute_url(), headers={"HX-Request": "true"})


def test_nobody_yet(ada: User) -> None:
    news = ask_for_news(ada, offer(ada))
    assert (news.status_code, news.content) == (204, b"")
    assert "no-store" in news["Cache-Control"]


def test_somebody_joined(ada: User, bo: User) -> None:
    challenge = offer(ada)
    match = lobby.accept(challenge.pk, bo, now=now_ms())
    news = ask_for_news(ada, challenge)
    assert news["HX-Redirect"] == f"/matches/{match.pk}/"


def test_the_offer_is_gone(ada: User) -> None:
    challenge = offer(ada)
    lobby.withdraw(challenge.pk, ada)
    assert ask_for_news(ada, challenge)["HX-Refresh"] == "true"


def test_nobody_waits_for_an_offer_that_is_too_old_though_nothing_has_closed_it(ada: User) -> None:
    challenge = lobby.create(ada, rated=False, now=now_ms() - lobby.LINK_FOR)
    assert ask_for_news(ada, challenge)["HX-Refresh"] == "true"
    page = browser(ada).get(challenge.get_absolute_url())
    assert "Waiting" not in text(page)
    assert "This offer is too old" in text(page)


def test_the_creator_is_signed_out(ada: User) -> None:
    assert ask_for_news(None, offer(ada))["HX-Refresh"] == "true"


def test_the_challenge_of_a_started_match_leads_its_players_there(ada: User, bo: User) -> None:
    challenge = offer(ada)
    match = lobby.accept(challenge.pk, bo, now=now_ms())
    for player in (ada, bo):
        page = browser(player).get(challenge.get_absolute_url())
        assert "<title>Your match is there" in page.content.decode()
        assert f'href="{match.get_absolute_url()}">Go to your match' in page.content.decode()


# The match


def test_an_unknown_match(ada: User) -> None:
    client = browser(ada)
    assert client.get("/matches/nothere/").status_code == 404
    assert client.get("/matches/nothere/record/").status_code == 404
    assert client.post("/matches/nothere/leave/").status_code == 404


def test_the_match_page_is_for_everybody_and_never_stored(ada: User, bo: User, cy: User) -> None:
    match = make_match([ada, bo], begun(DEAL))
    for visitor in (ada, bo, cy, None):
        page = browser(visitor).get(match.get_absolute_url())
        assert page.status_code == 200
        assert "no-store" in page["Cache-Control"]
        assert "games/match.html" in [template.name for template in page.templates]


def test_no_record_of_a_running_match(ada: User, bo: User) -> None:
    match = make_match([ada, bo], begun(DEAL))
    page = browser(ada).get(f"/matches/{match.pk}/record/")
    assert page.status_code == 409
    assert "still running" in text(page)
    assert "6-6" not in page.content.decode()


def test_the_record_of_a_finished_match(ada: User, bo: User, client: Client) -> None:
    told = [*begun(DEAL), events.Resign(seat=1, at=2000)]
    match = make_match([ada, bo], told)
    response = client.get(f"/matches/{match.pk}/record/")
    assert response.status_code == 200
    assert response["Content-Type"].startswith("application/jsonl")
    assert f'filename="spectacular-bid-{match.pk}.jsonl"' in response["Content-Disposition"]
    lines = response.content.decode().splitlines()
    assert json.loads(lines[0])["players"] == ["Ada", "Bo"]
    assert [json.loads(line)["do"] for line in lines[1:]] == [event.do for event in told]
    assert response.content.endswith(b"\n")


# Leaving before Start


def test_leaving_before_start_makes_the_match_void(ada: User, bo: User) -> None:
    match = lobby.accept(offer(ada).pk, bo, now=now_ms())
    sent = browser(bo).post(f"/matches/{match.pk}/leave/", follow=True)
    assert "It is void: nobody won or lost." in text(sent)
    match.refresh_from_db()
    assert (match.reason, match.winner) == ("void", None)
    assert lobby.running_match_of(ada) is None


def test_leaving_a_started_match_is_refused(ada: User, bo: User) -> None:
    match = make_match([ada, bo], begun(DEAL), now=now_ms())
    sent = browser(bo).post(f"/matches/{match.pk}/leave/")
    assert sent["Location"] == match.get_absolute_url()
    assert [str(message) for message in get_messages(sent.wsgi_request)]
    assert lobby.running_match_of(ada)


def test_only_players_leave(ada: User, bo: User, cy: User) -> None:
    match = lobby.accept(offer(ada).pk, bo, now=now_ms())
    sent = browser(cy).post(f"/matches/{match.pk}/leave/")
    assert sent["Location"] == match.get_absolute_url()
    sent = Client().post(f"/matches/{match.pk}/leave/")
    assert sent["Location"] == f"/accounts/login/?next={match.get_absolute_url()}"
    assert lobby.running_match_of(ada)


# Methods


@pytest.mark.parametrize("address", ["accept", "withdraw"])
def test_what_changes_a_challenge_is_a_post(ada: User, bo: User, address: str) -> None:
    challenge = offer(ada)
    assert browser(bo).get(f"{challenge.get_absolute_url()}{address}/").status_code == 405


def test_leaving_is_a_post(ada: User, bo: User) -> None:
    match = make_match([ada, bo])
    assert browser(ada).get(f"/matches/{match.pk}/leave/").status_code == 405


@pytest.mark.parametrize("address", ["/", "/rules/", "/matches/x/", "/matches/x/record/"])
def test_what_is_read_is_not_posted_to(client: Client, address: str) -> None:
    assert client.post(address).status_code == 405


def test_a_form_without_its_token_is_refused(ada: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(ada)
    page = client.post("/new/", {"kind": "casual"})
    assert page.status_code == 403
    assert "open for too long" in text(page)


# Errors


def test_a_page_that_is_not_there(client: Client) -> None:
    page = client.get("/nothing/here/")
    assert page.status_code == 404
    assert "There is nothing here" in text(page)
    assert 'href="/rules/"' in page.content.decode()


@pytest.mark.parametrize("name", ["400", "403", "403_csrf", "404", "429", "500"])
def test_error_pages_need_nothing_but_themselves(
    name: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        page = render_to_string(f"{name}.html")
    assert "<h1>" in page


# Account pages


def test_errors_of_a_form_are_summed_up_and_stand_at_their_fields(client: Client) -> None:
    page = client.post("/accounts/signup/", {"username": "", "email": "x", "password1": "1"})
    body = page.content.decode()
    assert 'role="alert"' in body
    for field in ("username", "email", "password1"):
        assert f'href="#id_{field}"' in body
        assert f'id="id_{field}_error"' in body
        control = re.search(rf'<input[^>]*name="{field}"[^>]*>', body)
        assert control
        assert 'aria-invalid="true"' in control[0]
        assert f"id_{field}_error" in control[0]


def test_signing_in_is_not_reported_and_signing_out_is(ada: User) -> None:
    client = Client()
    page = client.post("/accounts/login/", {"login": "ada", "password": "pass-word-9"}, follow=True)
    assert "Signed in as Ada" in text(page)
    assert 'class="messages"' not in page.content.decode()
    assert "You are signed out." in text(client.post("/accounts/logout/", follow=True))


@pytest.mark.parametrize(
    ("address", "autocomplete"),
    [
        ("/accounts/login/", ["username", "current-password"]),
        ("/accounts/signup/", ["username", "email", "new-password"]),
        ("/accounts/password/reset/", ["email"]),
    ],
)
def test_browsers_know_what_to_fill_in(
    client: Client, address: str, autocomplete: list[str]
) -> None:
    body = client.get(address).content.decode()
    assert re.findall(r'autocomplete="([a-z-]+)"', body) == autocomplete
    assert "placeholder" not in body


# What a strict Content-Security-Policy and a screen reader ask of every page


class Audit(HTMLParser):
    """Gathers what a page must not have, and what it must have once."""

    def __init__(self) -> None:
        super().__init__()
        self.wrong: list[str] = []
        self.counts: dict[str, int] = {}
        self.ids: list[str] = []
        self.labelled: set[str] = set()
        self.controls: list[dict[str, str | None]] = []
        self.labels_open = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        have = dict(attrs)
        self.counts[tag] = self.counts.get(tag, 0) + 1
        self.ids += [have["id"] or ""] if "id" in have else []
        if tag == "style" or (tag == "script" and not have.get("src")):
            self.wrong.append(f"inline {tag}")
        self.wrong += [f"{name} on {tag}" for name in have if name == "style" or name[:2] == "on"]
        for name in ("src", "href", "action"):
            if (have.get(name) or "").startswith(("http", "//", "javascript:", "data:")):
                self.wrong.append(f"{name} leads away: {have[name]}")
        if tag == "label":
            self.labels_open += 1
            self.labelled.add(have.get("for") or "")
        if tag in ("input", "select", "textarea") and have.get("type") != "hidden":
            have["inside"] = "label" if self.labels_open else None
            self.controls.append(have)

    def handle_endtag(self, tag: str) -> None:
        self.labels_open -= tag == "label"

    def verdict(self) -> list[str]:
        once = [tag for tag in ("h1", "main", "title") if self.counts.get(tag) != 1]
        twice = sorted({name for name in self.ids if self.ids.count(name) > 1})
        unnamed = [
            have.get("name")
            for have in self.controls
            if not have["inside"]
            and not have.get("aria-label")
            and have.get("id") not in self.labelled
        ]
        return [
            *self.wrong,
            *(f"not one {tag}" for tag in once),
            *(f"id twice: {name}" for name in twice),
            *(f"no label: {name}" for name in unnamed),
        ]


def audit(page: str) -> list[str]:
    """What is wrong with a page; nothing, one hopes."""
    auditor = Audit()
    auditor.feed(page)
    return auditor.verdict()


def test_the_audit_sees_what_it_looks_for() -> None:
    bad = '<p style="x" onclick="y" id="a"></p><i id="a"></i><script>z</script><input name="n">'
    assert len(audit(bad)) == 8


@pytest.mark.parametrize(
    "address",
    [
        "/",
        "/rules/",
        "/nothing/here/",
        "/accounts/login/",
        "/accounts/signup/",
        "/accounts/password/reset/",
        "/accounts/password/reset/done/",
        "/accounts/password/reset/key/1-set-password/",
        "/accounts/password/reset/key/done/",
        "/accounts/inactive/",
        "/accounts/confirm-email/",
        "/accounts/confirm-email/wrong/",
    ],
)
def test_pages_for_visitors_are_sound(client: Client, address: str) -> None:
    assert audit(client.get(address).content.decode()) == []


@pytest.mark.parametrize(
    "address",
    [
        "/",
        "/new/",
        "/rules/",
        "/accounts/logout/",
        "/accounts/email/",
        "/accounts/password/change/",
        "/accounts/password/reset/",
    ],
)
def test_pages_for_players_are_sound(ada: User, address: str) -> None:
    page = browser(ada).get(address)
    assert page.status_code == 200
    assert audit(page.content.decode()) == []


@pytest.mark.parametrize("name", ["400", "403", "403_csrf", "404", "429", "500"])
def test_error_pages_are_sound(name: str) -> None:
    assert audit(render_to_string(f"{name}.html")) == []


def test_challenge_and_record_pages_are_sound(ada: User, bo: User, cy: User) -> None:
    challenge, other = offer(ada), offer(cy)
    match = make_match([bo, cy], begun(DEAL))
    addresses = (challenge.get_absolute_url(), other.get_absolute_url(), "/", "/new/")
    for visitor in (ada, bo, None):
        for address in (*addresses, f"/matches/{match.pk}/record/"):
            page = browser(visitor).get(address, follow=True)
            assert audit(page.content.decode()) == [], (visitor, address)


def test_the_policy_is_sent(client: Client) -> None:
    policy = client.get("/")["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
