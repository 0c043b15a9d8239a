"""Texts of Django's own that this site shows and Django has not in each of its languages.

Standing here they are in the catalogs of the site, which are asked first. What is missing is
found by ``tests/test_languages.py``.
"""

from __future__ import annotations

from django.utils.translation import gettext_noop, ngettext_lazy

PASSWORDS = (
    ngettext_lazy(
        "This password is too short. It must contain at least %d character.",
        "This password is too short. It must contain at least %d characters.",
    ),
    gettext_noop("Raw passwords are not stored, so there is no way to see the user’s password."),
    gettext_noop("Password-based authentication"),
    gettext_noop("Enabled"),
    gettext_noop("Disabled"),
    gettext_noop(
        "Whether the user will be able to authenticate using a password or not. If disabled, "
        "they may still be able to authenticate using other backends, such as Single Sign-On or "
        "LDAP."
    ),
    gettext_noop("Set password"),
    gettext_noop("Reset password"),
    gettext_noop("Set password: %s"),
    gettext_noop("Conflicting form data submitted. Please try again."),
    gettext_noop("Password-based authentication was disabled."),
    gettext_noop("Enable password-based authentication"),
    gettext_noop("Disable password-based authentication"),
    gettext_noop("Enable password-based authentication for this user by setting a password."),
    gettext_noop(
        "This action will <strong>enable</strong> password-based authentication for this user."
    ),
    gettext_noop("After you’ve created a user, you’ll be able to edit more user options."),
)

ADMIN = (
    gettext_noop("Error:"),
    gettext_noop("Enter a valid %(protocol)s address."),
    gettext_noop("In case you’ve forgotten, you are:"),
    gettext_noop("Forgotten your login credentials?"),
    gettext_noop("Model name"),
    gettext_noop("Add link"),
    gettext_noop("Change or view list link"),
    gettext_noop("%(model)s instance with %(field)s %(value)r is not a valid choice."),
)
