"""Random matches: legal for the most part, with noise of every kind between."""

from __future__ import annotations

from random import Random
from typing import Any

from .reference import ALL_TILES, ARMS, REASONS, Event, Reference

NOISE = (
    *("ready", "deal", "start", "continue", "reveal", "bid", "accept", "decline"),
    *("play", "draw", "pass", "timeout", "play", "bid", "play", "draw"),
)


def random_deal(rng: Random) -> Event:
    """A shuffled set; one deal in eight has no double in either hand."""
    tiles = list(ALL_TILES)
    rng.shuffle(tiles)
    if rng.random() < 0.125:
        tiles.sort(key=lambda tile: tile[0] == tile[2])
        rest = tiles[14:]
        rng.shuffle(rest)
        tiles[14:] = rest
    return {"do": "deal", "hands": [tiles[:7], tiles[7:14]], "boneyard": tiles[14:]}


def pause(rng: Random) -> int:
    """Milliseconds until the next event: quick as a rule, now and then beyond the delay."""
    dice = rng.random()
    if dice < 0.8:
        return rng.choice((0, 1, 500, 9_999, 10_000))
    if dice < 0.98:
        return rng.randrange(10_000, 14_000)
    return rng.randrange(10_000, 60_000)


def random_bid(rng: Random, least: int, most: int) -> int:
    """Low as a rule, so that matches go on; all in now and then."""
    dice = rng.random()
    if dice < 0.05:
        return most
    if dice < 0.2:
        return rng.randrange(least, most + 1, 5)
    return min(most, least + rng.choice((0, 0, 5, 20)))


def answer(rng: Random, reference: Reference) -> Event:
    """One of the legal answers, not yet timed."""
    chosen = rng.choice(reference.answers())
    event: Event = {"do": chosen["do"], "seat": reference.awaited()}
    if chosen["do"] == "bid":
        event["points"] = random_bid(rng, chosen["min"], chosen["max"])
    elif chosen["do"] == "play":
        event |= {"tile": chosen["tile"], "arm": chosen["arm"]}
    if reference.compulsory() and rng.random() < 0.7:
        event["auto"] = rng.choice((True, False))
    return event


def sensible(rng: Random, reference: Reference) -> Event:
    """What could well come next."""
    step, at = reference.step(), reference.last_at + pause(rng)
    if step in ("new", "round_over", "dealt") and rng.random() < 0.5:
        return {"do": "ready", "seat": rng.randrange(2), "at": at}
    if step in ("new", "round_over"):
        return random_deal(rng)
    if step == "dealt":
        return {"do": reference.answers()[0]["do"], "at": at}
    if reference.covered():
        return {"do": "reveal", "seat": reference.awaited(), "at": at}
    deadline = reference.deadline()
    if deadline is not None and at >= deadline:
        return {"do": "timeout", "seat": reference.awaited(), "at": at}
    if rng.random() < 0.002:
        return {"do": "resign", "seat": rng.randrange(2), "at": at}
    if rng.random() < 0.001:
        return {"do": "void", "reason": rng.choice(REASONS), "at": at}
    return answer(rng, reference) | {"at": at}


def noise(rng: Random, reference: Reference) -> Event:
    """Well-formed, and legal only by luck."""
    do = rng.choice(NOISE)
    if do == "deal":
        event = random_deal(rng)
        if rng.random() < 0.5:
            event["boneyard"] = event["boneyard"][1:]
        return event
    at = max(0, reference.last_at + rng.choice((-1, 0, 0, 0, 100, 10_000)))
    event = {"do": do, "at": at}
    if do not in ("start", "continue"):
        event["seat"] = rng.randrange(2)
    if do == "play":
        event |= {"tile": rng.choice(ALL_TILES), "arm": rng.choice((*ARMS, "open"))}
        hand = reference.hands()[event["seat"]]
        if hand and rng.random() < 0.7:
            event["tile"] = rng.choice(hand)
    if do == "bid":
        event["points"] = rng.choice((0, 5, 15, 20, 23, 50, 150, 165, 170, 300))
    deadline = reference.deadline()
    if deadline is not None and rng.random() < 0.05:
        event["at"] = deadline - (do != "timeout")
    return event


def random_match(
    rng: Random, shared: bool, most: int = 4_000
) -> tuple[list[Event], list[dict[str, Any] | None]]:
    """The events of a match, and what each should print (None: it is illegal)."""
    reference = Reference(shared)
    events: list[Event] = []
    expected: list[dict[str, Any] | None] = []
    while reference.result is None and len(events) < most:
        make = noise if rng.random() < 0.15 else sensible
        event = make(rng, reference)
        events.append(event)
        expected.append(reference.apply(event))
    for _ in range(3):
        event = noise(rng, reference)
        events.append(event)
        expected.append(reference.apply(event))
    return events, expected
