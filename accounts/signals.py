"""What the rest of the site may want to hear about players.

Both are sent inside the transaction that stores it: whoever tells others waits for its commit.
"""

from __future__ import annotations

from django.dispatch import Signal

#: A player may start no match from now on; ``user_id``.
suspended = Signal()

#: A player wants no match with another; ``user_id``, ``blocked_id``.
blocked = Signal()
