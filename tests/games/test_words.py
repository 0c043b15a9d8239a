"""The sentences: every code has one, and each tells the right person the right thing."""

from __future__ import annotations

import string
from typing import Any

import pytest
from django.utils.html import strip_tags

from games import words
from games.rules.errors import CODES
from games.rules.tiles import ALL_TILES
from games.words import People

SITE_CODES = ("stale", "too_large", "not_a_player", "signed_out", "flooding", "failed")
PARAMS: dict[str, Any] = {
    "problem": "type",
    "key": "tile",
    "at": 5,
    "last": 9,
    "deadline": 130_000,
    "phase": "auction",
    "to_act": 1,
    "tile": "6-5",
    "arm": "left",
    "value": 3,
    "points": 20,
    "min": 25,
    "max": 165,
    "reason": "rain",
    "version": 18,
}
PLAYERS = ("Ada", "Bo")
ADA, BO, WATCHER = (People(PLAYERS, seat) for seat in (0, 1, None))


def entry(do: str, **more: Any) -> dict[str, Any]:
    """A line of the story as the log has it."""
    after = {"phase": "play", "round": 1, "transfer": None, "ends": {}, "count": 0, "result": None}
    return {"n": 1, "do": do, "seat": 1, "auto": False, **after, **more}


def paid(payer: int, points: int, cause: str) -> dict[str, Any]:
    return {"from": payer, "to": 1 - payer, "points": points, "for": cause}


@pytest.mark.parametrize("code", [*CODES, *SITE_CODES])
def test_every_code_has_a_sentence_of_its_own(code: str) -> None:
    wanted = CODES.get(code, ("version",))
    sentence = words.refusal(code, {name: PARAMS[name] for name in wanted})
    assert sentence.endswith(".")
    assert sentence[0] in string.ascii_uppercase
    assert "%" not in sentence
    assert sentence != words.refusal("no such code", {})


def test_a_refusal_names_tiles_in_words_and_limits_in_figures() -> None:
    assert "double six" in words.refusal("must_open_with", {"tile": "6-6"})
    assert "165" in words.refusal("bid_too_high", {"points": 200, "max": 165})
    assert words.refusal("bid_too_high", {"points": 15, "max": 0}) == "You cannot afford a bid."


def test_tiles_are_named_in_words() -> None:
    assert words.tile_name("6-5") == "six-five"
    assert words.tile_name("4-0") == "four-blank"
    assert words.tile_name("0-0") == "double blank"
    assert len({words.tile_name(str(tile)) for tile in ALL_TILES}) == 28


def test_a_tile_says_whether_and_where_it_fits() -> None:
    assert words.tile_label("5-3", ["left", "right"], asked=True) == "Five-three. Fits left, right."
    assert words.tile_label("5-3", [], asked=True) == "Five-three. Cannot be laid now."
    assert words.tile_label("5-3", ["open"], asked=True) == "Five-three. You may open with it."
    assert words.tile_label("5-3", [], asked=False) == "Five-three."


ENDS = {
    "left": {"value": 4, "count": 4},
    "right": {"value": 0, "count": 0},
    "up": {"value": 6, "count": 12},
    "down": {"value": 5, "count": 0},
}


def test_a_play_is_told_term_by_term() -> None:
    play = entry("play", tile="6-4", arm="up", ends=ENDS, count=16)
    assert words.log_sentence(play, ADA) == (
        "Bo lays six-four up. Ends 4, 0, double 6: 16. Nothing is paid."
    )
    assert words.log_sentence(play, BO).startswith("You lay six-four up.")


@pytest.mark.parametrize(
    ("people", "sentence"),
    [
        (ADA, "You pay Bo 15."),
        (BO, "Ada pays you 15."),
        (WATCHER, "Ada pays Bo 15."),
    ],
)
def test_each_reader_is_told_who_pays(people: People, sentence: str) -> None:
    assert words.payment(paid(0, 15, "ends"), people) == sentence


def test_the_cap_is_explained() -> None:
    last = entry("play", tile="6-4", arm="up", count=20, transfer=paid(0, 5, "ends"))
    assert words.payment_of(last, ADA) == ("You pay Bo 5. 20 were due, but that is all there is.")


def test_draws_are_told_without_a_tile_that_is_not_known() -> None:
    assert words.log_sentence(entry("draw"), ADA) == "Bo draws a tile."
    assert words.log_sentence(entry("draw", tile="2-1"), BO) == "You draw two-one."


def test_forced_answers_explain_themselves() -> None:
    passed = words.log_sentence(entry("pass", auto=True), ADA)
    assert passed == "Bo passes: nothing fits and the boneyard is empty."
    assert "cannot afford" in words.log_sentence(entry("decline", auto=True), ADA)
    accepted = entry("accept", auto=True, transfer=paid(0, 20, "auction"))
    assert words.log_sentence(accepted, ADA) == (
        "Bo cannot raise and so accepts. You pay Bo 20. You open with any tile."
    )


def test_a_blocked_round_tells_the_rounding() -> None:
    told = " ".join(words.block_sentence((5, 13), ADA))
    assert "sums to 13, more than your 5, and counts 15 for you" in told
    assert "13 is rounded to the nearest five: 15." in told
    assert "nothing is paid" in " ".join(words.block_sentence((7, 7), ADA))
    assert "rounded" not in " ".join(words.block_sentence((5, 15), BO))


@pytest.mark.parametrize("reason", ["chips", "time", "resignation"])
def test_the_end_is_told_to_both(reason: str) -> None:
    result = {"winner": 0, "reason": reason}
    assert words.winner_sentence(result, ADA) == "You win the match."
    assert words.winner_sentence(result, BO) == "Ada wins the match."
    assert "You" in words.end_sentence(result, BO)
    assert "Bo" in words.end_sentence(result, ADA)


@pytest.mark.parametrize("reason", ["service_failure", "no_show", "abandoned", "staff"])
def test_a_void_tells_its_reason(reason: str) -> None:
    assert words.void_sentence(reason) != words.void_sentence("unknown")
    assert words.log_sentence(entry("void", reason=reason), ADA) == words.void_sentence(reason)


NOON = 1_800_014_400_000  # 2027-01-15 12:00:00 UTC


@pytest.mark.parametrize(
    ("begin", "end", "now", "told"),
    [
        (0, 38_000, 60_000, "from 12:00:00 to 12:00:38 (UTC)"),
        (999, 38_001, 60_000, "from 12:00:00 to 12:00:39 (UTC)"),  # the whole of it
        (0, 38_000, 86_400_000, "from Jan. 15, 2027, 12:00:00 to 12:00:38 (UTC)"),
        (
            0,
            43_200_000,
            43_200_000,
            "from Jan. 15, 2027, 12:00:00 to 00:00:00 (UTC)",
        ),
        (
            0,
            43_200_000,
            172_800_000,
            "from Jan. 15, 2027, 12:00:00 to Jan. 16, 2027, 00:00:00 (UTC)",
        ),
    ],
)
def test_a_failure_of_the_service_is_told_by_the_clock(
    begin: int, end: int, now: int, told: str
) -> None:
    span = words.Span(NOON + begin, NOON + end, NOON + now)
    sentence = words.log_sentence(entry("void", reason="service_failure", span=span), ADA)
    assert '<time datetime="2027-01-15T12:00:00Z">' in sentence
    assert strip_tags(sentence) == f"Void: the service was not measuring time {told}."


def test_only_nothing_at_all_reads_zero() -> None:
    assert [words.minutes(ms) for ms in (0, 1, 1000, 1001, 120_000)] == [
        "0:00",
        "0:01",
        "0:01",
        "0:02",
        "2:00",
    ]


def test_the_open_ends_are_told_with_their_sum() -> None:
    assert words.ends_told(ENDS, 16) == "Ends: left 4, right 0, up double 6, down 0. Sum 16."
    assert words.ends_told({}, 0) == ""


@pytest.mark.parametrize(
    ("count", "sentence"),
    [
        (0, "Zero pays nothing."),
        (18, "18 is no multiple of five and pays nothing."),
        (20, "20 is a multiple of five: it pays 20."),
    ],
)
def test_a_sum_says_why_it_pays(count: int, sentence: str) -> None:
    assert words.why_paid(count) == sentence


def test_balances_begin_with_whoever_listens() -> None:
    assert words.balances((165, 135), ADA) == "You 165, Bo 135."
    assert words.balances((165, 135), BO) == "You 135, Ada 165."
    assert words.balances((165, 135), WATCHER) == "Ada 165, Bo 135."


@pytest.mark.parametrize(
    ("received", "least", "sentence"),
    [
        (None, {"points": 15, "price": 15}, "Decline, or bid 15 and pay 15."),
        (None, None, "You can only decline."),
        (20, {"points": 25, "price": 10}, "Accept and receive 20, or bid 25 and pay 10."),
        (20, None, "You can only accept and receive 20."),
    ],
)
def test_the_answers_of_an_auction_are_told_in_points(
    received: int | None, least: dict[str, int] | None, sentence: str
) -> None:
    assert words.auction_choice(received, least) == sentence


def test_a_tile_says_which_of_the_hand_it_is() -> None:
    label = words.tile_label("5-3", ["left"], asked=True, place=(2, 7))
    assert label == "Five-three, tile 2 of 7. Fits left."
