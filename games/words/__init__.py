"""Every sentence about a match: refusals, the log, what to do now, why it ended.

Whole sentences, so that they translate. The rules know codes and numbers only; the page's
names are the players', and "you" for the viewer's own seat.
"""

from .ends import block_sentence, end_sentence, minutes, void_sentence, went_out, winner_sentence
from .lesson import lesson, not_in_the_script
from .log import TOLD, laid_sentence, log_sentence
from .moments import Span, clock_time
from .outcomes import manner, outcome
from .payments import gain, payment, payment_of
from .people import People
from .refusals import refusal
from .spoken import auction_choice, balances, ends_told, why_paid
from .tiles import (
    arm_name,
    arms_list,
    count_sentence,
    end_terms,
    halves,
    number_word,
    pays_sentences,
    tile_label,
    tile_name,
)

__all__ = [
    "TOLD",
    "People",
    "Span",
    "arm_name",
    "arms_list",
    "auction_choice",
    "balances",
    "block_sentence",
    "clock_time",
    "count_sentence",
    "end_sentence",
    "end_terms",
    "ends_told",
    "gain",
    "halves",
    "laid_sentence",
    "lesson",
    "log_sentence",
    "manner",
    "minutes",
    "not_in_the_script",
    "number_word",
    "outcome",
    "payment",
    "payment_of",
    "pays_sentences",
    "refusal",
    "tile_label",
    "tile_name",
    "void_sentence",
    "went_out",
    "why_paid",
    "winner_sentence",
]
