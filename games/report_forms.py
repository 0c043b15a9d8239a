"""What is asked of a player who reports something."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from .models import Match, Report


class ReportForm(forms.Form):
    """What it is about, and what happened."""

    about = forms.ChoiceField(
        label=_("What is it about?"),
        choices=[("", _("Choose…")), *Report.About.choices],
        error_messages={"required": _("Choose what it is about.")},
    )
    text = forms.CharField(
        label=_("What happened?"),
        max_length=2000,
        widget=forms.Textarea({"rows": 6}),
        help_text=_("Only staff read this. Up to 2,000 characters."),
        error_messages={"required": _("Tell in a sentence or two what happened.")},
    )


class MatchReportForm(ReportForm):
    """A report of a match may name one of its players."""

    player = forms.ChoiceField(
        label=_("Whom is it about?"),
        required=False,
        help_text=_("Leave it open where it is about the match itself."),
    )
    field_order = ("player", "about", "text")

    def __init__(self, data: Any, match: Match, reporter_id: int) -> None:
        super().__init__(data)
        seats = match.seats.exclude(user=None).exclude(user=reporter_id).order_by("seat")
        choices = [(str(seat.user_id), seat.name) for seat in seats]
        self.fields["player"].choices = [("", _("The match itself")), *choices]  # type: ignore[attr-defined]

    @property
    def player_id(self) -> int | None:
        """Whom the report names, if anybody."""
        chosen = self.cleaned_data["player"]
        return int(chosen) if chosen else None
