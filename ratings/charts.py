"""The history of a rating, drawn."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element

import pygal
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from pygal.style import Style

from .history import Point

WIDTH, HEIGHT = 480, 240
LOOK = 1  # goes up when the drawing changes, so that no browser keeps an old one
STEPS = (10, 20, 50, 100, 200, 500, 1000)  # between two lines across
LINES, DATES = 6, 3  # at most
DOTTED = 30  # as many points are few enough for a dot each

_NEEDLESS = {"script", "desc"}

_STYLE = Style(
    background="transparent",
    plot_background="transparent",
    foreground="var(--soft)",
    foreground_strong="var(--soft)",
    foreground_subtle="var(--line)",
    guide_stroke_color="var(--line)",
    major_guide_stroke_color="var(--line)",
    guide_stroke_dasharray="none",
    major_guide_stroke_dasharray="none",
    colors=("var(--me)",),
    font_family="system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif",
    label_font_size=15,
    major_label_font_size=15,
    stroke_opacity="1",
    transition="none",
)
# The colours of the site; an image knows no style but its own.
_COLOURS = (
    "inline::root { --me: #ae520e; --soft: #5f646c; --line: #ddd6c8; } "
    "@media (prefers-color-scheme: dark) "
    "{ :root { --me: #f0924a; --soft: #a2a8b0; --line: #343b42; } } "
    ".reactive { stroke-width: 2; stroke-linejoin: round; }"
)


def drawn(points: Sequence[Point], name: str) -> bytes:
    """A picture (SVG) of these points, with nothing in it that runs or leads elsewhere."""
    lines = _across(points)
    chart = pygal.XY(
        width=WIDTH,
        height=HEIGHT,
        explicit_size=True,
        css=["file://style.css", "file://graph.css", _COLOURS],
        js=(),
        style=_STYLE,
        show_legend=False,
        show_dots=len(points) <= DOTTED,
        dots_size=3,
        margin=8,
        margin_right=48,
        no_prefix=True,
        truncate_label=-1,
        x_labels=_along(points),
        y_labels=lines,
        range=(lines[0], lines[-1]),
        value_formatter=str,
    )
    chart.add(None, [(point.number, point.value) for point in points])
    title = _("Rating history of %(name)s") % {"name": name}
    chart.add_xml_filter(lambda root: _cleaned(root, title))
    picture: bytes = chart.render()
    return picture


def _across(points: Sequence[Point]) -> list[int]:
    """The ratings that get a line across: round ones, from below the lowest to above the
    highest."""
    low, high = min(p.value for p in points), max(p.value for p in points)
    step = next((s for s in STEPS if (high - low) / s <= LINES - 2), STEPS[-1])
    return list(range(low // step * step, -(-(high + 1) // step) * step + 1, step))


def _along(points: Sequence[Point]) -> list[dict[str, object]]:
    """The points whose day is told below, evenly spread; of one day's only the first."""
    dated = [point for point in points if point.at]
    spread = min(DATES, len(dated)) - 1
    chosen = [dated[(len(dated) - 1) * n // spread if spread else 0] for n in range(spread + 1)]
    labels: dict[str, object] = {}
    for point in chosen:
        assert point.at
        labels.setdefault(date_format(point.at, "DATE_FORMAT"), point.number)
    return [{"value": number, "label": day} for day, number in labels.items()]


def _cleaned(root: Element, title: str) -> Element:
    """Without the scripts, the remarks and whatever only scripts would need."""
    for parent in list(root.iter()):
        for child in list(parent):
            # What is no element, a comment say, has no text for a tag.
            if child.tag in _NEEDLESS or not isinstance(child.tag, str):
                parent.remove(child)
    for told in root.findall("title"):
        told.text = title
    return root
