"""What everybody gets of every page and every action of the site, by one table.

An address that is missing in the table fails the test that looks for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib import admin
from django.core.cache import cache
from django.db import transaction
from django.db.models import Model
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from accounts import services
from accounts.models import Block, User
from games import timekeeping
from games.models import Challenge, Report, RestartNotice
from games.rules import events
from tests.games.factory import begun, deal, make_match, make_shared, make_user, make_window

DEALT = deal("6-6 1-0 2-0 2-1 3-0 3-1 3-2", "6-5 6-4 6-3 6-2 6-1 6-0 5-5", "5-4 4-4 0-0")

# visitor: signed out. ada: plays the running match, against bo. cy: another player, who has
# played eve before. sue: suspended. sam: staff without any permission. root: superuser.
ROLES = ("visitor", "ada", "cy", "sue", "sam", "root")


@dataclass(frozen=True)
class Case:
    """One address, asked one way: what each role gets, in the order of ``ROLES``.

    *page*: it is shown, and nothing changes. *done*: something has changed. *login*: the page to
    sign in. *refused*: told that this cannot be, and nothing changes. *away*: a redirect, and
    nothing changes. *missing*, *forbidden*, *method* and *invalid*: 404, 403, 405 and 422.
    """

    method: str
    name: str
    gets: str
    about: dict[str, str] = field(default_factory=dict)
    sends: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return "-".join((self.method, self.name, *self.about.values(), *self.sends.values()))


EVERYBODY = "page page page page page page"
PLAYERS = "login page page page page page"
MISSING = "missing missing missing missing missing missing"
BACKSTAGE = "login login login login"  # and then what sam and root get
RATED = {"kind": "rated"}
TWO = {"one": "Ann", "two": "Ben"}
REPORT = {"about": "other", "text": "Look at this."}
BO, EVE, SUE, NOBODY = {"name": "bo"}, {"name": "eve"}, {"name": "sue"}, {"name": "nobody-here"}


def at(match: str) -> dict[str, str]:
    return {"match_id": match}


def offer(name: str) -> dict[str, str]:
    return {"challenge_id": name}


CASES = [
    # Pages for everybody
    Case("GET", "home", EVERYBODY),
    Case("GET", "rules", EVERYBODY),
    Case("GET", "status", EVERYBODY),
    Case("GET", "watch", EVERYBODY),
    Case("GET", "watch_list", EVERYBODY),
    Case("GET", "watch_best", EVERYBODY),
    Case("GET", "ladder", EVERYBODY),
    Case("GET", "player", EVERYBODY, BO),
    Case("GET", "player", EVERYBODY, SUE),
    Case("GET", "player", "away away away away away away", {"name": "BO"}),
    Case("GET", "player", MISSING, NOBODY),
    Case("GET", "rating_chart", EVERYBODY, EVE),
    Case("GET", "rating_chart", MISSING, BO),  # no rated match, no chart
    Case("GET", "rating_chart", MISSING, NOBODY),
    Case("GET", "match", EVERYBODY, at("running")),
    Case("GET", "match", EVERYBODY, at("over")),
    Case("GET", "match", MISSING, at("nomatch000")),
    Case("GET", "match", EVERYBODY, at("over"), {"at": "5"}),
    Case("GET", "match", "away away away away away away", at("running"), {"at": "5"}),
    Case("GET", "match", MISSING, at("nomatch000"), {"at": "5"}),
    Case("GET", "match_after", EVERYBODY, at("over")),
    Case("GET", "match_after", MISSING, at("nomatch000")),
    Case("GET", "record", EVERYBODY, at("over")),
    Case("GET", "record", "refused refused refused refused refused refused", at("running")),
    Case("GET", "record", MISSING, at("nomatch000")),
    Case("GET", "challenge", EVERYBODY, offer("link")),
    Case("GET", "challenge", MISSING, offer("nooffer000")),
    Case("POST", "language", "away done done done done done", sends={"language": "it"}),
    Case("POST", "language", "away away away away away away", sends={"language": "tlh"}),
    Case("GET", "language", "method method method method method method"),
    Case("GET", "healthz", EVERYBODY),
    Case("GET", "readyz", EVERYBODY),
    Case("GET", "metrics", EVERYBODY),  # this machine itself asks
    # The lobby
    Case("GET", "new_match", PLAYERS),
    Case("POST", "new_match", "login refused done refused done done", sends=RATED),
    Case("POST", "play_now", "login refused done refused done done", sends=RATED),
    Case("POST", "play_now", "login invalid invalid invalid invalid invalid"),
    Case("GET", "play_now", "method method method method method method"),
    Case("POST", "seek", "login refused done refused done done", sends=RATED),
    Case("POST", "challenge_by_name", "login refused done refused done done", sends=RATED | EVE),
    Case("POST", "challenge_player", "login refused done refused done done", EVE, RATED),
    Case("POST", "challenge_accept", "login refused done refused done done", offer("link")),
    Case("POST", "challenge_accept", "login refused done refused done done", offer("seek")),
    Case("POST", "challenge_accept", "login refused done refused refused refused", offer("direct")),
    Case("POST", "challenge_accept", "login missing missing missing missing missing", offer("no")),
    Case(
        "POST", "challenge_decline", "login refused done refused refused refused", offer("direct")
    ),
    Case("POST", "challenge_withdraw", "login refused done refused refused refused", offer("cys")),
    # One device for two: nobody needs an account, and a running match is no obstacle
    Case("GET", "two", EVERYBODY),
    Case("GET", "learn", EVERYBODY),
    Case("POST", "learn", "done done done refused done done"),
    Case("POST", "two", "done done done refused done done", sends=TWO),
    Case("POST", "two", "invalid invalid invalid invalid invalid invalid"),
    Case("GET", "match", EVERYBODY, at("shared")),
    Case("POST", "leave", "login away away away away away", at("shared")),
    Case("POST", "rematch", "login refused refused refused refused refused", at("shared")),
    # A match, and what comes after it
    Case("POST", "leave", "login away away away away away", at("running")),
    Case("POST", "leave", "login away done away away away", at("fresh")),
    Case("POST", "rematch", "login refused done refused refused refused", at("over")),
    # Conduct
    Case("GET", "blocks", PLAYERS),
    Case("POST", "block", "login done done done done done", EVE),
    Case("POST", "block", "login done done away done done", SUE),
    Case("POST", "unblock", "login away done away away away", BO),
    Case("GET", "report_player", PLAYERS, BO),
    Case("POST", "report_player", "login done done done done done", BO, REPORT),
    Case("POST", "report_player", "login done done refused done done", SUE, REPORT),
    Case("GET", "report_match", PLAYERS, at("over")),
    Case("POST", "report_match", "login done done done done done", at("over"), REPORT),
    Case("POST", "report_match", "login missing missing missing missing missing", at("nomatch000")),
    # Preferences: a visitor's are kept in the browser
    Case("GET", "preferences", EVERYBODY),
    Case("POST", "preferences", "away done done done done done", sends={"only": "sound"}),
    Case("POST", "preferences", "invalid invalid invalid invalid invalid invalid"),
    # Accounts
    Case("GET", "account_login", "page away away away away away"),
    Case("GET", "account_signup", "page away away away away away"),
    Case("GET", "account_logout", "away page page page page page"),
    Case("GET", "account_inactive", EVERYBODY),
    Case("GET", "account_email", PLAYERS),
    Case("GET", "account_change_password", PLAYERS),
    Case("GET", "account_set_password", "login away away away away away"),  # they have one
    Case("GET", "account_reset_password", EVERYBODY),
    Case("GET", "account_reset_password_done", EVERYBODY),
    Case("GET", "account_reset_password_from_key_done", EVERYBODY),
    Case(
        "GET", "account_reset_password_from_key", EVERYBODY, {"uidb36": "1", "key": "no-such-key"}
    ),
    Case("GET", "account_email_verification_sent", EVERYBODY),
    Case("GET", "account_confirm_email", EVERYBODY, {"key": "no-such-key"}),
    Case("GET", "account_reauthenticate", PLAYERS),
    Case("GET", "account_request_reauthentication_code", "login away away away away away"),
    Case("GET", "account_confirm_reauthentication_code", "login away away away away away"),
    Case("GET", "account_confirm_login_code", "login away away away away away"),
    # Staff
    Case("GET", "admin:index", f"{BACKSTAGE} page page"),
    Case("GET", "admin:login", "page page page page away away"),
    Case("POST", "admin:logout", "away away away away page page"),
    Case("GET", "admin:password_change", f"{BACKSTAGE} page page"),
    Case("GET", "admin:password_change_done", f"{BACKSTAGE} page page"),
    Case("GET", "admin:jsi18n", f"{BACKSTAGE} page page"),
    Case("GET", "admin:autocomplete", f"{BACKSTAGE} forbidden forbidden"),
    Case("GET", "admin:app_list", f"{BACKSTAGE} missing page", {"app_label": "games"}),
    Case(
        "GET",
        "admin:view_on_site",
        f"{BACKSTAGE} missing missing",
        {"content_type_id": "0", "object_id": "0"},
    ),
    Case("GET", "admin:auth_user_password_change", f"{BACKSTAGE} forbidden page", {"id": "cy"}),
    Case("GET", "admin:accounts_user_suspend", f"{BACKSTAGE} forbidden page", {"user_id": "cy"}),
    Case(
        "POST",
        "admin:accounts_user_suspend",
        f"{BACKSTAGE} forbidden done",
        {"user_id": "cy"},
        {"reason": "cheated"},
    ),
    Case("POST", "admin:accounts_user_lift", f"{BACKSTAGE} forbidden done", {"user_id": "sue"}),
    Case("GET", "admin:games_match_void", f"{BACKSTAGE} forbidden page", at("running")),
    Case(
        "POST",
        "admin:games_match_void",
        f"{BACKSTAGE} forbidden done",
        at("running"),
        {"reason": "asked"},
    ),
    Case("GET", "admin:games_match_annul", f"{BACKSTAGE} forbidden page", at("over")),
    Case(
        "POST",
        "admin:games_match_annul",
        f"{BACKSTAGE} forbidden done",
        at("over"),
        {"reason": "arranged"},
    ),
    Case(
        "POST",
        "admin:games_report_uphold",
        f"{BACKSTAGE} forbidden done",
        {"report_id": "report"},
        {"reason": "true"},
    ),
    Case(
        "POST",
        "admin:games_report_dismiss",
        f"{BACKSTAGE} forbidden done",
        {"report_id": "report"},
        {"reason": "not so"},
    ),
]

# What a superuser may do with rows of a model; everybody else of the table may do nothing.
BY_HAND = {
    "accounts.user": "view add change delete",
    "accounts.suspension": "view",
    "accounts.block": "view",
    "admin.logentry": "view",
    "auth.group": "view add change delete",
    "account.emailaddress": "view",
    "ratings.rating": "view",
    "ratings.ratingchange": "view",
    "games.match": "view",
    "games.challenge": "view",
    "games.report": "view",
    "games.servicewindow": "view",
    "games.restartnotice": "view add change delete",
}


@pytest.fixture
def world(db: None) -> dict[str, Any]:
    """Everybody and everything that the table speaks of, by name."""
    names = ("ada", "bo", "cy", "eve", "gil", "hal", "sue")
    people: dict[str, Any] = {name: make_user(name) for name in names}
    people["sam"] = User.objects.create_user("sam", "sam@example.org", "pass-word-9", is_staff=True)
    people["root"] = User.objects.create_superuser("root-1", "root@example.org", "pass-word-9")
    services.suspend(people["sue"], people["root"], "stalled", None)
    Block.objects.create(user=people["cy"], blocked=people["bo"])
    now = timekeeping.now_ms()
    make_window(now - 600_000, now)
    over = [*begun(DEALT), events.Resign(seat=0, at=2000)]
    things = {
        "over": make_match([people["cy"], people["eve"]], over, now=now - 60_000),
        "running": make_match([people["ada"], people["bo"]], begun(DEALT), now=now - 2000),
        "shared": make_shared(browser="somebody's", now=now - 2000),
        "report": Report.objects.create(
            reporter=people["gil"], player=people["hal"], about="other", text="Look."
        ),
    }
    kinds = Challenge.Kind
    later = timezone.now() + timedelta(minutes=5)
    for name, kind, by, to in (
        ("link", kinds.LINK, "eve", None),
        ("seek", kinds.SEEK, "gil", None),
        ("direct", kinds.DIRECT, "eve", "cy"),
        ("cys", kinds.LINK, "cy", None),
    ):
        things[name] = Challenge.objects.create(
            kind=kind, creator=people[by], to=people.get(to or ""), rating=1500, expires_at=later
        )
    return people | things


def what_is_stored() -> dict[str, list[Any]]:
    """Every row of ours, less what looking may change."""
    looked = {"last_login", "expires_at"}
    stored = {}
    for label in ("accounts", "ratings", "games"):
        for model in apps.get_app_config(label).get_models():
            kept = [f.attname for f in model._meta.concrete_fields if f.name not in looked]
            stored[model.__name__] = list(model._default_manager.order_by("pk").values_list(*kept))
    return stored


def outcome(response: Any, *, changed: bool) -> str:
    status = response.status_code
    if status == 302 and response["Location"].startswith((settings_login(), "/admin/login/")):
        return "login" if not changed else "login, and changed"
    told = {
        200: "page",
        302: "away",
        403: "forbidden",
        404: "missing",
        405: "method",
        409: "refused",
        422: "invalid",
        503: "page",  # readyz, where nothing sweeps
    }[status]
    if changed:
        return "done" if told in {"page", "away"} else f"{told}, and changed"
    return told


def settings_login() -> str:
    return reverse(settings.LOGIN_URL)


def client_of(role: str, world: dict[str, Any]) -> Client:
    client = Client()
    if role != "visitor":
        client.force_login(world[role], backend=settings.AUTHENTICATION_BACKENDS[0])
    return client


def address(case: Case, world: dict[str, Any]) -> str:
    about = {
        key: world[v].pk if v in world and key != "name" else v for key, v in case.about.items()
    }
    return reverse(case.name, args=list(about.values()))


def asked(case: Case, role: str, world: dict[str, Any], before: dict[str, list[Any]]) -> str:
    """What one role gets; whatever it has changed is taken back."""
    cache.clear()
    client = client_of(role, world)
    with transaction.atomic():
        ask = client.post if case.method == "POST" else client.get
        response = ask(address(case, world), case.sends)
        got = outcome(response, changed=what_is_stored() != before)
        transaction.set_rollback(True)
    return got


@pytest.mark.parametrize("case", CASES, ids=str)
def test_everybody_gets_what_is_theirs(case: Case, world: dict[str, Any]) -> None:
    if case.about.get("match_id") == "fresh":
        world["fresh"] = make_match([world["cy"], world["gil"]], now=timekeeping.now_ms())
    before = what_is_stored()
    got = {role: asked(case, role, world, before) for role in ROLES}
    assert got == dict(zip(ROLES, case.gets.split(), strict=True))


def addresses(patterns: list[Any], space: str = "") -> Iterator[str]:
    for pattern in patterns:
        if isinstance(pattern, URLPattern):
            yield f"{space}{pattern.name}"
        elif isinstance(pattern, URLResolver):
            inner = f"{pattern.namespace}:" if pattern.namespace else space
            yield from addresses(pattern.url_patterns, inner)


def test_the_table_knows_every_address() -> None:
    rows = {
        f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}"
        for model in admin.site._registry
        for page in ("changelist", "add", "history", "delete", "change")
    }
    unnamed = {"admin:None"}  # old addresses of the admin, and its own page for what is missing
    known = {case.name for case in CASES}
    assert set(addresses(get_resolver().url_patterns)) - rows - unnamed == known
    assert {model._meta.label_lower for model in admin.site._registry} == set(BY_HAND)


def a_row(model: type[Model], world: dict[str, Any]) -> Model:
    """Some row of a model, made where there is none."""
    if model is User:
        cy: User = world["cy"]
        return cy
    found = model._default_manager.first()
    if found is not None:
        return found
    made: dict[str, Any] = {
        "restartnotice": lambda: RestartNotice.objects.create(text="soon"),
        "emailaddress": lambda: model._default_manager.create(user=world["cy"], email="a@b.org"),
        "group": lambda: model._default_manager.create(name="some"),
        "logentry": lambda: model._default_manager.create(
            user=world["root"], action_flag=1, object_repr="x"
        ),
    }
    row: Model = made[str(model._meta.model_name)]()
    return row


@pytest.mark.parametrize("model", list(admin.site._registry), ids=lambda m: m._meta.label_lower)
def test_rows_in_the_admin(model: type[Model], world: dict[str, Any]) -> None:
    """Superusers do by hand what the table says; staff without permission see nothing."""
    row = a_row(model, world)
    stem = f"admin:{model._meta.app_label}_{model._meta.model_name}"
    pages = {
        "list": reverse(f"{stem}_changelist"),
        "view": reverse(f"{stem}_change", args=[row.pk]),
        "history": reverse(f"{stem}_history", args=[row.pk]),
        "add": reverse(f"{stem}_add"),
        "delete": reverse(f"{stem}_delete", args=[row.pk]),
    }
    for role in ("visitor", "ada", "sue"):
        client = client_of(role, world)
        assert {page: client.get(url).status_code for page, url in pages.items()} == dict.fromkeys(
            pages, 302
        ), role
    sam = client_of("sam", world)
    assert {page: sam.get(url).status_code for page, url in pages.items()} == dict.fromkeys(
        pages, 403
    )
    may = BY_HAND[model._meta.label_lower].split()
    root = client_of("root", world)
    got = {page: root.get(url).status_code for page, url in pages.items()}
    assert got == {
        "list": 200,
        "view": 200,
        "history": 200,
        "add": 200 if "add" in may else 403,
        "delete": 200 if "delete" in may else 403,
    }
    before = what_is_stored()
    changed = root.post(pages["view"], {}).status_code
    assert (changed == 403) is ("change" not in may)
    assert what_is_stored() == before


@pytest.mark.parametrize("case", [c for c in CASES if "done" in c.gets], ids=str)
def test_no_action_without_a_token_of_ours(case: Case, world: dict[str, Any]) -> None:
    """A page of somebody else cannot make a signed-in browser do anything."""
    role = ROLES[case.gets.split().index("done")]
    if case.about.get("match_id") == "fresh":
        world["fresh"] = make_match([world["cy"], world["gil"]], now=timekeeping.now_ms())
    client = Client(enforce_csrf_checks=True)
    if role != "visitor":
        client.force_login(world[role], backend=settings.AUTHENTICATION_BACKENDS[0])
    before = what_is_stored()
    assert client.post(address(case, world), case.sends).status_code == 403
    assert what_is_stored() == before


@pytest.mark.parametrize(("role", "hand"), [("ada", True), ("cy", False), ("root", False)])
def test_a_hand_is_its_players_alone(role: str, hand: bool, world: dict[str, Any]) -> None:
    page = client_of(role, world).get(reverse("match", args=[world["running"].pk])).text
    assert ('class="tile' in page) is hand


@pytest.mark.parametrize("page", ["", "rating.svg", "report/", "block/", "unblock/", "challenge/"])
def test_a_name_that_no_database_takes_is_nobodys(page: str, world: dict[str, Any]) -> None:
    client = client_of("cy", world)
    ask = client.post if page.endswith(("block/", "challenge/")) else client.get
    assert ask(f"/players/%00/{page}", RATED).status_code in {404, 422}
