"""The two players as a viewer sees them."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _


@dataclass(frozen=True, slots=True)
class People:
    """The two players as one viewer sees them: ``you`` is the viewer's seat, or None."""

    names: tuple[str, str]
    you: int | None = None

    def is_you(self, seat: int) -> bool:
        return seat == self.you

    def name(self, seat: int) -> str:
        return self.names[seat]

    def label(self, seat: int) -> str:
        """The name a table of the two shows: "You" for the viewer."""
        return _("You") if self.is_you(seat) else self.names[seat]
