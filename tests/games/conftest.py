"""Every match a test here stores must agree with its log when the test is over."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from accounts.models import User

from .factory import NOW, make_user, make_window


@pytest.fixture
def ada() -> User:
    return make_user("Ada")


@pytest.fixture
def bo() -> User:
    return make_user("Bo")


@pytest.fixture
def cy() -> User:
    return make_user("Cy")


@pytest.fixture(autouse=True)
def every_log_gives_its_snapshot(request: pytest.FixtureRequest) -> Iterator[None]:
    marker = request.node.get_closest_marker("django_db")
    if marker is None:
        yield
        return
    request.getfixturevalue("transactional_db" if marker.kwargs.get("transaction") else "db")
    if request.node.get_closest_marker("no_front") is None:
        make_window(0, 2 * NOW)  # time is measured all the time
    yield
    from games.checks import differences
    from games.models import Match

    if request.node.get_closest_marker("spoils_matches") is None:
        assert {m.pk: d for m in Match.objects.all() if (d := differences(m))} == {}
