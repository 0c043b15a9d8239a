"""The forms of the lobby."""

from __future__ import annotations

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

KINDS = [("rated", _("Rated")), ("casual", _("Casual"))]
WINDOWS = [100, 200, 400]  # points around one's own rating


class KindForm(forms.Form):
    """Rated or casual: what every way to a match asks."""

    kind = forms.ChoiceField(
        label=_("Kind of match"),
        choices=KINDS,
        error_messages={
            "required": _("Choose a rated or a casual match."),
            "invalid_choice": _("Choose a rated or a casual match."),
        },
    )

    @property
    def rated(self) -> bool:
        return bool(self.cleaned_data["kind"] == "rated")


class NewMatchForm(KindForm):
    """All there is to choose for a match by link."""

    kind = forms.ChoiceField(
        label=_("Kind of match"),
        choices=KINDS,
        initial="casual",
        error_messages={"required": _("Choose a rated or a casual match.")},
    )


class SeekForm(KindForm):
    """A seek in the lobby: the kind, and how far away a rating may be."""

    window = forms.TypedChoiceField(
        label=_("Opponents"),
        choices=[
            ("", _("Any rating")),
            *((n, format_lazy(_("Within {points} points"), points=n)) for n in WINDOWS),
        ],
        required=False,
        coerce=int,
        empty_value=None,
        error_messages={"invalid_choice": _("Choose one of the rating windows.")},
    )


class ChallengeForm(KindForm):
    """A challenge to one player."""

    name = forms.CharField(
        label=_("Name of the player"),
        max_length=150,
        error_messages={"required": _("Say whom you challenge.")},
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )

    field_order = ("name", "kind")
