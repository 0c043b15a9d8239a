"""What refusals about suspensions and blocks say to people."""

from __future__ import annotations

from django.utils.translation import gettext as _

from .services import MAX_BLOCKS, Refused


def sentence(refused: Refused) -> str:
    """The reason, as a sentence to the member of staff who asked for a suspension, or the
    player who asked for a block."""
    told = {
        "oneself": _("Nobody does that to themselves."),
        "staff": _("Only a superuser suspends a member of staff."),
        "past": _("That moment has passed."),
        "too_many_blocks": _("You block %(max)s players. Unblock one first.") % {"max": MAX_BLOCKS},
    }
    return told[refused.code]
