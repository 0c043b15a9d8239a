"""The forms of the lobby."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _


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
