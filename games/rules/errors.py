"""Why an event is illegal: a code and its parameters, never a sentence."""

from __future__ import annotations


class Illegal(Exception):
    """An event that the rules refuse; the state is what it was before (R9.3).

    ``code`` is one of :data:`CODES`; ``params`` are the values a sentence about
    it needs (tiles as text such as ``"6-5"``, points and milliseconds as ints).
    """

    def __init__(self, code: str, **params: object) -> None:
        if code not in CODES:
            raise ValueError(f"{code!r} is not a code of the rules")
        super().__init__(code, params)
        self.code = code
        self.params = params


#: Every code, with the parameters it carries.
CODES: dict[str, tuple[str, ...]] = {
    "malformed": ("problem", "key"),  # no JSON object, unknown `do`, missing or badly typed key
    "time_backwards": ("at", "last"),  # earlier than the last legal event
    "out_of_time": ("deadline",),  # the running clock has reached its deadline (R8.7)
    "not_due": ("deadline",),  # a timeout before the deadline, or of a clock that stands
    "match_over": (),  # nothing is legal after the end
    "wrong_phase": ("phase",),  # this answer is not asked for now
    "not_your_turn": ("to_act",),  # the other seat has to answer
    "already_ready": (),  # Start or Continue was pressed by this seat already
    "bad_deal": (),  # not each of the 28 tiles once, or not 7, 7 and 14
    "not_in_hand": ("tile",),  # the seat does not hold this tile
    "must_open_with": ("tile",),  # R3.1, R3.2
    "no_such_end": ("arm",),  # that arm is not open (yet)
    "does_not_fit": ("tile", "arm", "value"),  # R4.1
    "must_lay_drawn": ("tile",),  # R6.2: only the drawn tile may be laid
    "must_lay": (),  # a tile fits: no draw and no pass (R6.1)
    "must_draw": (),  # nothing fits and the boneyard has tiles: no pass (R6.4)
    "boneyard_empty": (),  # nothing left to draw
    "bid_not_multiple": ("points",),  # bids are multiples of five (R7.2)
    "bid_too_low": ("points", "min"),  # R7.1, R7.2
    "bid_too_high": ("points", "max"),  # R7.6; max is 0 where nothing can be bid
    "no_bid": (),  # nothing to accept (R7.1)
    "bid_stands": (),  # a standing bid is accepted or raised, not declined (R7.2)
    "bad_reason": ("reason",),  # a void must name one of its reasons
}
