"""Passwords of tests guard nothing, so they are hashed in no time."""

from django.contrib.auth.hashers import PBKDF2PasswordHasher


class Quick(PBKDF2PasswordHasher):
    """The site's own format, which a site started by a test can therefore check."""

    iterations = 1
