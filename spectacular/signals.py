"""What a web process tells the apps about itself. Receivers may be coroutines and are awaited."""

from django.dispatch import Signal

front_ready = Signal()
"""It serves from now on; receivers run on its event loop."""

front_stopping = Signal()
"""It was asked to stop; its sockets are still open."""

front_stopped = Signal()
"""It has finished what it accepted, or was given the time to, and goes now."""
