"""Texts of Django and allauth that this site shows and has in its own catalogs, which are asked
first: those that they have not in each of its languages, and those whose translation there
addresses people as this site does not.

What is missing is found by ``tests/test_languages.py``.
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

ADDRESS = (
    gettext_noop("Enter a valid email address."),
    ngettext_lazy(
        "Ensure this value has at least %(limit_value)d character (it has %(show_value)d).",
        "Ensure this value has at least %(limit_value)d characters (it has %(show_value)d).",
    ),
    ngettext_lazy(
        "Ensure this value has at most %(limit_value)d character (it has %(show_value)d).",
        "Ensure this value has at most %(limit_value)d characters (it has %(show_value)d).",
    ),
    gettext_noop("Select a valid choice. %(value)s is not one of the available choices."),
    gettext_noop("Forgot your password?"),
    gettext_noop("The username and/or password you specified are not correct."),
    gettext_noop("The email address and/or password you specified are not correct."),
    gettext_noop("Too many failed login attempts. Try again later."),
    gettext_noop("Please type your current password."),
    gettext_noop("You must type the same password each time."),
    gettext_noop("You have confirmed %(email)s."),
    gettext_noop("Hello from %(site_name)s!"),
    gettext_noop("Thank you for using %(site_name)s!\n%(site_domain)s"),
    gettext_noop(
        "You're receiving this email because user %(user_display)s has given your email address "
        "to register an account on %(site_domain)s."
    ),
    gettext_noop("Password Reset Email"),
    gettext_noop("Please Confirm Your Email Address"),
    gettext_noop("To confirm this is correct, go to %(activate_url)s"),
    gettext_noop("In case you forgot, your username is %(username)s."),
    gettext_noop(
        "You're receiving this email because you or someone else has requested a password reset "
        "for your user account.\nIt can be safely ignored if you did not request a password "
        "reset. Click the link below to reset your password."
    ),
    gettext_noop(
        "You are receiving this email because you or someone else tried to signup for an\n"
        "account using email address:\n\n%(email)s\n\nHowever, an account using that email "
        "address already exists.  In case you have\nforgotten about this, please use the password "
        "forgotten procedure to recover\nyour account:\n\n%(password_reset_url)s"
    ),
)
