"""What the match page shows: pure functions from a view and its log to a template's context.

Nothing is added to what the view holds, so that whoever may not see a tile cannot find it here.
"""

from .page import page_context
from .replay import nearest_stop, replay_context

__all__ = ["nearest_stop", "page_context", "replay_context"]
