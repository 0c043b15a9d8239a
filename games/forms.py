"""The forms of the lobby and of staff."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _


class VoidForm(forms.Form):
    """Why staff end a match."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 4, "cols": 80, "class": "vLargeTextField"}),
        help_text=_("Kept with the match and shown to staff alone."),
    )


class NewMatchForm(forms.Form):
    """Rated or casual: all there is to choose for a match by link."""

    kind = forms.ChoiceField(
        label=_("Kind of match"),
        choices=[("rated", _("Rated")), ("casual", _("Casual"))],
        initial="casual",
        error_messages={"required": _("Choose a rated or a casual match.")},
    )

    @property
    def rated(self) -> bool:
        return bool(self.cleaned_data["kind"] == "rated")
