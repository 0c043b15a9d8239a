"""One match in several languages at once, and figures that no language bends."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import translation
from django.utils.formats import date_format, localize

from accounts.models import User
from games import timekeeping, watch
from games.models import Match
from spectacular import language
from tests.ratings.matches import resigned

from .factory import NOW, begun, deal, go_on, make_match, make_user
from .sockets import opened

LANGUAGES = [code for code, _ in settings.LANGUAGES]
# Seat 0 must open with 6-6; 6-5 and 6-4 fit after it.
DEALT = deal("6-6 1-0 2-0 2-1 3-0 3-1 3-2", "6-5 6-4 6-3 6-2 6-1 6-0 5-5", "5-4 4-4 0-0")
OPENED = [{"do": "play", "seat": 0, "tile": "6-6", "arm": "open", "at": 1000}]


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The wall clock stands at NOW + 5 s, and nothing rendered before is shown."""
    monkeypatch.setattr(timekeeping, "now_ms", lambda: NOW + 5000)
    watch.forget()
    yield
    watch.forget()


def tongue(code: str) -> dict[str, Any]:
    return {"headers": ((b"accept-language", code.encode()),), "rendering": ""}


@pytest.mark.django_db(transaction=True)
async def test_a_refusal_and_a_move_reach_everybody_in_their_own_language() -> None:
    ada = await sync_to_async(make_user)("ada")
    bo = await sync_to_async(make_user)("bo")
    match = await sync_to_async(make_match)([ada, bo], begun(DEALT))
    async with (
        opened(match, ada, **tongue("it")) as hers,
        opened(match, bo, **tongue("id")) as his,
        opened(match, **tongue("es-AR,en;q=0.5")) as theirs,
    ):
        assert "Devi aprire con la doppia sei." in await words_of(hers, "Devi aprire")
        assert "ada sedang membuka ronde." in await words_of(his, "sedang membuka")
        assert "A ada le toca salir." in await words_of(theirs, "le toca salir")

        await hers.say("play", tile="1-0", arm="open", version="4")
        await words_of(hers, "Questa mano si deve aprire con la tessera doppia sei.")

        await hers.say("play", tile="6-6", arm="open", version="4")
        for socket, told in (
            (hers, "Apri con la doppia sei."),
            (his, "ada membuka dengan balak enam."),
            (theirs, "ada sale con el doble seis."),
        ):
            page = await words_of(socket, told)
            ways = ("Apri con", "membuka dengan", "sale con")
            assert [way for way in ways if way in page] == [way for way in ways if way in told]


@pytest.mark.django_db(transaction=True)
async def test_the_small_table_of_the_home_page_speaks_as_its_page_does() -> None:
    users = [await sync_to_async(make_user)(name) for name in ("ada", "bo")]
    match = await sync_to_async(make_match)(users, begun(DEALT))
    small = {code: {**tongue(code), "rendering": "small/"} for code in ("it", "es")}
    async with (
        opened(match, users[0], **tongue("id")) as hers,
        opened(match, **small["it"]) as one,
        opened(match, **small["es"]) as other,
    ):
        await hers.say("play", tile="6-6", arm="open", version="4")
        assert "Tocca a bo." in await words_of(one, "ada apre con la doppia sei.")
        assert "Le toca a bo." in await words_of(other, "ada sale con el doble seis.")


async def words_of(socket: Any, wanted: str) -> str:
    """The next text of a socket that holds what is wanted."""
    while wanted not in (text := await socket.text()):
        pass
    return str(text)


def test_a_socket_is_answered_in_the_language_of_its_page() -> None:
    def scope(cookie: str = "", accepts: str = "") -> dict[str, Any]:
        cookies = {settings.LANGUAGE_COOKIE_NAME: cookie} if cookie else {}
        return {"cookies": cookies, "headers": [(b"accept-language", accepts.encode())]}

    assert language.of_scope(scope()) == "en"
    assert language.of_scope(scope(accepts="it-CH,it;q=0.9")) == "it"
    assert language.of_scope(scope("id", "it")) == "id"
    assert language.of_scope(scope("nonsense", "es")) == "es"
    assert language.of_scope({"cookies": {}, "headers": []}) == "en"


class Drawn(HTMLParser):
    """The attributes of everything drawn, without those that are read aloud."""

    SPOKEN = ("aria-", "title", "alt")

    def __init__(self, page: str) -> None:
        super().__init__()
        self.depth = 0
        self.drawn: list[tuple[str, str, str | None]] = []
        self.figures: list[tuple[str, str | None]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.depth += tag == "svg"
        told = [(name, value) for name, value in attrs if not name.startswith(self.SPOKEN)]
        if self.depth:
            self.drawn += [(tag, name, value) for name, value in told]
        self.figures += [(n, v) for n, v in told if re.fullmatch(r"-?\d+[.,]\d+", v or "")]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        self.depth -= tag == "svg"


@pytest.fixture
def ada() -> User:
    return make_user("ada")


@pytest.fixture
def bo() -> User:
    return make_user("bo")


@pytest.fixture
def running(ada: User, bo: User) -> Match:
    resigned(ada, bo)
    return go_on(make_match([ada, bo], begun(DEALT)), OPENED)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "place", ["match", "watch", "watch_best", "ladder", "player", "rating_chart", "home", "rules"]
)
def test_drawings_are_the_same_in_every_language(place: str, running: Match) -> None:
    about = {"match": [running.pk], "player": ["ada"], "rating_chart": ["ada"]}
    told = {}
    for code in LANGUAGES:
        client = Client(headers={"Accept-Language": code})
        response = client.get(reverse(place, args=about.get(place, [])))
        assert response.status_code == 200
        assert response.headers["Content-Language"] == code
        told[code] = Drawn(response.content.decode())
        assert not any("," in (value or "") for _, value in told[code].figures)
    assert all(each.drawn == told["en"].drawn for each in told.values())
    if place in ("match", "watch", "watch_best", "rating_chart"):
        assert len(told["en"].drawn) > 10


def test_a_bent_figure_is_noticed() -> None:
    assert Drawn('<svg viewBox="0 0 1,5 2"/>').drawn != Drawn('<svg viewBox="0 0 1.5 2"/>').drawn
    assert Drawn('<p data-at="1,5">').figures == [("data-at", "1,5")]


@pytest.mark.parametrize(
    ("code", "day", "moment"),
    [
        ("en", "Nov. 30, 2026", "Nov. 30, 2026, 14:05"),
        ("id", "30 Nov. 2026", "30 Nov. 2026, 14:05"),
        ("it", "30 nov 2026", "30 nov 2026, 14:05"),
        ("es", "30 nov 2026", "30 nov 2026, 14:05"),
    ],
)
def test_days_and_times_as_they_are_written(code: str, day: str, moment: str) -> None:
    at = datetime(2026, 11, 30, 14, 5, tzinfo=UTC)
    with translation.override(code):
        assert date_format(at) == day
        assert date_format(at, "DATETIME_FORMAT") == moment
        assert localize(1500) == "1500"  # a rating is a name more than an amount
        assert localize(1.5) == ("1.5" if code == "en" else "1,5")
