#!/usr/bin/env python3
"""Django's command line for this project."""

import os
import sys


def main() -> None:
    """Run the command; a wrong setting is one line, not a traceback (``--traceback`` shows it)."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "spectacular.settings")
    try:
        from django.core.exceptions import ImproperlyConfigured
        from django.core.management import execute_from_command_line
    except KeyboardInterrupt:
        sys.exit(130)
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        if "--traceback" in sys.argv:
            raise
        sys.exit(f"manage.py: {error}")
    except KeyboardInterrupt:
        sys.stderr.write("manage.py: stopped\n")
        sys.exit(130)


if __name__ == "__main__":
    main()
