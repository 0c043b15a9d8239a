"""How the tiles of a round lie on the table, for a frame of a given size.

Pure and deterministic: the order of play and the frame decide everything.
"""

from .camera import FRAMES, Frame
from .layout import Layout, Placed, Target, forget, lay_out

__all__ = ["FRAMES", "Frame", "Layout", "Placed", "Target", "forget", "lay_out"]
