"""Tiles, ends and counts in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext


def number_word(value: int) -> str:
    """The number of pips of a half, in a word."""
    words = (
        pgettext("pips", "blank"),
        pgettext("pips", "one"),
        pgettext("pips", "two"),
        pgettext("pips", "three"),
        pgettext("pips", "four"),
        pgettext("pips", "five"),
        pgettext("pips", "six"),
    )
    return words[value]


def halves(tile: str) -> tuple[int, int]:
    """The two halves of a tile written as in the record, such as ``"6-5"``."""
    high, low = tile.split("-")
    return int(high), int(low)


def tile_name(tile: str) -> str:
    """A tile in words: "six-five", "double five", "five-blank"."""
    high, low = halves(tile)
    if high == low:
        return _("double %(value)s") % {"value": number_word(high)}
    return pgettext("a tile", "%(high)s-%(low)s") % {
        "high": number_word(high),
        "low": number_word(low),
    }


def sentence_case(text: str) -> str:
    """The text with a capital first letter, the rest as it is."""
    return text[:1].upper() + text[1:]


def arm_name(arm: str) -> str:
    """The name of an end, as on a button."""
    names = {
        "open": pgettext("end of the table", "Middle"),
        "left": pgettext("end of the table", "Left"),
        "right": pgettext("end of the table", "Right"),
        "up": pgettext("end of the table", "Up"),
        "down": pgettext("end of the table", "Down"),
    }
    return names[arm]


def arms_list(arms: Sequence[str]) -> str:
    """Names of ends inside a sentence: "left, right"."""
    names = {
        "open": pgettext("end, in a sentence", "middle"),
        "left": pgettext("end, in a sentence", "left"),
        "right": pgettext("end, in a sentence", "right"),
        "up": pgettext("end, in a sentence", "up"),
        "down": pgettext("end, in a sentence", "down"),
    }
    return ", ".join(names[arm] for arm in arms)


def tile_label(
    tile: str, arms: Sequence[str], *, asked: bool, place: tuple[int, int] | None = None
) -> str:
    """What a tile of the hand says of itself; ``asked`` while a tile is to be laid.

    ``place`` is which tile of how many it is.
    """
    name = sentence_case(tile_name(tile))
    if place:
        name = _("%(tile)s, tile %(number)s of %(all)s") % {
            "tile": name,
            "number": place[0],
            "all": place[1],
        }
    if not asked:
        return _("%(tile)s.") % {"tile": name}
    if not arms:
        return _("%(tile)s. Cannot be laid now.") % {"tile": name}
    if tuple(arms) == ("open",):
        return _("%(tile)s. You may open with it.") % {"tile": name}
    return _("%(tile)s. Fits %(arms)s.") % {"tile": name, "arms": arms_list(arms)}


def pays_sentences(paid: Sequence[tuple[str, int]]) -> str:
    """What a tile would pay at each of these ends, in points: "Left pays 15. Up pays 5." Ends that
    pay nothing are not told."""
    sentences = {
        "open": _("Opening with it pays %(points)s."),
        "left": _("Left pays %(points)s."),
        "right": _("Right pays %(points)s."),
        "up": _("Up pays %(points)s."),
        "down": _("Down pays %(points)s."),
    }
    return " ".join(sentences[arm] % {"points": points} for arm, points in paid if points)


def end_terms(ends: Mapping[str, Mapping[str, int]]) -> list[tuple[int, str]]:
    """Each open end that counts, or is blank: what it counts, and that in words.

    A side arm nobody has used counts nothing and is left out.
    """
    terms: list[tuple[int, str]] = []
    for arm in ("left", "right", "up", "down"):
        end = ends.get(arm)
        if end is None or (end["count"] == 0 and (end["value"] or arm in ("up", "down"))):
            continue
        terms.append((end["count"], end_term(end)))
    return terms


def end_term(end: Mapping[str, int]) -> str:
    """What an end counts, in words: "4", or "double 6" where both halves count."""
    value, count = end["value"], end["count"]
    if value > 0 and count == 2 * value:
        return _("double %(value)s") % {"value": value}
    return str(count)


def count_sentence(ends: Mapping[str, Mapping[str, int]], count: int) -> str:
    """The count term by term: "Ends 4, 2, double 6: 18." """
    terms = [words for _count, words in end_terms(ends)]
    if not terms:
        return _("No end counts: 0.")
    return ngettext("End %(terms)s: %(count)s.", "Ends %(terms)s: %(count)s.", len(terms)) % {
        "terms": ", ".join(terms),
        "count": count,
    }
