"""Imports point one way: from the edges of the site down to the rules."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# Each layer may import itself and those below it.
LAYERS = (
    {"games.rules"},
    {
        "games.outage",
        "games.browsers",
        "games.timekeeping",
        "games.board",
        "games.models",
        "games.words",
        "games.metrics",
        "games.tallies",
    },
    {
        "games.play",
        "games.guide",
        "games.pairing",
        "games.present",
        "games.presence",
        "games.figures",
        "games.arrival",
        "games.forms",
    },
    {"games.live", "games.lobby_news", "games.windows", "games.restarts", "games.sweeps"},
    {"games.rendering"},
    {"games.members"},
    {"games.hub"},
    {"games.account_consumer"},
    {"games.endings", "games.results"},
    {"games.store"},
    {"games.reports", "games.report_forms"},
    {
        "games.lobby",
        "games.lobby_words",
        "games.checks",
        "games.status",
        "games.profiles",
        "games.watch",
    },
    {"games.lobby_regions", "games.after"},
    {"games.lobby_hub"},
    {
        "games.starts",
        "games.consumers",
        "games.lobby_consumer",
        "games.lobby_views",
        "games.after_views",
        "games.views",
        "games.two_views",
        "games.learn_views",
        "games.status_view",
        "games.watch_views",
        "games.profile_views",
        "games.report_views",
        "games.rules_views",
        "games.health",
        "games.tasks",
        "games.admin",
        "games.templatetags",
    },
    {"games.front"},
    {"games.signals"},
    {"games.apps", "games.routing", "games.urls", "games.management"},
)
RANK = {module: rank for rank, layer in enumerate(LAYERS) for module in layer}
SOURCES = sorted(path for path in ROOT.glob("games/**/*.py") if "migrations" not in path.parts)


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(path: Path) -> Iterator[str]:
    """Every module that a file imports, relative ones resolved."""
    package = path.relative_to(ROOT).parent.parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            stem = ".".join((*base, *([node.module] if node.module else [])))
            yield from (f"{stem}.{alias.name}" for alias in node.names)


def place(module: str) -> str:
    """The part of ``games`` a module belongs to."""
    return ".".join(module.split(".")[:2])


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_down(path: Path) -> None:
    own = place(module_of(path))
    if own == "games":
        return
    wrong = [
        name
        for name in imports_of(path)
        if name.startswith("games.") and RANK[place(name)] > RANK[own]
    ]
    assert wrong == []


RULES = sorted(ROOT.glob("games/rules/*.py"))


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.name)
def test_the_rules_need_nothing_but_the_standard_library(path: Path) -> None:
    allowed = sys.stdlib_module_names - {"random", "secrets", "time", "datetime"}
    tops = {name.split(".")[0] for name in imports_of(path) if not name.startswith("games.rules")}
    assert tops <= allowed


RATINGS = (
    {"ratings.elo", "ratings.models"},
    {"ratings.services", "ratings.check"},
    {"ratings.ladder", "ratings.history", "ratings.charts"},
    {"ratings.views", "ratings.templatetags", "ratings.admin"},
    {"ratings.urls", "ratings.apps"},
)
RATINGS_RANK = {module: rank for rank, layer in enumerate(RATINGS) for module in layer}


@pytest.mark.parametrize(
    "path",
    [path for path in sorted(ROOT.glob("ratings/**/*.py")) if "migrations" not in path.parts],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_ratings_point_down(path: Path) -> None:
    own = place(module_of(path))
    if own == "ratings":
        return
    names = [place(name) for name in imports_of(path) if name.startswith("ratings.")]
    assert not [name for name in names if RATINGS_RANK[name] > RATINGS_RANK[own]]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_ratings_are_known_where_matches_begin_and_end_and_above(path: Path) -> None:
    own = place(module_of(path))
    if own != "games" and RANK[own] < RANK["games.endings"]:
        assert not [name for name in imports_of(path) if name.split(".")[0] == "ratings"]


@pytest.mark.parametrize("app", ["ratings", "accounts"])
def test_players_and_ratings_do_not_know_the_game(app: str) -> None:
    names = [name for path in ROOT.glob(f"{app}/**/*.py") for name in imports_of(path)]
    assert not [name for name in names if name.split(".")[0] == "games"]
