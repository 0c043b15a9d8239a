"""The lobby: offers, acceptance and withdrawal, and the races between them."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import User
from games import lobby, lobby_words, store
from games.models import Challenge, Match, Seat
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


# Races, on the real database


def at_once(*calls: Callable[[], object]) -> list[str]:
    """Run the calls in threads that start together; what became of each, in order."""
    barrier = threading.Barrier(len(calls))
    outcomes = ["died"] * len(calls)

    def run(place: int, call: Callable[[], object]) -> None:
        try:
            barrier.wait(10)
            call()
            outcomes[place] = "done"
        except lobby.Refused as refused:
            outcomes[place] = refused.code
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(place, call)) for place, call in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return outcomes


def one_match_at_most_each() -> None:
    live = list(Seat.objects.filter(live=True).values_list("user", flat=True))
    assert len(live) == len(set(live))


race = pytest.mark.django_db(transaction=True)
ROUNDS = range(3)


@race
@pytest.mark.parametrize("_round", ROUNDS)
def test_two_accept_at_once_and_one_plays(_round: int) -> None:
    ada, bo, cy = make_user("ada"), make_user("bo"), make_user("cy")
    challenge = lobby.create(ada, rated=False, now=NOW)
    outcomes = at_once(
        lambda: lobby.accept(challenge.pk, bo, now=NOW),
        lambda: lobby.accept(challenge.pk, cy, now=NOW),
    )
    assert sorted(outcomes) == ["already_accepted", "done"]
    assert Match.objects.count() == 1


@race
@pytest.mark.parametrize("_round", ROUNDS)
def test_accepting_against_withdrawing_has_one_outcome(_round: int) -> None:
    ada, bo = make_user("ada"), make_user("bo")
    challenge = lobby.create(ada, rated=False, now=NOW)
    outcomes = at_once(
        lambda: lobby.accept(challenge.pk, bo, now=NOW),
        lambda: lobby.withdraw(challenge.pk, ada),
    )
    assert outcomes in (["done", "already_accepted"], ["withdrawn", "done"])
    assert Match.objects.count() == (1 if outcomes[0] == "done" else 0)
    assert state_of(challenge) == (State.ACCEPTED if outcomes[0] == "done" else State.WITHDRAWN)


@race
@pytest.mark.parametrize("_round", ROUNDS)
def test_one_player_accepts_two_offers_at_once_and_plays_one(_round: int) -> None:
    ada, bo, cy = make_user("ada"), make_user("bo"), make_user("cy")
    offers = [lobby.create(ada, rated=False, now=NOW), lobby.create(bo, rated=False, now=NOW)]
    outcomes = at_once(
        lambda: lobby.accept(offers[0].pk, cy, now=NOW),
        lambda: lobby.accept(offers[1].pk, cy, now=NOW),
    )
    assert sorted(outcomes) == ["done", "you_are_playing"]
    assert Match.objects.count() == 1
    one_match_at_most_each()


@race
@pytest.mark.parametrize("_round", ROUNDS)
def test_two_players_accept_each_other_at_once(_round: int) -> None:
    ada, bo = make_user("ada"), make_user("bo")
    by_ada, by_bo = lobby.create(ada, rated=False, now=NOW), lobby.create(bo, rated=True, now=NOW)
    outcomes = at_once(
        lambda: lobby.accept(by_ada.pk, bo, now=NOW),
        lambda: lobby.accept(by_bo.pk, ada, now=NOW),
    )
    assert sorted(outcomes) == ["done", "withdrawn"]
    assert Match.objects.count() == 1
    one_match_at_most_each()


@race
@pytest.mark.parametrize("_round", ROUNDS)
def test_the_creator_starts_another_match_at_the_same_moment(_round: int) -> None:
    ada, bo, cy = make_user("ada"), make_user("bo"), make_user("cy")
    by_ada, by_cy = lobby.create(ada, rated=False, now=NOW), lobby.create(cy, rated=False, now=NOW)
    outcomes = at_once(
        lambda: lobby.accept(by_ada.pk, bo, now=NOW),
        lambda: lobby.accept(by_cy.pk, ada, now=NOW),
    )
    assert outcomes in (["done", "you_are_playing"], ["withdrawn", "done"])
    assert Match.objects.count() == 1
    one_match_at_most_each()


@race
def test_a_ring_of_acceptances_ends() -> None:
    people = [make_user(name) for name in ("ada", "bo", "cy", "di")]
    offers = [lobby.create(who, rated=False, now=NOW) for who in people]
    outcomes = at_once(
        *(
            lambda offer=offer, who=who: lobby.accept(offer.pk, who, now=NOW)
            for offer, who in zip(offers, people[1:] + people[:1], strict=True)
        )
    )
    assert "died" not in outcomes
    assert outcomes.count("done") == Match.objects.count() >= 1
    one_match_at_most_each()


@race
@pytest.mark.parametrize("_round", ROUNDS)
def test_an_offer_made_while_a_match_starts_does_not_stay(_round: int) -> None:
    ada, bo = make_user("ada"), make_user("bo")
    challenge = lobby.create(ada, rated=False, now=NOW)
    outcomes = at_once(
        lambda: lobby.accept(challenge.pk, bo, now=NOW),
        lambda: lobby.create(ada, rated=False, now=NOW),
    )
    assert outcomes[0] == "done"
    assert outcomes[1] in ("done", "you_are_playing")
    assert not lobby.open_challenges_of(ada).exists()
