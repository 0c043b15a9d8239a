"""The rules page and its panel: every example and every question has its place, in any language."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games.figures import played
from games.rules import auction
from games.rules.match import State, nearest_five
from games.rules.tiles import opening_tile, parse_tile
from tests.games.factory import begun, deal, make_match

pytestmark = pytest.mark.django_db

QUESTIONS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "questions.json").read_text(encoding="utf-8")
)
LANGUAGES = [code for code, _name in settings.LANGUAGES]
SECTIONS = (
    *("game", "points", "deal", "table", "count", "drawing"),
    *("ending", "auction", "clock", "digital", "words"),
)
VOID = {"meta", "link", "img", "input", "br", "hr", "circle", "use", "rect", "path"}
DEALT = deal("6-6 1-0 2-0 2-1 3-0 3-1 3-2", "6-5 6-4 6-3 6-2 6-1 6-0 5-5", "5-4 4-4 0-0")


class Page(HTMLParser):
    """The text under every id, the section each id is in, the headings and the links."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.texts: dict[str, str] = {}
        self.sections: dict[str, str] = {}
        self.ids: list[str] = []
        self.headings: list[int] = []
        self.links: list[str] = []
        self._open: list[tuple[str, str | None, str]] = []
        self.feed(text)
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        have = dict(attrs)
        name = have.get("id")
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag == "a":
            self.links.append(have.get("href") or "")
        section = have.get("aria-labelledby") if tag == "section" else None
        inside = section or (self._open[-1][2] if self._open else "")
        if name:
            self.ids.append(name)
            self.texts[name] = ""
            self.sections[name] = inside
        if tag not in VOID:
            self._open.append((tag, name, inside))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self._open.append((tag, None, ""))
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self._open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        for _tag, name, _section in self._open:
            if name:
                self.texts[name] += data


def article(client: Client, language: str = "en") -> Page:
    """The rules as their page has them."""
    whole = client.get("/rules/", headers={"accept-language": language}).content.decode()
    found = re.search(r"<article.*</article>", whole, re.DOTALL)
    assert found
    return Page(found[0])


def panel(client: Client, language: str = "en") -> Page:
    """The rules as a match page loads them."""
    answer = client.get("/rules/?panel", headers={"accept-language": language})
    return Page(answer.content.decode())


def numbers(text: str) -> set[str]:
    return set(re.findall(r"\[\d\|\d\]|\d+", text))


# Questions


def test_there_are_questions_enough() -> None:
    assert len({question["ask"] for question in QUESTIONS}) >= 40


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_question_is_answered_where_it_says(client: Client, language: str) -> None:
    page = article(client, language)
    for question in QUESTIONS:
        place = question["at"]
        assert page.sections.get(place) == question["in"], question["ask"]
        answer = page.texts[place]
        assert len(answer.split()) >= 3, question["ask"]
        assert set(question["says"]) <= numbers(answer), question["ask"]


# The worked examples: where they come from (a line of the source texts, the same in each, or a
# rule), where the page tells them, the numbers told, and what the rules make of them.

EXAMPLES: list[tuple[str, str, str, Callable[[], object], object]] = [
    (
        "line 9",
        "example-counters",
        "15 3 150 165 135",
        lambda: _paid(15, (150, 150)),
        (165, 135),
    ),
    ("line 7", "example-cap", "20 5", lambda: _paid(20, (295, 5)), (300, 0)),
    ("R1.4", "cap", "20 5", lambda: _paid(20, (295, 5)), (300, 0)),
    ("R3.2", "example-no-double", "[6|3] [5|4] 9", lambda: _opens("6-3", "5-4"), "6-3"),
    ("line 25", "example-rounded-up", "4 18 20", lambda: nearest_five(18), 20),
    ("line 25", "example-rounded-down", "17 15", lambda: nearest_five(17), 15),
    ("line 25", "example-equal", "6", lambda: _block("5-1", "4-2"), None),
    (
        "Readings 11",
        "rounding",
        "1 2 0 3 5 12 10 13 15",
        lambda: [nearest_five(pips) for pips in (1, 2, 3, 12, 13)],
        [0, 0, 5, 10, 15],
    ),
    (
        "line 31",
        "example-discount",
        "20 15 5",
        lambda: auction.price(auction.Bid(0, 20), jockey=0),
        5,
    ),
    ("R7.6", "bid-limit", "15", lambda: played.bids(100), ((15, 100), (20, 115))),
    (
        "line 37",
        "example-clock",
        "8 13 3",
        lambda: [played.spent(seconds) for seconds in (8, 13)],
        [0, 3],
    ),
]


def _paid(points: int, chips: tuple[int, int]) -> tuple[int, int]:
    """The balances after seat 0 has scored; the score is a blocked round's, of any size."""
    hands = {15: "6-6 2-1", 20: "6-6 5-3"}
    first, second = played.tiles("1-1"), played.tiles(hands[points])
    state: State = played.block((first, second), chips)
    return state.chips


def _opens(one: str, other: str) -> str:
    return str(opening_tile(((parse_tile(other),), (parse_tile(one),)))[1])


def _block(one: str, other: str) -> object:
    return played.block((played.tiles(one), played.tiles(other))).transfer


@pytest.mark.parametrize(("source", "place", "told", "reckon", "result"), EXAMPLES)
def test_every_worked_example_is_true_and_told(
    client: Client,
    source: str,
    place: str,
    told: str,
    reckon: Callable[[], object],
    result: object,
) -> None:
    assert reckon() == result, source
    for language in LANGUAGES:
        assert set(told.split()) <= numbers(article(client, language).texts[place]), language


# The page


def test_the_sections_have_their_names_and_the_contents_lead_to_them(client: Client) -> None:
    page = article(client)
    assert list(dict.fromkeys(filter(None, page.sections.values()))) == [*SECTIONS]
    assert [link for link in page.links if link.startswith("#")][: len(SECTIONS)] == [
        f"#{name}" for name in SECTIONS
    ]
    assert {link[1:] for link in page.links if link.startswith("#")} <= set(page.ids)


@pytest.mark.parametrize("look", [article, panel])
def test_headings_go_down_step_by_step(client: Client, look: Callable[[Client], Page]) -> None:
    levels = look(client).headings
    assert [now for before, now in itertools.pairwise(levels) if now > before + 1] == []
    assert levels.count(1) == (1 if look is article else 0)


@pytest.mark.parametrize("look", [article, panel])
def test_the_credit_is_given(client: Client, look: Callable[[Client], Page]) -> None:
    page = look(client)
    (credit,) = (text for name, text in page.texts.items() if name.endswith("credit"))
    assert "automatic digital adaptation of Spectacular Bid by Christopher Haviland" in credit


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_credit_names_work_and_author_in_every_language(client: Client, language: str) -> None:
    told = []
    for look in (article, panel):
        texts = look(client, language).texts
        told += [text for name, text in texts.items() if name.endswith("credit")]
    adaptation = {"en": "adaptation", "id": "adaptasi", "it": "adattamento", "es": "adaptación"}
    for credit in told:
        assert "Spectacular Bid" in credit
        assert "Christopher Haviland" in credit
        assert adaptation[language] in credit
    assert len(told) == 2


def test_the_pictures_say_that_the_payer_can_pay(client: Client) -> None:
    assert "points enough to pay all of it" in article(client).texts["pictures"]


def test_every_figure_has_picture_words_and_sum(client: Client) -> None:
    whole = client.get("/rules/").content.decode()
    figures = re.findall(r"<figure.*?</figure>", whole, re.DOTALL)
    assert len(figures) == 15
    for one in figures:
        assert re.search(r'<svg class="ground"[^>]* role="img" aria-label="[^"]{40,}">', one)
        assert re.search(r"<figcaption>.*(\d = \d+:|rounded)", one, re.DOTALL)


# The panel


def test_the_panel_tells_the_same(client: Client) -> None:
    page, beside = article(client), panel(client)
    assert [name.removeprefix("rules-") for name in beside.ids] == page.ids
    assert {name.removeprefix("rules-"): text for name, text in beside.texts.items()} == page.texts


def test_the_panel_has_no_id_of_the_match_page(client: Client, ada: User, bo: User) -> None:
    match = make_match([ada, bo], begun(DEALT))
    whole = client.get(f"/matches/{match.pk}/").content.decode()
    taken = set(re.findall(r'\sid="([^"]+)"', whole))
    assert {"t55", "points"} <= taken
    beside = panel(client)
    assert taken & set(beside.ids) == set()
    assert {name for name in beside.ids if not name.startswith("rules-")} == set()


def test_the_panel_draws_with_the_symbols_of_the_match_page(
    client: Client, ada: User, bo: User
) -> None:
    match = make_match([ada, bo], begun(DEALT))
    whole = client.get(f"/matches/{match.pk}/").content.decode()
    used = set(re.findall(r'href="#(t\d\d)"', client.get("/rules/?panel").content.decode()))
    assert len(used) > 20
    assert {name for name in used if f'<g id="{name}"' not in whole} == set()


def test_the_panel_is_the_text_alone(client: Client) -> None:
    text = client.get("/rules/?panel").content.decode()
    assert "<html" not in text
    assert "<h1" not in text
    assert "<script" not in text


def test_the_rules_cost_no_query_of_their_own(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        client.get("/rules/?panel")
    client.get("/rules/")
    with django_assert_num_queries(0):
        client.get("/rules/")


def test_the_match_page_offers_the_rules(client: Client, ada: User, bo: User) -> None:
    match = make_match([ada, bo], begun(DEALT))
    text = client.get(f"/matches/{match.pk}/").content.decode()
    assert re.search(r"<button[^>]* data-rules[ >]", text)
    assert 'id="rules-panel"' in text
    assert 'hx-get="/rules/?panel"' in text
    assert "games/rules_panel" in text
