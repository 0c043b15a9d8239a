#!/usr/bin/env python3
"""Django's command line for this project."""

import os
import sys


def main() -> None:
    """Run the command; a wrong setting is one line, not a traceback (``--traceback`` shows it)."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "spectacular.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        if "--traceback" in sys.argv:
            raise
        sys.exit(f"manage.py: {error}")


if __name__ == "__main__":
    main()
