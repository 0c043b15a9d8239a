"""News of the lobby: that something on its board has changed, not what."""

from __future__ import annotations

from functools import partial

from django.db import transaction

from . import live

GROUP = "lobby"  # the group that hears of it
CHANGED = "lobby.changed"  # the type of its messages


def changed(*rematched: str) -> None:
    """Tell every process, once this transaction is committed, to read the board anew, and the
    pages of the matches ``rematched``, to look what became of playing once more.

    This process hears it at once, with or without Redis.
    """
    transaction.on_commit(_publish, robust=True)
    for match_id in rematched:
        transaction.on_commit(partial(live.look_again, match_id), robust=True)


def _publish() -> None:
    live.relay([(GROUP, {"type": CHANGED, "id": live.once()})])
