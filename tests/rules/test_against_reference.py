"""Random matches through the engine and through a second, naive reading of the rules.

What is printed must agree field by field, event by event, legal or not.
"""

from __future__ import annotations

import os
from collections import Counter
from random import Random

import pytest

from .random_play import random_match
from .scenario import Match, by_text, run

MATCHES = int(os.environ.get("RULES_COMPARED", "100"))
GROUPS = 10


@pytest.mark.parametrize("group", range(GROUPS))
def test_random_matches_print_the_same(group: int) -> None:
    reasons: Counter[str] = Counter()
    for seed in range(group, MATCHES, GROUPS):
        shared = seed % 3 == 0
        events, expected = random_match(Random(seed), shared)
        match = Match(shared)
        match.events = events
        states = run(match.lines(), keep_going=True)
        assert len(states) == len(expected)
        for n, (event, state, wanted) in enumerate(zip(events, states, expected, strict=True), 1):
            where = f"seed {seed}, event {n}: {event}"
            assert state["n"] == n, where
            if wanted is None:
                assert "illegal" in state, where
                continue
            assert "illegal" not in state, (where, state)
            assert set(state) == {"n", *wanted}, where
            for key, value in wanted.items():
                shown = state[key]
                if key == "legal":
                    assert by_text(shown) == by_text(value), where
                else:
                    assert shown == value, (where, key)
        result = next(state for state in reversed(states) if "illegal" not in state)["result"]
        reasons[result["reason"] if result else "unfinished"] += 1
    assert reasons["chips"] > 0
