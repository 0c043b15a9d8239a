"""The auction for the opening (R7)."""

from __future__ import annotations

from dataclasses import dataclass

from .errors import Illegal

FIRST_BID = 15
STEP = 5
DISCOUNT = 15


@dataclass(frozen=True, slots=True)
class Bid:
    """A standing bid, in points before any discount."""

    seat: int
    points: int


def price(bid: Bid, jockey: int) -> int:
    """What the bidder really pays: the jockey's own bid costs 15 less, never below 0 (R7.4)."""
    return max(0, bid.points - DISCOUNT) if bid.seat == jockey else bid.points


def bid_range(seat: int, jockey: int, balance: int, standing: Bid | None) -> tuple[int, int] | None:
    """The least and the greatest bid, in points, that ``seat`` may make; None where it has none.

    The price may not exceed the balance (R7.6), the first bid is at least 15 (R7.1) and a
    raise at least 5 (R7.2).
    """
    least = FIRST_BID if standing is None else standing.points + STEP
    greatest = balance + (DISCOUNT if seat == jockey else 0)
    return (least, greatest) if least <= greatest else None


def check_bid(points: int, allowed: tuple[int, int] | None) -> None:
    """Raise :class:`Illegal` unless ``points`` is a bid within ``allowed`` (R7.2, R7.6)."""
    if allowed is None:
        raise Illegal("bid_too_high", points=points, max=0)
    least, greatest = allowed
    if points < least:
        raise Illegal("bid_too_low", points=points, min=least)
    if points > greatest:
        raise Illegal("bid_too_high", points=points, max=greatest)
    if points % STEP:
        raise Illegal("bid_not_multiple", points=points)
