"""Why the lobby turns a request down: codes and parameters, no sentences."""

from __future__ import annotations


class Refused(Exception):
    """A request the lobby turns down; nothing has changed.

    ``code`` is one of :data:`CODES`, ``params`` what a sentence about it needs.
    """

    def __init__(self, code: str, **params: object) -> None:
        if code not in CODES:
            raise ValueError(f"{code!r} is not a code of the lobby")
        super().__init__(code, params)
        self.code = code
        self.params = params


#: Every code, with the parameters it carries. ``match`` is the id of the match to go to.
CODES: dict[str, tuple[str, ...]] = {
    # about the offer
    "own_challenge": (),  # you cannot accept your own
    "not_yours": (),  # only its creator withdraws a challenge
    "not_for_you": (),  # it is for somebody else, or you did not play that match
    "already_accepted": ("match",),  # somebody was faster
    "withdrawn": (),
    "declined": (),
    "expired": (),
    "out_of_window": ("least", "most"),  # your rating is not what the creator looks for
    # about you
    "suspended": ("until",),  # a datetime, or None for a suspension without an end
    "you_are_playing": ("match", "opponent"),  # one running match per player
    "too_many_open": ("max",),
    "already_offered": ("player",),  # your challenge to this player is still open
    # about the other player
    "blocked": (),  # one of the two wants no match with the other
    "creator_is_playing": ("match", "opponent"),
    "player_is_playing": ("player", "match", "opponent"),
    "player_suspended": ("player",),
    "no_such_player": ("name",),
    "self_challenge": (),
    # about the match before, and the site
    "not_finished": (),
    "restart_announced": (),  # no new match until the site has restarted
}
