"""How a match starts: by link, by a seek in the lobby, by a challenge to one player, by *play
now*, as a rematch, on one device for two, or as a guided round.

Every function raises :class:`Refused` where it cannot do what it is asked for, and nothing has
changed then. ``now`` is the Unix time in milliseconds. Races end in exactly one match or a
refusal: ``starting`` says how, and nothing else starts one.
"""

from games.timekeeping import moment

from .board import Board, Offer, Shown, board, obstacle
from .expiry import close_between, close_offers, expire
from .facts import Facts, Player, RunningMatch, facts, running_match_of
from .offers import (
    AWAY_AFTER,
    DIRECT_FOR,
    LINK_FOR,
    MAX_OPEN,
    accept,
    challenge,
    create,
    decline,
    keep_alive,
    open_challenges_of,
    seek,
    withdraw,
)
from .quick import pair, play_now
from .refusals import CODES, Refused
from .rematches import (
    GRACE,
    REMATCH_FOR,
    Rematch,
    keep_rematch,
    let_rematch_go,
    rematch,
    rematch_of,
)
from .shared import keep_for, shared_matches_of, start_guided, start_shared

__all__ = [
    "AWAY_AFTER",
    "CODES",
    "DIRECT_FOR",
    "GRACE",
    "LINK_FOR",
    "MAX_OPEN",
    "REMATCH_FOR",
    "Board",
    "Facts",
    "Offer",
    "Player",
    "Refused",
    "Rematch",
    "RunningMatch",
    "Shown",
    "accept",
    "board",
    "challenge",
    "close_between",
    "close_offers",
    "create",
    "decline",
    "expire",
    "facts",
    "keep_alive",
    "keep_for",
    "keep_rematch",
    "let_rematch_go",
    "moment",
    "obstacle",
    "open_challenges_of",
    "pair",
    "play_now",
    "rematch",
    "rematch_of",
    "running_match_of",
    "seek",
    "shared_matches_of",
    "start_guided",
    "start_shared",
    "withdraw",
]
