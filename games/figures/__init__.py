"""The pictures and tables of the rules page: positions as data, everything else by the rules."""

from .shown import Figure, context, figure

__all__ = ["Figure", "context", "figure"]
