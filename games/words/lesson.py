"""What the reader of the guided round is told before each of their answers."""

from __future__ import annotations

from django.utils.translation import gettext as _


def lesson(hint: str) -> str:
    """The sentences of a hint; see :data:`games.guide.SCRIPT` for their names."""
    told = {
        "start": _(
            "Nina plays a round with you; it takes two minutes. A card says what to do next, the "
            "clocks stand still, and nothing counts for the ladder. Press Start."
        ),
        "open": _(
            "You hold the highest double, so you must open, and with it. Pick up double five and "
            "lay it: its halves make 10, a multiple of five, and Nina pays you 10."
        ),
        "join": _(
            "Nina’s tile ends in a two, and the other side of double five is free. Lay five-blank "
            "left: it is the only tile of yours that fits."
        ),
        "paid": _(
            "The ends made 3 and 2, which is 5: you paid Nina 5. Now lay four-three left. 4 and 2 "
            "make 6 and pay nothing; not every turn does."
        ),
        "draw": _(
            "Both ends ask for a two, the sides of double five for a five, and you hold neither. "
            "Then you draw, one tile after another, until one fits. Press Draw."
        ),
        "side": _(
            "Five-one fits. Both ends of double five are taken, so its two sides are open now. Lay "
            "it down: 2, 2 and 1 make 5."
        ),
        "double": _(
            "Nina’s double one lies across and counts both halves. Cover it with six-one: 2, 2 "
            "and 6 make 10."
        ),
        "four": _(
            "Nina has opened the other side: four ends count now. Lay six-four up. 2, 2, 6 and 4 "
            "make 14 and pay nothing."
        ),
        "blank": _(
            "Another double across. Cover it with four-blank: a blank counts nothing, and 2, 2 "
            "and 6 make 10."
        ),
        "last": _(
            "Nina had to draw too. One-blank is your last tile: lay it up. 2, 1, 6 and 1 make 10, "
            "and you go out, which ends the round."
        ),
        "jockey": _(
            "You went out, so you are the jockey: an auction decides who opens the next round, "
            "and Nina may bid first. Press Continue."
        ),
        "raise": _(
            "Nina bids 15 points for the right to open. You may accept them, or bid more; and the "
            "jockey pays 15 less than the bid. Bid 20: it costs you 5."
        ),
        "bought": _(
            "Nina accepts and gets your 5 points. Whoever has bought the opening lays any tile: "
            "take six-four, and 10 points come back at once."
        ),
        "wait": _("Nina is to move."),
        "end": _(
            "That was all of it: you have scored, drawn, gone out and bid. Nina gives this match "
            "up. Now play somebody!"
        ),
        "left": _("This round is over. You can begin it again whenever you like."),
    }
    return told[hint]


def not_in_the_script() -> str:
    """The refusal of an answer that the rules would allow."""
    return _("The rules allow that. In this round do what the card says.")
