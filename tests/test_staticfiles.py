"""Static files as they are served: what a module imports has the name of its content, too."""

from __future__ import annotations

import re
from pathlib import Path

from django.core.management import call_command
from pytest_django import Settings


def test_modules_import_each_other_by_the_names_of_their_content(
    settings: Settings, tmp_path: Path
) -> None:
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "spectacular.staticfiles.HashedStaticFilesStorage"},
    }
    call_command("collectstatic", interactive=False, verbosity=0)
    imported = [
        (script.parent / name).resolve()
        for script in (tmp_path / "games").rglob("*.*.js")
        for name in re.findall(
            r'^(?:import|\} from)[^"]*"([^"]+)"', script.read_text(), re.MULTILINE
        )
    ]
    assert len(imported) > 20
    assert [path for path in imported if not path.is_file()] == []
    assert [
        path.name for path in imported if not re.search(r"\.[0-9a-f]{12}\.js$", path.name)
    ] == []
