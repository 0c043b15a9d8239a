"""One device for two: whose a match is, its commands, and everything that must not count it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts import services
from accounts.models import User
from games import browsers, live, lobby, store, timekeeping, watch
from games.checks import differences
from games.models import Match, RestartNotice, Tally
from games.play import Refused, parse_command
from games.rules import events
from games.rules.events import Event
from games.rules.match import Phase
from games.rules.record import replay
from ratings.models import RatingChange

from .factory import NOW, begun, deal, go_on, make_match, make_user

pytestmark = pytest.mark.django_db

TWO = {"one": "Ada", "two": "Bo"}
# Seat 0 opens with the double six; the hands have no tile in common with what is drawn.
DEALT = deal("6-6 1-0 2-0 2-1 3-0 3-1 3-2", "6-5 6-4 6-3 6-2 6-1 6-0 5-5", "5-4 4-4 0-0")
DAY = 24 * 3600 * 1000


def started(client: Client, **names: str) -> Match:
    sent = client.post(reverse("two"), TWO | names)
    assert sent.status_code == 302, sent.text
    return Match.objects.get(pk=sent["Location"].split("/")[2])


def browser_of(client: Client) -> str:
    return browsers.known(client.session)


def say(match: Match, client: Client, at: int, do: str, **keys: Any) -> bool:
    """A command of the signed-out browser, on the newest version."""
    version = Match.objects.get(pk=match.pk).version
    command = parse_command({"do": do, "version": version} | keys)
    return store.submit(match.pk, None, command, match.epoch + at, browser=browser_of(client))


def view(match: Match, client: Client, asked: int | None = None) -> dict[str, Any]:
    page = live.page(match.pk, None, match.epoch + 5000, browser=browser_of(client), asked=asked)
    return page.view


# Starting


def test_two_names_and_a_match_begins_signed_out(client: Client) -> None:
    assert 'name="one"' in client.get(reverse("two")).text
    match = started(client)
    assert match.kind == Match.Kind.SHARED
    assert not match.rated
    assert match.owner is None
    assert match.level is None
    assert [seat.name for seat in match.seats.order_by("seat")] == ["Ada", "Bo"]
    assert not match.seats.filter(user__isnull=False).exists()
    page = client.get(match.get_absolute_url()).text
    assert 'id="ready"' in page
    assert "You are watching" not in page
    # The cookie outlasts the day for which an untouched match stands.
    cookie = client.cookies["sessionid"]
    assert int(cookie["max-age"]) > 24 * 3600


def test_the_digest_alone_does_not_make_the_owner(client: Client) -> None:
    match = started(client)
    assert match.browser
    assert match.browser not in json.dumps(dict(client.session.items()))
    thief = Client()
    session = thief.session
    session[browsers.KEY] = match.browser
    session.save()
    assert live.who(match.pk, None, browser_of(thief))[1] is None


def test_it_is_the_accounts_where_somebody_is_signed_in(client: Client) -> None:
    ada = make_user("ada")
    client.force_login(ada)
    assert 'value="ada"' in client.get(reverse("two")).text
    match = started(client)
    assert (match.owner, match.browser) == (ada, "")
    other = Client()
    other.force_login(ada)
    assert 'id="ready"' in other.get(match.get_absolute_url()).text


def test_it_engages_nobody(client: Client) -> None:
    """Neither does it keep its owner from a match of their own, nor the other way round."""
    ada, bo = make_user("ada"), make_user("bo")
    client.force_login(ada)
    first = started(client)
    mine = make_match([ada, bo], begun(DEALT), now=timekeeping.now_ms())
    second = started(client)
    assert first != second
    running = lobby.running_match_of(ada)
    assert running is not None
    assert running.id == mine.pk


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ({"one": ""}, "Say what the first player is called."),
        ({"two": "  "}, "Say what the second player is called."),
        ({"two": "ADA"}, "different names"),
        ({"two": "a" * 21}, "at most 20"),
        ({"two": "B\u202eo"}, "can be seen"),
        ({"two": "B\0o"}, "Null characters"),
        ({"two": "You"}, "reserved"),
    ],
)
def test_names_that_are_none(client: Client, names: dict[str, str], told: str) -> None:
    sent = client.post(reverse("two"), TWO | names)
    assert sent.status_code == 422
    assert told in sent.text
    assert not Match.objects.exists()


def test_a_name_of_any_script_is_kept_as_it_is_meant(client: Client) -> None:
    match = started(client, one="  Jose\u0301   Luis ", two="<b>%(x)s</b>")
    assert [seat.name for seat in match.seats.order_by("seat")] == ["José Luis", "<b>%(x)s</b>"]
    page = client.get(match.get_absolute_url()).text
    assert "&lt;b&gt;%(x)s&lt;/b&gt;" in page
    assert "<b>%(x)s</b>" not in page


def test_no_match_while_a_restart_is_announced(client: Client) -> None:
    RestartNotice.objects.create(text="soon")
    sent = client.post(reverse("two"), TWO)
    assert sent.status_code == 409
    assert "restarts soon" in sent.text
    assert 'value="Bo"' in sent.text  # what was typed stays
    assert not Match.objects.exists()


def test_none_for_a_suspended_player(client: Client) -> None:
    ada = make_user("ada")
    services.suspend(ada, make_user("sam"), "stalled", None)
    client.force_login(ada)
    assert client.post(reverse("two"), TWO).status_code == 409
    assert not Match.objects.exists()


def test_one_address_starts_so_many_and_no_more(client: Client) -> None:
    got = [client.post(reverse("two"), TWO).status_code for _ in range(21)]
    assert got == [302] * 20 + [429]
    assert Match.objects.count() == 20


def test_the_form_tells_what_is_still_being_played(client: Client) -> None:
    match = started(client)
    assert match.get_absolute_url() in client.get(reverse("two")).text
    assert match.get_absolute_url() not in Client().get(reverse("two")).text
    store.leave(match.pk, None, timekeeping.now_ms(), browser=browser_of(client))
    assert match.get_absolute_url() not in client.get(reverse("two")).text


# Whose it is


def test_signing_in_does_not_lose_it_nor_does_signing_out_again(client: Client) -> None:
    ada = make_user("ada")
    match = started(client)
    before = client.cookies["sessionid"].value
    sign_in = {"login": "ada", "password": "pass-word-9"}
    assert client.post(reverse("account_login"), sign_in).status_code == 302
    assert client.cookies["sessionid"].value != before
    assert 'id="ready"' in client.get(match.get_absolute_url()).text
    match.refresh_from_db()
    assert match.owner == ada
    client.post(reverse("account_logout"))
    assert "You are watching" in client.get(match.get_absolute_url()).text
    client.post(reverse("account_login"), sign_in)
    assert 'id="ready"' in client.get(match.get_absolute_url()).text


def test_whoever_signs_in_takes_nothing_of_another_browser(client: Client) -> None:
    match = started(client)
    other = Client()
    started(other)
    make_user("bo")
    other.post(reverse("account_login"), {"login": "bo", "password": "pass-word-9"})
    match.refresh_from_db()
    assert match.owner is None


@pytest.mark.parametrize("signed_in", [False, True])
def test_everybody_else_watches_and_can_do_nothing(client: Client, signed_in: bool) -> None:
    match = started(client)
    stranger = Client()
    user = make_user("cy") if signed_in else None
    if user:
        stranger.force_login(user)
    page = stranger.get(match.get_absolute_url())
    assert page.status_code == 200
    assert "You are watching" in page.text
    assert 'id="ready"' not in page.text
    user_id = user.pk if user else None
    with pytest.raises(Refused, match="not_a_player"):
        store.submit(match.pk, user_id, parse_command({"do": "ready"}), match.epoch + 1000)
    with pytest.raises(Refused, match="not_a_player"):
        store.leave(match.pk, user_id, match.epoch + 1000)
    left = stranger.post(reverse("leave", args=[match.pk]))
    assert left.status_code == 302
    match.refresh_from_db()
    assert match.ended_at is None


def test_leaving_before_the_start_voids_it_signed_out_too(client: Client) -> None:
    match = started(client)
    client.post(reverse("leave", args=[match.pk]))
    match.refresh_from_db()
    assert match.reason == "void"
    assert match.events.get().data["reason"] == "abandoned"


# Commands


@pytest.fixture
def handed(client: Client, monkeypatch: pytest.MonkeyPatch) -> Match:
    """Ada has to open with the double six, and has not revealed."""
    monkeypatch.setattr(store, "shuffled_deal", lambda: DEALT)
    match = started(client)
    assert say(match, client, 1000, "ready")
    match.refresh_from_db()
    return match


def test_one_start_is_for_both(handed: Match, client: Client) -> None:
    told = [event.do for event in handed.events.order_by("n")]
    assert told == ["ready", "ready", "deal", "start"]
    assert [e.seat for e in handed.events.filter(do="ready").order_by("n")] == [0, 1]
    seen = view(handed, client)
    assert (seen["phase"], seen["to_act"], seen["you"], seen["hand"]) == ("handover", 0, None, None)
    assert seen["legal"] == [{"do": "reveal"}]
    assert seen["clock"]["running"] is None


def test_commands_count_for_whoever_must_act(handed: Match, client: Client) -> None:
    with pytest.raises(Refused, match="wrong_phase"):
        say(handed, client, 2000, "play", tile="6-6", arm="open")
    assert say(handed, client, 2000, "reveal")
    shown = view(handed, client, asked=4)
    assert (shown["you"], shown["covered"]) == (0, False)
    assert shown["hand"] == sorted(map(str, DEALT.hands[0]))
    assert say(handed, client, 3000, "play", tile="6-6", arm="open")
    assert view(handed, client, asked=5)["you"] is None
    assert say(handed, client, 90_000, "reveal")
    assert view(handed, client, asked=6)["hand"] == sorted(map(str, DEALT.hands[1]))
    assert [e.seat for e in handed.events.filter(do="reveal").order_by("n")] == [0, 1]
    assert view(handed, client, asked=6)["clock"]["bank"] == [120_000, 120_000]


def test_a_turn_that_runs_is_shown_only_to_the_page_that_asked(
    handed: Match, client: Client
) -> None:
    say(handed, client, 2000, "reveal")
    for asked in (None, 0, 3):
        seen = view(handed, client, asked=asked)
        assert (seen["you"], seen["hand"], seen["covered"]) == (None, None, True)
        assert seen["legal"] == [{"do": "reveal"}]
        assert seen["clock"]["running"] == 0  # it goes on
    before = Match.objects.get(pk=handed.pk).version
    assert say(handed, client, 3000, "reveal") is False  # no event, no refusal
    assert Match.objects.get(pk=handed.pk).version == before
    assert view(handed, client, asked=before)["you"] == 0


def test_what_was_asked_for_one_turn_shows_no_other(handed: Match, client: Client) -> None:
    say(handed, client, 2000, "reveal")
    asked = Match.objects.get(pk=handed.pk).version
    say(handed, client, 3000, "play", tile="6-6", arm="open")
    assert view(handed, client, asked=asked)["hand"] is None
    say(handed, client, 4000, "reveal")
    assert view(handed, client, asked=asked)["hand"] is None


def test_a_reveal_of_a_turn_that_is_over_is_stale(handed: Match, client: Client) -> None:
    say(handed, client, 2000, "reveal")
    asked = Match.objects.get(pk=handed.pk).version
    say(handed, client, 3000, "play", tile="6-6", arm="open")
    say(handed, client, 4000, "reveal")
    with pytest.raises(Refused, match="stale"):
        say(handed, client, 5000, "reveal", version=asked)


def test_a_repeated_command_is_accepted_once_though_it_is_the_others_turn(
    handed: Match, client: Client
) -> None:
    say(handed, client, 2000, "reveal")
    version = Match.objects.get(pk=handed.pk).version
    play = {"tile": "6-6", "arm": "open", "version": version}
    assert say(handed, client, 3000, "play", **play)
    assert say(handed, client, 3500, "play", **play) is False
    assert say(handed, client, 3500, "reveal", version=version - 1) is False
    assert handed.events.filter(do="play").count() == 1


@pytest.mark.parametrize("seat", [0, 1])
def test_resigning_says_who(handed: Match, client: Client, seat: int) -> None:
    for wrong in ({}, {"seat": 2}, {"seat": True}, {"seat": "0"}):
        with pytest.raises(Refused, match="malformed"):
            say(handed, client, 2000, "resign", **wrong)
    assert say(handed, client, 2000, "resign", seat=seat)
    handed.refresh_from_db()
    assert (handed.winner, handed.reason) == (1 - seat, "resignation")


def test_in_a_duel_nobody_resigns_for_the_other() -> None:
    users = [make_user("ada"), make_user("bo")]
    match = make_match(users, begun(DEALT))
    command = parse_command({"do": "resign", "seat": 1})
    assert store.submit(match.pk, users[0].pk, command, NOW + 2000)
    match.refresh_from_db()
    assert match.winner == 1


def test_the_story_on_the_device_tells_a_drawn_tile_in_its_own_turn_alone(client: Client) -> None:
    match = started(client)
    dealt = deal("5-5 5-0 0-0 1-1 4-4 4-1 4-0", "6-6 6-4 3-3 3-2 2-2 3-1 6-2", "6-3 6-1 5-3")
    opening: list[Event] = [
        events.Reveal(seat=1, at=1000),
        events.Play(seat=1, at=1000, tile=dealt.hands[1][0], arm="open"),
    ]
    go_on(match, [*begun(dealt), *opening])
    say(match, client, 1000, "reveal")
    asked = Match.objects.get(pk=match.pk).version
    say(match, client, 1500, "draw")

    def drawn(asked: int | None) -> list[str | None]:
        page = live.page(match.pk, None, browser=browser_of(client), asked=asked)
        return [line.get("tile") for line in page.log if line["do"] == "draw"]

    assert drawn(asked) == ["6-3"]
    assert drawn(None) == [None]
    assert b"6-3" not in client.get(match.get_absolute_url()).content
    say(match, client, 2000, "play", tile="6-3", arm="left")
    assert drawn(asked) == [None]
    say(match, client, 3000, "reveal")
    assert drawn(Match.objects.get(pk=match.pk).version) == [None]  # the other one's turn


# What it ends in, and what does not count it


def finished(client: Client, monkeypatch: pytest.MonkeyPatch) -> Match:
    monkeypatch.setattr(store, "shuffled_deal", lambda: DEALT)
    match = started(client)
    say(match, client, 1000, "ready")
    say(match, client, 2000, "reveal")
    say(match, client, 3000, "play", tile="6-6", arm="open")
    say(match, client, 4000, "resign", seat=1)
    match.refresh_from_db()
    return match


def test_nothing_is_counted_and_everything_kept(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(make_user("Ada"))
    match = started(client, one="Ada", two="Bo")
    user_id = match.owner_id
    monkeypatch.setattr(store, "shuffled_deal", lambda: DEALT)
    commands: list[dict[str, Any]] = [{"do": "ready"}, {"do": "resign", "seat": 0}]
    for at, command in enumerate(commands, 1):
        store.submit(match.pk, user_id, parse_command(command), match.epoch + 1000 * at)
    match.refresh_from_db()
    assert match.winner == 1
    assert not Tally.objects.exists()
    assert not RatingChange.objects.exists()
    assert differences(match) == []
    page = client.get(reverse("player", args=["Ada"])).text
    assert match.get_absolute_url() not in page
    record = client.get(reverse("record", args=[match.pk]))
    lines = record.text.splitlines()
    header = json.loads(lines[0])
    assert header["players"] == ["Ada", "Bo"]
    assert header["shared_device"] is True
    assert not header["rated"]
    *_, last = replay(line.encode() for line in lines)
    assert last["result"] == {"winner": 1, "reason": "resignation"}


def test_it_is_listed_nowhere(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "shuffled_deal", lambda: DEALT)
    match = started(client)
    say(match, client, 1000, "ready")
    say(match, client, 2000, "reveal")
    now = match.epoch + 3000
    assert watch.listing(now).cards == ()
    assert watch.best(now) is None
    for name in ("home", "watch", "watch_list"):
        assert match.pk not in Client().get(reverse(name)).text


def test_play_again_swaps_the_seats(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    match = finished(client, monkeypatch)
    after = client.get(reverse("match_after", args=[match.pk]), headers={"HX-Request": "true"}).text
    assert 'name="one" value="Bo"' in after
    assert 'name="two" value="Ada"' in after
    assert "rematch-offer" not in after
    assert "two-again" not in Client().get(reverse("match_after", args=[match.pk])).text
    again = started(client, one="Bo", two="Ada")
    assert [seat.name for seat in again.seats.order_by("seat")] == ["Bo", "Ada"]


def test_nobody_is_offered_a_rematch(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    match = finished(client, monkeypatch)
    client.force_login(make_user("cy"))
    sent = client.post(reverse("rematch", args=[match.pk]), {"do": "offer"})
    assert sent.status_code == 409


def test_the_admin_shows_whose_it_is(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    match = finished(client, monkeypatch)
    root = User.objects.create_superuser("root-1", "root@example.org", "pass-word-9")
    staff = Client()
    staff.force_login(root)
    listed = staff.get(reverse("admin:games_match_changelist"), {"kind__exact": "shared"}).text
    assert match.pk in listed
    assert "one device for two" in listed
    shown = staff.get(reverse("admin:games_match_change", args=[match.pk])).text
    assert "Ada" in shown
    assert match.browser not in shown


# A day


def test_a_device_that_nobody_touches_for_a_day_voids_its_match(
    handed: Match, client: Client
) -> None:
    last = handed.epoch + 1000
    store.sweep(last + DAY - 1)
    handed.refresh_from_db()
    assert handed.ended_at is None
    store.sweep(last + DAY)
    store.sweep(last + DAY + 1)
    handed.refresh_from_db()
    assert (handed.reason, handed.winner) == ("void", None)
    void = handed.events.filter(do="void")
    assert [event.data["reason"] for event in void] == ["abandoned"]
    assert not handed.seats.filter(live=True).exists()


def test_whatever_is_done_begins_the_day_anew(handed: Match, client: Client) -> None:
    hour = 3600 * 1000
    say(handed, client, 20 * hour, "reveal")
    say(handed, client, 20 * hour + 1000, "play", tile="6-6", arm="open")
    store.sweep(handed.epoch + 25 * hour)
    handed.refresh_from_db()
    assert handed.ended_at is None
    assert handed.snapshot["phase"] == Phase.HANDOVER
    store.sweep(handed.epoch + 45 * hour)
    handed.refresh_from_db()
    assert handed.reason == "void"
