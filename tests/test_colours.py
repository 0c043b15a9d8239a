"""The colours by name, by day and by night: text has 4.5:1 on its ground, graphics have 3:1.

What is drawn as SVG is seen by no other check.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings

SHEETS = ("spectacular/static/site/site.css", "games/static/games/table.css")
THEMES = ("light", "dark")

Colour = tuple[float, float, float]

TEXT = [
    *((ink, ground) for ink in ("ink", "soft") for ground in ("bg", "panel")),
    *((ink, "panel") for ink in ("me", "opp", "good", "bad")),
    *(("opp", ground) for ground in ("bg", "panel")),  # links
    *(("on", ground) for ground in ("me", "opp", "good", "bad")),  # clocks, buttons, payments
    ("#fff", "chip"),  # what an end counts, the count, the boneyard
    ("pip", "ivory"),
]
GRAPHICS = [
    *((mark, ground) for mark in ("edge", "focus") for ground in ("bg", "panel")),
    *((counter, "panel") for counter in ("me", "opp")),
    *((mark, felt) for mark in ("ivory", "#fff") for felt in ("felt", "felt2")),
    ("#ffe08a", "felt"),  # the tile laid last, the target that is near
    ("#ffe08a", "chip"),  # a count that pays
    ("back-mark", "back"),
]


def parsed(value: str) -> Colour:
    """The red, green and blue of a colour such as ``#fff``, from 0 to 1."""
    digits = value.strip().removeprefix("#")
    if len(digits) == 3:
        digits = "".join(2 * digit for digit in digits)
    assert len(digits) == 6, value
    red, green, blue = (int(digits[n : n + 2], 16) / 255 for n in (0, 2, 4))
    return red, green, blue


def palette(theme: str) -> dict[str, Colour]:
    """The colours of the custom properties of a theme, by name."""
    found = {}
    for sheet in SHEETS:
        text = (Path(settings.BASE_DIR) / sheet).read_text()
        for name, value in re.findall(r"--([\w-]+):\s*(#\w+|light-dark\([^)]*\));", text):
            both = value.removeprefix("light-dark(").removesuffix(")").split(",")
            found[name] = parsed(both[THEMES.index(theme) if len(both) == 2 else 0])
    return found


def luminance(colour: Colour) -> float:
    """The relative luminance, as WCAG 2 has it."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Colour, other: Colour) -> float:
    """The contrast ratio, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def mixed(colour: Colour, share: float, ground: Colour) -> Colour:
    """``colour`` at this opacity on ``ground``."""
    red, green, blue = (
        share * part + (1 - share) * below for part, below in zip(colour, ground, strict=True)
    )
    return red, green, blue


def test_contrast_is_what_wcag_says() -> None:
    assert contrast(parsed("#fff"), parsed("#000000")) == pytest.approx(21)
    assert contrast(parsed("#777"), parsed("#fff")) == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("theme", THEMES)
def test_colours_can_be_told_apart(theme: str) -> None:
    colours = palette(theme)

    def colour(name: str) -> Colour:
        return parsed(name) if name.startswith("#") else colours[name]

    found = {
        f"{one} on {other}": round(contrast(colour(one), colour(other)), 2)
        for pairs, least in ((TEXT, 4.5), (GRAPHICS, 3.0))
        for one, other in pairs
        if contrast(colour(one), colour(other)) < least
    }
    assert found == {}


@pytest.mark.parametrize("theme", THEMES)
def test_the_count_can_be_read_through_to_the_felt(theme: str) -> None:
    """The count lies on the felt, or on a tile that is under it."""
    colours = palette(theme)
    for below in ("felt", "felt2", "ivory"):
        ground = mixed(colours["chip"], 0.86, colours[below])
        assert contrast(parsed("#fff"), ground) >= 4.5, below
