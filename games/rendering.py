"""The renderings of the live protocol: JSON for programs, fragments for the match page, and
smaller ones for the home page, where the best match is shown."""

from __future__ import annotations

import json
from typing import Protocol

from django.template.loader import render_to_string
from django.utils import translation

from . import present
from .live import Page
from .present.small import small_context
from .rules.record import Json
from .rules.sight import Audience


class Rendering(Protocol):
    """Turns what the server says into the text of a frame, in the active language."""

    coerced: bool  # whether the values of a command arrive as text

    def view(self, page: Page) -> str: ...

    def refusal(self, refusal: Json) -> str: ...

    def pong(self, pong: Json) -> str: ...

    def presence(self, presence: Json, info: Json, viewer: Audience) -> str: ...

    def again(self) -> str: ...


class AsJson:
    """For tools, bots and load tests."""

    coerced = False

    def view(self, page: Page) -> str:
        return _compact(page.view)

    def refusal(self, refusal: Json) -> str:
        return _compact(refusal)

    def pong(self, pong: Json) -> str:
        return _compact(pong)

    def presence(self, presence: Json, info: Json, viewer: Audience) -> str:
        return _compact(presence)

    def again(self) -> str:
        return ""  # the protocol ends with the match


class AsFragments:
    """For the match page: the same files that the page itself includes."""

    coerced = True

    def view(self, page: Page) -> str:
        context = present.page_context(page.info, page.view, page.log, full=page.whole)
        return render_to_string("games/_live.html", context)

    def refusal(self, refusal: Json) -> str:
        return render_to_string("games/_refused.html", {"refused": refusal})

    def pong(self, pong: Json) -> str:
        return render_to_string("games/_pong.html", {"pong": pong})

    def presence(self, presence: Json, info: Json, viewer: Audience) -> str:
        context = {"presence": presence, "info": info, "you": viewer}
        return render_to_string("games/_presence.html", context)

    def again(self) -> str:
        return render_to_string("games/_again.html")


class AsSmall:
    """For the home page: a spectator's view of one match, without its story."""

    coerced = True

    def view(self, page: Page) -> str:
        context = small_context(page.info, page.view, page.log, full=page.whole)
        return render_to_string("watch/_small.html", context)

    def refusal(self, refusal: Json) -> str:
        return render_to_string("watch/_refused.html", {"refused": refusal})

    def pong(self, pong: Json) -> str:
        return render_to_string("watch/_pong.html", {"pong": pong})

    def presence(self, presence: Json, info: Json, viewer: Audience) -> str:
        return render_to_string("watch/_presence.html", {"presence": presence})

    def again(self) -> str:
        return ""  # the next match is fetched instead


AS_JSON, AS_FRAGMENTS, AS_SMALL = AsJson(), AsFragments(), AsSmall()


def render_view(rendering: Rendering, language: str, page: Page) -> str:
    """A view in one language; the one place where the hub and a new socket get it from."""
    with translation.override(language):
        return rendering.view(page)


def _compact(message: Json) -> str:
    return json.dumps(message, separators=(",", ":"))
