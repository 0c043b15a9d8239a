"""The forms of the lobby."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from accounts.names import MAX_LENGTH, refuse_reserved

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

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


def refuse_unprintable(name: str) -> None:
    """Raise ``ValidationError`` for a name with signs that nobody sees, or that move others."""
    if not name.isprintable():
        raise ValidationError(_("A name consists of letters and signs that can be seen."))


class NameField(forms.CharField):
    """The name of somebody who needs no account: of any script, spaces included."""

    def __init__(self, label: StrOrPromise, missing: StrOrPromise) -> None:
        super().__init__(
            label=label,
            max_length=MAX_LENGTH,
            validators=[refuse_unprintable, refuse_reserved],
            error_messages={"required": missing},
            widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        )

    def to_python(self, value: object) -> str:
        """One way of writing each letter, and one space between two words."""
        text = unicodedata.normalize("NFC", super().to_python(value) or "")
        return " ".join(text.split()) if text.isprintable() else text


class TwoNamesForm(forms.Form):
    """The two who play on one device."""

    one = NameField(_("First player"), _("Say what the first player is called."))
    two = NameField(_("Second player"), _("Say what the second player is called."))

    @property
    def names(self) -> tuple[str, str]:
        return self.cleaned_data["one"], self.cleaned_data["two"]

    def clean_two(self) -> str:
        two: str = self.cleaned_data["two"]
        if two.casefold() == self.cleaned_data.get("one", "").casefold():
            raise ValidationError(_("The two need different names, to tell them apart."))
        return two
