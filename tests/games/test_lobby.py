"""The lobby: offers, acceptance and withdrawal, and the races between them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils import timezone

from accounts.models import User
from games import lobby, lobby_words, store
from games.models import Challenge, Match
from tests.games.factory import NOW, make_user

State = Challenge.State


@pytest.fixture
def ada(db: None) -> User:
    return make_user("ada")


@pytest.fixture
def bo(db: None) -> User:
    return make_user("bo")


@pytest.fixture
def cy(db: None) -> User:
    return make_user("cy")


def refusal(call: Callable[[], object]) -> lobby.Refused:
    with pytest.raises(lobby.Refused) as caught:
        call()
    return caught.value


def state_of(challenge: Challenge) -> str:
    return Challenge.objects.get(pk=challenge.pk).state


# Offering


@pytest.mark.parametrize("rated", [True, False])
def test_an_offer_is_open_and_knows_its_kind(ada: User, rated: bool) -> None:
    challenge = lobby.create(ada, rated=rated, now=NOW)
    assert challenge.state == State.OPEN
    assert challenge.rated is rated
    assert list(lobby.open_challenges_of(ada)) == [challenge]


def test_a_player_in_a_running_match_cannot_offer_another(ada: User, bo: User) -> None:
    match = store.create_match([ada, bo], rated=False, now=NOW)
    refused = refusal(lambda: lobby.create(ada, rated=False, now=NOW))
    assert refused.code == "you_are_playing"
    assert refused.params == {"match": match.pk, "opponent": "bo"}


def test_the_number_of_open_offers_is_limited(ada: User) -> None:
    offers = [lobby.create(ada, rated=False, now=NOW) for _ in range(lobby.MAX_OPEN)]
    assert refusal(lambda: lobby.create(ada, rated=False, now=NOW)).code == "too_many_open"
    lobby.withdraw(offers[0].pk, ada)
    assert lobby.create(ada, rated=False, now=NOW)


# Accepting


@pytest.mark.parametrize("rated", [True, False])
def test_accepting_starts_the_match_the_offer_described(ada: User, bo: User, rated: bool) -> None:
    challenge = lobby.create(ada, rated=rated, now=NOW)
    match = lobby.accept(challenge.pk, bo, now=NOW)
    challenge.refresh_from_db()
    assert challenge.state == State.ACCEPTED
    assert challenge.match == match
    assert challenge.closed_at is not None
    assert match.rated is rated
    assert match.epoch == NOW
    assert {seat.user for seat in match.seats.all()} == {ada, bo}


def test_seats_are_drawn_at_random(ada: User, bo: User) -> None:
    first = set()
    for _ in range(40):
        match = lobby.accept(lobby.create(ada, rated=False, now=NOW).pk, bo, now=NOW)
        first.add(match.seats.get(seat=0).user_id)
        match.seats.update(live=False)
    assert first == {ada.pk, bo.pk}


def test_other_offers_of_both_players_are_withdrawn(ada: User, bo: User, cy: User) -> None:
    taken, other, theirs = (lobby.create(who, rated=False, now=NOW) for who in (ada, ada, bo))
    unrelated = lobby.create(cy, rated=False, now=NOW)
    lobby.accept(taken.pk, bo, now=NOW)
    assert state_of(other) == state_of(theirs) == State.WITHDRAWN
    assert state_of(unrelated) == State.OPEN


def test_the_running_match_is_known_to_both(ada: User, bo: User, cy: User) -> None:
    match = lobby.accept(lobby.create(ada, rated=False, now=NOW).pk, bo, now=NOW)
    assert lobby.running_match_of(ada) == lobby.RunningMatch(match.pk, "bo")
    assert lobby.running_match_of(bo) == lobby.RunningMatch(match.pk, "ada")
    assert lobby.running_match_of(cy) is None


def test_a_match_that_is_over_is_not_running(ada: User, bo: User) -> None:
    store.create_match([ada, bo], rated=False, now=NOW).seats.update(live=False)
    assert lobby.running_match_of(ada) is None


# Refusals, each of which changes nothing


def test_nobody_accepts_their_own_offer(ada: User) -> None:
    challenge = lobby.create(ada, rated=False, now=NOW)
    assert refusal(lambda: lobby.accept(challenge.pk, ada, now=NOW)).code == "own_challenge"
    assert state_of(challenge) == State.OPEN
    assert not Match.objects.exists()


def test_a_full_match_is_not_joined_and_is_named(ada: User, bo: User, cy: User) -> None:
    challenge = lobby.create(ada, rated=False, now=NOW)
    match = lobby.accept(challenge.pk, bo, now=NOW)
    refused = refusal(lambda: lobby.accept(challenge.pk, cy, now=NOW))
    assert (refused.code, refused.params) == ("already_accepted", {"match": match.pk})
    assert Match.objects.count() == 1


def test_a_withdrawn_offer_is_not_accepted(ada: User, bo: User) -> None:
    challenge = lobby.create(ada, rated=False, now=NOW)
    lobby.withdraw(challenge.pk, ada)
    assert refusal(lambda: lobby.accept(challenge.pk, bo, now=NOW)).code == "withdrawn"
    assert not Match.objects.exists()


def test_a_player_in_a_running_match_does_not_join(ada: User, bo: User, cy: User) -> None:
    challenge = lobby.create(ada, rated=False, now=NOW)
    running = store.create_match([bo, cy], rated=False, now=NOW)
    refused = refusal(lambda: lobby.accept(challenge.pk, bo, now=NOW))
    assert refused.code == "you_are_playing"
    assert refused.params == {"match": running.pk, "opponent": "cy"}
    assert state_of(challenge) == State.OPEN


def test_a_creator_in_a_running_match_is_not_joined(ada: User, bo: User, cy: User) -> None:
    challenge = lobby.create(ada, rated=False, now=NOW)
    running = store.create_match([ada, cy], rated=False, now=NOW)
    refused = refusal(lambda: lobby.accept(challenge.pk, bo, now=NOW))
    assert refused.code == "creator_is_playing"
    assert refused.params == {"match": running.pk, "opponent": "cy"}
    assert state_of(challenge) == State.OPEN


def test_a_match_that_came_about_elsewhere_is_noticed_by_the_database(
    ada: User, bo: User, cy: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    challenge = lobby.create(ada, rated=False, now=NOW)
    running = store.create_match([ada, cy], rated=False, now=NOW)
    looks: list[lobby.Refused | None] = [None]  # the first look came too early
    real = lobby.obstacle
    monkeypatch.setattr(
        "games.lobby.offers.obstacle", lambda *args: looks.pop() if looks else real(*args)
    )
    refused = refusal(lambda: lobby.accept(challenge.pk, bo, now=NOW))
    assert (refused.code, refused.params["match"]) == ("creator_is_playing", running.pk)
    assert state_of(challenge) == State.OPEN


def test_an_unknown_offer(ada: User) -> None:
    with pytest.raises(Challenge.DoesNotExist):
        lobby.accept("nothere", ada, now=NOW)
    with pytest.raises(Challenge.DoesNotExist):
        lobby.withdraw("nothere", ada)


# Withdrawing


def test_a_withdrawn_offer_is_closed_and_stays_so(ada: User) -> None:
    challenge = lobby.create(ada, rated=False, now=NOW)
    lobby.withdraw(challenge.pk, ada)
    lobby.withdraw(challenge.pk, ada)
    assert state_of(challenge) == State.WITHDRAWN
    assert not lobby.open_challenges_of(ada).exists()


def test_only_the_creator_withdraws(ada: User, bo: User) -> None:
    challenge = lobby.create(ada, rated=False, now=NOW)
    assert refusal(lambda: lobby.withdraw(challenge.pk, bo)).code == "not_yours"
    assert state_of(challenge) == State.OPEN


def test_an_accepted_offer_is_not_withdrawn(ada: User, bo: User) -> None:
    challenge = lobby.create(ada, rated=False, now=NOW)
    match = lobby.accept(challenge.pk, bo, now=NOW)
    refused = refusal(lambda: lobby.withdraw(challenge.pk, ada))
    assert (refused.code, refused.params) == ("already_accepted", {"match": match.pk})


# Codes and their sentences


def test_every_refusal_has_a_sentence() -> None:
    params: dict[str, object] = {
        "match": "abc",
        "opponent": "Nina",
        "max": 10,
        "player": "Bo",
        "name": "Nobody",
        "until": timezone.now(),
        "least": 1400,
        "most": 1600,
    }
    for code, names in lobby.CODES.items():
        refused = lobby.Refused(code, **{name: params[name] for name in names})
        assert lobby_words.sentence(refused).endswith((".", "first."))
        assert bool(lobby_words.link(refused)) is ("match" in names)


def test_an_unknown_code_is_a_mistake_of_ours() -> None:
    with pytest.raises(ValueError, match="not a code"):
        lobby.Refused("nonsense")
