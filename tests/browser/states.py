"""Every state of every page, by name: what it needs stored, who opens what, and what shows it.

To add one, add an entry to one of the lists below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import Permission
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from accounts import services
from accounts.models import Block, User
from games import live, reports, store
from games.models import Challenge, RestartNotice
from games.rules import events
from games.rules.events import Event
from games.timekeeping import now_ms
from tests.games.factory import make_window
from tests.rules import scenario
from tests.sessions import new_session

from . import positions as at
from .stage import Scene, State, Visit, aside
from .world import World

Prepare = Callable[[World], Visit]
Positions = Callable[[], list[Event]]
LONGEST = "Maximilian-Alexander"  # a name of as many characters as a name may have
KINDS = Challenge.Kind
FAILED = "logged: Failed to load resource"  # what a browser says of an answer such as 422


def visit(path: str, user: User | None = None, *others: tuple[str, User]) -> Visit:
    """Open ``path`` as ``user``; others have the sockets of these paths open."""
    return Visit(
        path,
        None if user is None else new_session(user),
        tuple((socket, new_session(other)) for socket, other in others),
    )


# The match page


def at_table(
    told: Positions,
    seat: int | None = 0,
    *,
    first: str = "Ada",
    opponent: str = "Bo",
    thinking: float = 2.0,
    away: bool = False,
    rated: bool = True,
) -> Prepare:
    """The match after ``told`` as the player of ``seat`` sees it, or a spectator; the others are
    there unless they are ``away``. The last event was ``thinking`` seconds ago."""

    def prepare(world: World) -> Visit:
        match = world.match(told(), (first, opponent), thinking=thinking, rated=rated)
        users = [world.player(first), world.player(opponent)]
        socket = live.info_of(match, list(match.seats.order_by("seat")))["socket"]
        there = [] if away else [(socket, user) for n, user in enumerate(users) if n != seat]
        return visit(match.get_absolute_url(), None if seat is None else users[seat], *there)

    return prepare


def stepped(to: int) -> Prepare:
    """A match that was won by points, as it stood after event number ``to``."""

    def prepare(world: World) -> Visit:
        match = world.match(at.won_by_points())
        return visit(f"{match.get_absolute_url()}?at={to}")

    return prepare


def to_move(told: Positions, **options: Any) -> Prepare:
    """The match as the player who is to act sees it."""
    return at_table(told, at.seat_to_act(told()), **options)


def written(match: Callable[[], scenario.Match]) -> Positions:
    return lambda: at.written(match())


def then(told: Positions, *more: Callable[[int], Event]) -> Positions:
    """``told`` and further events, each made of the time of the last one."""

    def all_of_it() -> list[Event]:
        first = told()
        now = at.last_moment(first)
        return [*first, *(make(now) for make in more)]

    return all_of_it


def resigned(seat: int) -> Positions:
    return then(at.first_tile, lambda now: events.Resign(seat=seat, at=now + 3000))


def timed_out(seat: int) -> Positions:
    """The time of ``seat`` ran out as it had to open."""
    deal = at.opening_forced if seat == 0 else written(_second_opens)
    return then(deal, lambda now: events.Timeout(seat=seat, at=now + 130_000))


def _second_opens() -> scenario.Match:
    return scenario.Match().deal("1-0 2-0 2-1 3-0 5-1 5-2 6-3", "6-6 6-5 3-1 5-5 4-4").start()


def void(reason: str) -> Positions:
    def made(now: int) -> Event:
        if reason == "service_failure":
            gap = {"begin": now + 3000, "end": now + 40_000}
            return events.Void(at=now + 41_000, reason=reason, **gap)
        return events.Void(at=now + 3000, reason=reason)

    return then((list) if reason in {"no_show", "abandoned"} else at.first_tile, made)


def free_opening(*, declined: bool) -> Positions:
    """The opening after an auction: declined, or bought by seat 0 for 20."""
    if declined:
        return written(lambda: at.auction(jockey_seat=0).decline(1))
    return written(lambda: at.auction(15, 20, jockey_seat=0).accept(1))


def take_up(scene: Scene) -> None:
    """Take up the first tile that fits, unless one is taken up already."""
    page = scene.page
    if page.locator(".tile[aria-pressed=true]").count() == 0:
        page.locator(".tile[aria-pressed]").first.click()


def press(selector: str) -> Callable[[Scene], None]:
    return lambda scene: scene.page.locator(selector).first.click()


def cut(scene: Scene) -> None:
    """Cut the connection of the page."""
    assert scene.line is not None
    scene.line.cut()


def send_illegal(scene: Scene) -> None:
    """Send a tile that does not fit, as a page gone wrong might."""
    scene.page.locator("#lay").evaluate(
        """form => {
            form.elements.tile.value = "0-0";
            form.elements.arm.value = "left";
            form.requestSubmit();
        }"""
    )


def end_account(scene: Scene) -> None:
    """Sign Ada out everywhere."""
    aside(lambda: live.end_account(User.objects.get(username="Ada").pk, None))


def bid_all(scene: Scene) -> None:
    """Raise the amount as far as it goes."""
    for _ in range(40):
        if scene.page.locator("#bid-more[aria-disabled=true]").count():
            return
        scene.page.locator("#bid-more").click()


def turn(name: str, prepare: Prepare, shows: str, **options: Any) -> State:
    """A state in which somebody may have to do something: no scrolling then."""
    return State(name, prepare, shows, turn=True, **options)


READY, NOT_READY, BID = "#ready", "#panel .pressed", "#bid-go"
LAY, WAITING, PANEL = ".asked .tile[aria-pressed]", "#status", "#panel h2"

STARTS = [
    turn("start", at_table(list), READY),
    turn("start-pressed", at_table(lambda: [events.Ready(seat=0, at=500)]), ".pressed .yes"),
    turn("start-pressed-by-other", at_table(lambda: [events.Ready(seat=1, at=500)]), READY),
    turn("start-opponent-away", at_table(list, away=True), ".presence.away"),
    turn("start-watched", at_table(list, None), NOT_READY),
]

AUCTIONS = [
    turn("bid-first", at_table(written(at.auction)), BID),
    turn("bid-first-all", at_table(written(at.auction)), "#bid-note.ruin", act=bid_all),
    turn("bid-first-waiting", at_table(written(at.auction), 1), WAITING),
    turn("bid-first-watched", at_table(written(at.auction), None), PANEL),
    turn("bid-standing", at_table(written(lambda: at.auction(15)), 1), "#accept"),
    turn("bid-standing-waiting", at_table(written(lambda: at.auction(15))), ".standing"),
    turn("bid-raised", at_table(written(lambda: at.auction(15, 30))), "#accept"),
    turn(
        "bid-raised-long-name",
        at_table(written(lambda: at.auction(15, 130)), opponent=LONGEST),
        "#accept",
    ),
    turn("bid-raised-waiting", at_table(written(lambda: at.auction(15, 30)), 1), ".standing"),
    turn("bid-accepted", at_table(free_opening(declined=False)), LAY),
    turn("bid-accepted-waiting", at_table(free_opening(declined=False), 1), WAITING),
    turn("bid-declined", at_table(free_opening(declined=True)), LAY),
    turn("bid-declined-waiting", at_table(free_opening(declined=True), 1), WAITING),
    turn("bid-too-poor", at_table(at.too_poor_to_bid, 1), WAITING),
    turn("bid-too-poor-other", at_table(at.too_poor_to_bid), LAY),
    turn("raise-too-poor", at_table(at.too_poor_to_raise, 1), WAITING),
    turn("raise-too-poor-other", at_table(at.too_poor_to_raise), LAY),
]

PLAYS = [
    turn("opening-forced", at_table(at.opening_forced), LAY),
    turn("opening-forced-waiting", at_table(at.opening_forced, 1), WAITING),
    turn("opening-free-taken-up", at_table(free_opening(declined=True)), "#arm-open", act=take_up),
    turn("play-table-1", at_table(at.first_tile), LAY),
    turn("play-taken-up", at_table(at.first_tile), ".target.on", act=take_up),
    turn("play-hand-1", to_move(lambda: at.on_table(26)), LAY),
    turn("play-hand-7", to_move(lambda: at.in_hand(7)), LAY),
    turn("play-hand-7-taken-up", to_move(lambda: at.in_hand(7)), ".target.on", act=take_up),
    turn("play-hand-14", to_move(lambda: at.in_hand(14)), LAY),
    turn("play-hand-14-long-name", to_move(lambda: at.in_hand(14), opponent=LONGEST), LAY),
    turn(
        "play-four-ends-long-names-away",
        to_move(at.four_ends, first="Wilhelmina-Christina", opponent=LONGEST, away=True),
        ".target.on",
        act=take_up,
    ),
    turn("play-hand-21", at_table(lambda: at.many_drawn(14)), ".tile.drawn"),
    turn("play-table-14", to_move(lambda: at.on_table(14)), WAITING),
    turn("play-table-26-watched", at_table(lambda: at.on_table(26), None), "#board"),
    turn("play-waiting", at_table(at.first_tile, 1), WAITING),
    turn("play-watched", at_table(at.first_tile, None), WAITING),
    turn("play-draw", at_table(at.must_draw), "#draw"),
    turn("play-draw-waiting", at_table(at.must_draw, 1), WAITING),
    turn("play-drawn", at_table(lambda: at.many_drawn(3)), ".tile.drawn"),
    turn("play-passed", at_table(lambda: at.passed(0)), WAITING),
    turn("play-other-passed", at_table(lambda: at.passed(1)), LAY),
    turn("play-scored", at_table(written(at.scored)), ".count.pays"),
    turn("play-other-scored", at_table(written(at.scored), 1), ".count.pays"),
    turn("play-low-20", at_table(at.opening_forced, thinking=110.0), ".clock.low"),
    turn("play-low-10", at_table(at.opening_forced, thinking=120.5), ".clock.low"),
    turn("play-low-10-waiting", at_table(at.opening_forced, 1, thinking=120.5), ".clock.low"),
    turn("play-spending", at_table(at.first_tile, thinking=52.0), ".clock.spending"),
    turn("play-opponent-away", at_table(at.first_tile, away=True), ".presence.away"),
    turn(
        "play-reconnecting",
        at_table(at.first_tile),
        "[data-link=reconnecting]",
        act=cut,
        routed=True,
        noise="WebSocket|logged: htmx",
    ),
    turn("play-refused", at_table(at.first_tile), "#alert [data-refused]", act=send_illegal),
    turn("play-signed-out", at_table(at.first_tile), "#alert a", act=end_account),
    turn("play-resign", at_table(at.first_tile), "dialog#resign[open]", act=press("#resign-open")),
    turn("play-keys", at_table(at.first_tile), "dialog#keys[open]", act=press("[data-open=keys]")),
    # On a phone the sheet covers what a turn needs, and shows the clocks itself.
    State("play-rules", at_table(at.first_tile), "#rules-count", act=press("#rules-open")),
]

ENDS = [
    turn("round-won", at_table(written(lambda: at.jockey(0))), READY),
    turn("round-lost", at_table(written(lambda: at.jockey(1)), opponent=LONGEST), READY),
    turn("round-won-paid", at_table(written(lambda: at.whole_round("loud_opener"))), READY),
    turn("round-watched", at_table(written(lambda: at.jockey(0)), None), NOT_READY),
    turn("round-blocked", at_table(written(lambda: at.whole_round("block_17"))), READY),
    turn("round-blocked-lost", at_table(written(lambda: at.whole_round("block_17")), 1), READY),
    turn("round-blocked-tie", at_table(written(lambda: at.whole_round("block_tie"))), READY),
    turn("round-table-27", at_table(lambda: at.on_table(27)), READY),
    turn(
        "continue-pressed",
        at_table(
            then(written(lambda: at.jockey(0)), lambda now: events.Ready(seat=0, at=now + 500))
        ),
        ".pressed .yes",
    ),
    turn(
        "continue-pressed-by-other",
        at_table(
            then(written(lambda: at.jockey(0)), lambda now: events.Ready(seat=1, at=now + 500))
        ),
        READY,
    ),
    *(
        State(f"match-{how}-{whom}", at_table(told, seat), PANEL)
        for how, told in {
            "points": at.won_by_points,
            "time": timed_out(1),
            "resignation": resigned(1),
        }.items()
        for whom, seat in {"won": 0, "lost": 1, "watched": None}.items()
    ),
    *(
        State(f"match-void-{reason.replace('_', '-')}", at_table(void(reason), seat), PANEL)
        for reason, seat in {
            "service_failure": 0,
            "no_show": 1,
            "abandoned": 0,
            "staff": None,
        }.items()
    ),
    State("match-step", stepped(25), "#told"),
    State("match-casual-opponent-away", at_table(resigned(1), away=True, rated=False), "#after"),
]


# One device for two, and the guided round


def at_one_device(told: Positions) -> Prepare:
    """Ada's device, on which she plays with Bo."""
    return lambda world: visit(world.shared(told()).get_absolute_url(), world.player("Ada"))


def lesson(hint: str) -> Prepare:
    """The guided round where its card gives this hint."""
    return lambda world: visit(world.guided(hint).get_absolute_url(), world.player("Ada"))


DEVICES = [
    turn("two-start", at_one_device(list), READY),
    turn("two-hand-over", at_one_device(at.opening_forced), "#reveal"),
    turn("two-revealed", at_one_device(at.opening_forced), ".tile", act=press("#reveal")),
    turn("lesson-start", lesson("start"), "#ready.told"),
    turn("lesson-draw", lesson("draw"), "#draw.told"),
    turn("lesson-four-ends", lesson("four"), "#arm-up.told"),
    turn("lesson-auction", lesson("raise"), "#bid-go.told"),
]


# The lobby and the offers


def lobby(world: World) -> Visit:
    return visit("/", world.player("Ada", 1612))


def full_lobby(world: World) -> Visit:
    """Seeks, offers either way, a link, and one who waits for Play now."""
    ada = world.player("Ada", 1612)
    names = ["Bo", "Cy", LONGEST, "Dora", "Emil", "Fay", "Gus", "Hana", "Ira", "Jo"]
    for n, name in enumerate(names):
        world.player(name, 1400 + 37 * n)
        world.offer(KINDS.SEEK, name, rated=n % 3 > 0, rating=1400 + 37 * n)
    world.offer(KINDS.DIRECT, "Bo", "Ada", rated=True)
    world.offer(KINDS.DIRECT, LONGEST, "Ada")
    world.offer(KINDS.DIRECT, "Ada", "Cy", rated=True)
    world.offer(KINDS.LINK, "Ada")
    world.match(at.first_tile(), ("Zoe", "Yan"))
    sockets = [("/ws/lobby/?match=", world.player(name)) for name in names]
    return visit("/", ada, *sockets)


def waiting_lobby(world: World) -> Visit:
    ada = world.player("Ada", 1612)
    world.offer(KINDS.QUICK, "Ada", rated=True, rating=1612)
    world.offer(KINDS.SEEK, "Ada", rated=True, rating=1612)
    return visit("/", ada)


def lobby_in_a_match(world: World) -> Visit:
    world.match(at.first_tile())
    return visit("/", world.player("Ada"))


def suspended_lobby(world: World) -> Visit:
    ada = world.player("Ada", 1612)
    until = timezone.now() + timedelta(days=3)
    services.suspend(ada, world.staff(), "Let the clock run out in four matches.", until)
    return visit("/", ada)


def restarting(world: World) -> Visit:
    RestartNotice.objects.create(text="Back at 21:30 UTC.")
    return visit("/", world.player("Ada", 1612))


def refuse_challenge(scene: Scene) -> None:
    scene.page.locator("#challenge-name").fill("nobody-here")
    scene.page.locator("form:has(#challenge-name) [type=submit]").click()


LOBBIES = [
    State("lobby-empty", lobby, "#lobby-seeks"),
    State("lobby-full", full_lobby, "#lobby-incoming button"),
    State("lobby-waiting", waiting_lobby, "#lobby-quick button"),
    State("lobby-in-a-match", lobby_in_a_match, "#lobby-running a"),
    State("lobby-suspended", suspended_lobby, "text=You are suspended", linked="closed"),
    State("lobby-refused", lobby, "#said-challenge > *", act=refuse_challenge, noise=FAILED),
    State("lobby-menu", lobby, ".menu:visible", act=press("summary:has(.user-name)")),
    State("lobby-language", lobby, ".menu:visible", act=press(".language summary")),
]


def challenge(kind: str, who: str | None, **fields: Any) -> Prepare:
    """The page of an offer of Bo, as ``who`` opens it."""

    def prepare(world: World) -> Visit:
        offer = world.offer(kind, "Bo", "Ada" if kind == KINDS.DIRECT else None, **fields)
        return visit(offer.get_absolute_url(), world.player(who) if who else None)

    return prepare


CHALLENGES = [
    State("challenge-link", challenge(KINDS.LINK, "Ada", rated=True), "main .btn"),
    State("challenge-link-signed-out", challenge(KINDS.LINK, None), "main .btn"),
    State("challenge-own", challenge(KINDS.LINK, "Bo"), "#link"),
    State("challenge-direct", challenge(KINDS.DIRECT, "Ada", rated=True), "main .btn"),
    State("challenge-gone", challenge(KINDS.LINK, "Ada", state="withdrawn"), "h1"),
    State("new-match", lambda world: visit("/new/", world.player("Ada")), "main form"),
]


# Everything else that anybody may see


def home_with_match(world: World) -> Visit:
    world.match(at.on_table(14))
    return visit("/")


def many_matches(world: World) -> Visit:
    stands: list[Positions] = [
        list,
        at.opening_forced,
        at.first_tile,
        lambda: at.in_hand(7),
        lambda: at.on_table(26),
        written(lambda: at.auction(15)),
        written(at.scored),
    ]
    for n, told in enumerate(stands):
        world.match(told(), (f"Player{n}", LONGEST if n == 2 else f"Other{n}"))
    return visit("/watch/")


def many_rated(world: World) -> Visit:
    for n in range(30):
        name = LONGEST if n == 4 else f"Player-{n}"
        world.player(name, 2400 - 31 * n)
    return visit("/ladder/", world.player("Player-7"))


def rich_profile(world: World) -> Visit:
    for n in range(9):
        world.over(("Ada", ["Bo", "Cy", LONGEST][n % 3]), winner=n % 2, rated=n % 4 > 0)
    world.match(at.won_by_points(), ("Ada", "Bo"))
    world.match(void("staff")(), ("Ada", "Cy"))
    store.annul(world.over(("Ada", "Dee")).pk, world.staff(), "Arranged.", now_ms())
    world.match(at.first_tile())
    return visit("/players/Ada/", world.player("Bo"))


def page(path: str, who: str | None = None) -> Prepare:
    return lambda world: visit(path, world.player(who) if who else None)


def gaps(world: World) -> Visit:
    hour = 3_600_000
    for ago in (50, 26, 25, 9):
        begin = world.now - ago * hour
        make_window(begin, begin + hour // 2, "broken" if ago % 2 else "stopped")
    world.match(void("service_failure")(), thinking=600)
    return visit("/status/")


def blocks(world: World) -> Visit:
    ada = world.player("Ada")
    for name in ("Bo", LONGEST):
        Block.objects.create(user=ada, blocked=world.player(name))
    return visit("/blocks/", ada)


def report_form(world: World) -> Visit:
    match = world.over(("Ada", LONGEST))
    return visit(reverse("report_match", args=[match.pk]), world.player("Ada"))


def submit(**fields: str) -> Callable[[Scene], None]:
    """Fill in these fields and send the form of the page."""

    def act(scene: Scene) -> None:
        for name, value in fields.items():
            scene.page.locator(f"main [name={name}], #content [name={name}]").first.fill(value)
        form = scene.page.locator("main form:has([type=submit])").first
        form.evaluate("form => { form.noValidate = true; }")  # what the site says is to be seen
        form.locator("[type=submit]").first.click()

    return act


def too_many_tries(scene: Scene) -> None:
    """Ask for a new password until that is too often."""
    for _ in range(8):
        submit(email="nobody@example.org")(scene)
        if scene.page.get_by_text("Too many tries").count():
            return
        scene.page.goto("/accounts/password/reset/")


def broken_site(scene: Scene) -> None:
    """The page of an error nobody expected, as the site keeps it ready."""
    html = render_to_string("500.html")
    scene.page.route("**/500/", lambda route: route.fulfill(body=html, content_type="text/html"))


def foreign_form(scene: Scene) -> None:
    """Send a form without the token that proves it is ours."""
    scene.page.locator("main form [name=csrfmiddlewaretoken]").evaluate("field => field.remove()")
    submit(login="Ada", password="wrong")(scene)


PAGES = [
    State("home", page("/"), ".hero"),
    State("two", page("/two/"), "main form"),
    State("learn", page("/learn/"), "#learn"),
    State("home-live-match", home_with_match, "#best-board"),
    State("watch-none", page("/watch/"), "#live"),
    State("watch-many", many_matches, "#live .go"),
    State("ladder-empty", page("/ladder/"), "h1"),
    State("ladder-many", many_rated, "table.ladder tbody tr"),
    State("profile-new", page("/players/Ada/", "Ada"), ".profile"),
    State("profile-rich", rich_profile, ".chart"),
    State("rules", page("/rules/"), ".r-contents"),
    State("status", page("/status/"), ".state"),
    State("status-gaps", gaps, "main table"),
    State("sign-up", page("/accounts/signup/"), "[name=username]"),
    State(
        "sign-up-errors",
        page("/accounts/signup/"),
        ".error, .problem",
        act=submit(username="a", email="no", password1="1"),
        noise=FAILED,
    ),
    State("sign-in", page("/accounts/login/"), "[name=login]"),
    State(
        "sign-in-errors",
        page("/accounts/login/"),
        ".error, .problem",
        act=submit(login="nobody", password="wrong"),
        noise=FAILED,
    ),
    State("sign-out", page("/accounts/logout/", "Ada"), "main form"),
    State("password-reset", page("/accounts/password/reset/"), "main form"),
    State("password-change", page("/accounts/password/change/", "Ada"), "main form"),
    State("e-mail", page("/accounts/email/", "Ada"), "main form"),
    State("preferences", page("/preferences/", "Ada"), "main form"),
    State("preferences-signed-out", page("/preferences/"), "main form"),
    State("blocks", blocks, "main form"),
    State("blocks-none", page("/blocks/", "Ada"), "h1"),
    State("report", report_form, "main textarea"),
    State("report-errors", report_form, ".error, .problem", act=submit(text=""), noise=FAILED),
    State("error-404", page("/matches/nomatch000/"), "h1", noise=FAILED),
    State("error-403", page("/accounts/login/"), "main .btn", act=foreign_form, noise=FAILED),
    State(
        "error-429",
        page("/accounts/password/reset/"),
        "h1:text('Too many tries')",
        act=too_many_tries,
        noise=FAILED,
    ),
    State("error-500", page("/500/"), "h1", before=broken_site),
]


# The admin


def backstage(path: str) -> Prepare:
    """A page of the admin, with something in every list."""

    def prepare(world: World) -> Visit:
        chief = furnish(world)
        return visit(f"/admin/{path}", chief)

    return prepare


def furnish(world: World) -> User:
    """Rows of every model that the admin shows; gives a superuser."""
    chief = world.staff()
    over = world.match(written(lambda: at.whole_round("block_17"))(), (LONGEST, "Cy"))
    over = world.over(("Dora", "Emil")) if over.reason == "" else over
    world.match(at.on_table(14))
    reports.report(world.player("Cy"), "stalling", "Left twice.", player=world.player("Bo"))
    reports.report(world.player("Fay"), "result", "Arranged.", match=over)
    services.suspend(world.player("Sue"), chief, "Stalled.", None)
    Block.objects.create(user=world.player("Cy"), blocked=world.player("Sue"))
    world.offer(KINDS.LINK, "Fay")
    return chief


def of_match(page: str, *, running: bool) -> Prepare:
    def prepare(world: World) -> Visit:
        chief = furnish(world)
        told = at.on_table(14) if running else at.won_by_points()
        match = world.match(told, ("Gus", "Hana"))
        return visit(reverse(f"admin:games_match_{page}", args=[match.pk]), chief)

    return prepare


def of_player(page: str) -> Prepare:
    def prepare(world: World) -> Visit:
        chief = furnish(world)
        return visit(reverse(f"admin:{page}", args=[world.player("Sue").pk]), chief)

    return prepare


def of_report(page: str) -> Prepare:
    def prepare(world: World) -> Visit:
        chief = furnish(world)
        report = world.player("Bo").reports.get()
        return visit(reverse(f"admin:games_report_{page}", args=[report.pk]), chief)

    return prepare


def forbidden(world: World) -> Visit:
    """A member of staff who may look at reports asks for the matches."""
    user = world.player("Sam", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename="view_report"))
    return visit("/admin/games/match/", user)


LISTS = {
    "players": "accounts/user",
    "suspensions": "accounts/suspension",
    "blocks": "accounts/block",
    "ratings": "ratings/rating",
    "rating-changes": "ratings/ratingchange",
    "matches": "games/match",
    "challenges": "games/challenge",
    "reports": "games/report",
    "windows": "games/servicewindow",
    "restarts": "games/restartnotice",
    "log": "admin/logentry",
}

ADMIN = [
    State("admin-sign-in", page("/admin/login/"), "#login-form"),
    State("admin-index", backstage(""), "#content-main"),
    *(
        State(f"admin-list-{name}", backstage(f"{path}/"), "#changelist")
        for name, path in LISTS.items()
    ),
    State("admin-match-running", of_match("change", running=True), ".drawn svg"),
    State("admin-match-over", of_match("change", running=False), ".drawn svg"),
    State("admin-match-void", of_match("void", running=True), ".decide"),
    State(
        "admin-match-annul-errors",
        of_match("annul", running=False),
        ".errornote",
        act=submit(),
        noise=FAILED,
    ),
    State("admin-player", of_player("accounts_user_change"), "#content-main"),
    State("admin-player-suspend", of_player("accounts_user_suspend"), ".decide"),
    State("admin-report", of_report("change"), "#content-main"),
    State("admin-report-uphold", of_report("uphold"), ".decide"),
    State("admin-restart-add", backstage("games/restartnotice/add/"), "#content-main form"),
    State("admin-forbidden", forbidden, "h1", noise=FAILED),
]

# Last, since the site remembers a restart for some seconds.
LAST = [State("restart", restarting, ".banner.restart")]


def _named(states: Iterable[State]) -> dict[str, State]:
    table: dict[str, State] = {}
    for state in states:
        assert state.name not in table, state.name
        table[state.name] = state
    return table


STATES = _named(
    [*STARTS, *AUCTIONS, *PLAYS, *ENDS, *DEVICES, *LOBBIES, *CHALLENGES, *PAGES, *ADMIN, *LAST],
)
