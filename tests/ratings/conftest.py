"""What the tests of ratings play with: three players and a site that measures time."""

from __future__ import annotations

import pytest

from accounts.models import User
from tests.games.conftest import every_log_gives_its_snapshot
from tests.games.factory import make_user

__all__ = ["every_log_gives_its_snapshot", "players"]


@pytest.fixture
def players(transactional_db: None) -> list[User]:
    return [make_user(name) for name in ("ada", "bo", "cy")]
