"""What staff see and do about players, and the marks that staff leave."""

from . import conduct, house, players

__all__ = ["conduct", "house", "players"]
