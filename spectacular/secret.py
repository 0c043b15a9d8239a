"""The secret key of a site whose environment names none: made once, kept in the data folder."""

from __future__ import annotations

import os
import secrets
import tempfile
from pathlib import Path

NAME = "secret-key"


def kept_secret(folder: Path) -> str:
    """The key kept in ``folder``; the first caller makes it, others find the same one."""
    path = folder / NAME
    try:
        return path.read_text(encoding="ascii")
    except FileNotFoundError:
        folder.mkdir(parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=folder, prefix=f".{NAME}-")
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(64))
        # A link either appears whole or finds that another process was first.
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        os.unlink(draft)
    return path.read_text(encoding="ascii")
