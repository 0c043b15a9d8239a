"""The form in which preferences are chosen, whole or one by one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from . import preferences
from .preferences import FIELDS, Preferences

#: Those that are on or off, with their labels and what they do, in the order of the form.
SWITCHES = {
    "sound": (
        gettext_lazy("Sounds: your turn, a score, low time"),
        gettext_lazy("Off until you want them."),
    ),
    "draw_for_me": (
        gettext_lazy("Draw for me when no tile fits"),
        gettext_lazy("When drawing is all you can do, it is done for you, tile by tile."),
    ),
    "confirm": (
        gettext_lazy("Ask before a move is sent"),
        gettext_lazy("One more press for every tile; your clock goes on meanwhile."),
    ),
    "show_pays": (
        gettext_lazy("Show what an end would pay"),
        gettext_lazy("Stands at every end that the tile you hold up could go to."),
    ),
    "keys": (
        gettext_lazy("Keyboard shortcuts on the match page"),
        gettext_lazy("Switch them off where single letters get in the way of other tools."),
    ),
}


class PreferencesForm(forms.Form):
    """Every field of ``Preferences`` by its own name.

    A request changes the fields that it names in ``only``, else those that the page shows:
    a box that is not ticked is not sent, and still means no.
    """

    theme = forms.ChoiceField(
        label=gettext_lazy("Theme"),
        help_text=gettext_lazy("System is as your device is set."),
        choices=[
            ("system", pgettext_lazy("theme", "System")),
            ("light", pgettext_lazy("theme", "Light")),
            ("dark", pgettext_lazy("theme", "Dark")),
        ],
        widget=forms.RadioSelect,
    )
    sound = forms.BooleanField(required=False)
    draw_for_me = forms.BooleanField(required=False)
    confirm = forms.BooleanField(required=False)
    show_pays = forms.BooleanField(required=False)
    keys = forms.BooleanField(required=False)
    keymap = forms.CharField(label=gettext_lazy("Changed keys"), required=False, strip=False)
    language = forms.ChoiceField(label=gettext_lazy("Language"), required=False)

    def __init__(self, now: Preferences, data: QueryDict | None = None) -> None:
        super().__init__(data, initial={**now.as_dict(), "keymap": now.keymap_json})
        for name, (label, told) in SWITCHES.items():
            self.fields[name].label, self.fields[name].help_text = label, told
        language = self.fields["language"]
        assert isinstance(language, forms.ChoiceField)
        language.choices = [("", _("As the browser asks for")), *settings.LANGUAGES]
        self.changed = FIELDS if data is None else self._changed(data)
        for name in set(self.fields) - set(self.changed):
            self.fields[name].required = False

    @staticmethod
    def _changed(data: QueryDict) -> tuple[str, ...]:
        """The fields that a request is about."""
        only = data.getlist("only")
        if only:
            return tuple(dict.fromkeys(only))
        sent = (name for name in ("keymap", "language") if name in data)
        return ("theme", *SWITCHES, *sent)

    def clean(self) -> dict[str, Any]:
        for name in self.changed:
            if name not in FIELDS:
                raise forms.ValidationError(_("There is no such preference."))
        return super().clean() or {}

    def clean_keymap(self) -> dict[str, str]:
        text = self.cleaned_data["keymap"] or "{}"
        if len(text) > 8 * preferences.KEYMAP_BYTES:
            raise forms.ValidationError(_("That is more than can be kept."))
        try:
            return preferences.keymap_of(json.loads(text))
        except preferences.Invalid as invalid:
            raise forms.ValidationError(_sentence(invalid)) from None
        except (ValueError, RecursionError):
            raise forms.ValidationError(_sentence(preferences.Invalid("no_keymap"))) from None

    @property
    def switches(self) -> list[forms.BoundField]:
        """The fields that are on or off."""
        return [self[name] for name in SWITCHES]

    @property
    def changes(self) -> Mapping[str, Any]:
        """The values to keep, of a form that is valid."""
        return {name: self.cleaned_data[name] for name in self.changed}


def _sentence(invalid: preferences.Invalid) -> str:
    """Why a table of keys cannot be kept."""
    words = {
        "no_choice": _("Choose one of the values there are."),
        "no_keymap": _("The keys cannot be read."),
        "unknown_action": _("No key can do “%(action)s”."),
        "no_key": _("A key is one character that can be seen: “%(action)s” has none."),
        "same_key": _("Two actions have the same key; “%(action)s” is one of them."),
        "too_large": _("That is more than can be kept."),
    }
    return words[invalid.code] % {"action": invalid.about}
