"""The environment, read strictly: a value that makes no sense is refused by name."""

from __future__ import annotations

from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured

TRUE = frozenset({"1", "true", "yes", "on"})
FALSE = frozenset({"0", "false", "no", "off", ""})


class StrictEnv(environ.Env):  # type: ignore[misc]
    """``environ.Env``, less its guesses."""

    def get_value(self, var: str, cast: Any = None, *args: Any, **kwargs: Any) -> Any:
        """Read ``var``; raise ``ImproperlyConfigured`` if it is set to nothing of its kind."""
        if cast is bool and var in self.ENVIRON:
            return self._truth(var)
        try:
            return super().get_value(var, cast, *args, **kwargs)
        except ValueError as error:
            raise ImproperlyConfigured(f"{var} is set to what it cannot be: {error}") from error

    def _truth(self, var: str) -> bool:
        value = str(self.ENVIRON[var]).strip().lower()
        if value not in TRUE | FALSE:
            raise ImproperlyConfigured(f"{var} is set to {value!r}, and must be on or off")
        return value in TRUE
