"""What the service windows prove: pure, in milliseconds, with every moment passed in."""

from __future__ import annotations

import pytest

from games.timekeeping import (
    Evidence,
    Gap,
    Measured,
    Unmeasured,
    Unproven,
    Window,
    clocks_agree,
    decision,
    gaps,
    interlude_due,
    wall_is_sound,
)

TOLERANCE = 5_000


def up(opened: int, beat: int, number: int = 1, *, decided: int | None = None) -> Window:
    return Window(number, opened, beat, beat if decided is None else decided)


def stopped(opened: int, beat: int, number: int = 1) -> Window:
    return Window(number, opened, beat, beat, stopped=True)


def seen(own: Window | None, *others: Window) -> Evidence:
    return Evidence(own, ((own,) if own else ()) + others, TOLERANCE)


def judged(evidence: Evidence, now: int, deadline: int = 130_000, since: int = 0) -> object:
    return decision(since, deadline, now, evidence)


def test_a_measured_decision_goes_on_until_its_deadline() -> None:
    assert judged(seen(up(-9_000, 129_000)), 129_999) == Measured()
    assert judged(seen(up(-9_000, 130_000)), 130_000) == Measured(lost=True)


def test_a_loss_needs_a_beat_at_or_after_the_deadline() -> None:
    assert judged(seen(up(-9_000, 129_999)), 130_500) == Unproven()
    assert judged(seen(up(-9_000, 130_600)), 130_700) == Measured(lost=True)


def test_a_command_that_is_still_queued_wins() -> None:
    """The front beats on, but its oldest undecided command came before the deadline."""
    busy = up(-9_000, 132_000, decided=129_999)
    assert judged(seen(busy), 132_500) == Unproven()
    assert judged(seen(up(-9_000, 133_000)), 133_100) == Measured(lost=True)


def test_when_the_tolerance_has_passed_without_proof_the_match_is_void() -> None:
    busy = up(-9_000, 135_500, decided=129_999)
    assert judged(seen(busy), 135_000) == Unproven()
    assert judged(seen(busy), 135_001) == Unmeasured(Gap(129_999, 135_001))


def test_the_other_front_does_not_vouch_for_a_seat_whose_own_front_is_up() -> None:
    own, other = up(-9_000, 129_500), up(-9_000, 131_000, 2)
    assert judged(seen(own, other), 131_000) == Unproven()
    gone = stopped(-9_000, 129_500)
    assert judged(seen(None, gone, other), 131_000) == Measured(lost=True)


def test_a_broken_front_voids_the_decisions_it_vouches_for_and_no_others() -> None:
    frozen, other = up(-9_000, 50_000), up(-9_000, 56_000, 2)
    assert judged(seen(frozen, other), 55_000) == Measured()
    assert judged(seen(frozen, other), 55_001) == Unmeasured(Gap(50_000, 55_001))
    assert judged(seen(other, frozen), 55_001) == Measured()
    assert judged(seen(None, frozen, other), 55_001) == Measured()


def test_a_front_that_was_up_again_within_the_tolerance_lets_the_match_go_on() -> None:
    killed, again = up(-9_000, 50_000), up(54_900, 60_000, 2)
    assert judged(seen(killed, again), 56_000) == Measured()
    late = up(55_100, 60_000, 2)
    assert judged(seen(killed, late), 56_000) == Unmeasured(Gap(50_000, 55_100))


@pytest.mark.parametrize("deadline", [50_001, 52_000, 54_000])
def test_a_deadline_inside_a_short_gap_voids(deadline: int) -> None:
    killed, again = up(-9_000, 50_000), up(54_000, 60_000, 2)
    assert judged(seen(killed, again), 55_500, deadline) == Unmeasured(Gap(50_000, 54_000))
    # With its socket at the new front, or none at all, the seat does not lose either.
    for own in (again, None):
        evidence = Evidence(own, (killed, again), TOLERANCE)
        assert judged(evidence, deadline + 1, deadline) == Unproven()
        void = judged(evidence, deadline + TOLERANCE + 1, deadline)
        assert void == Unmeasured(Gap(50_000, 54_000))


@pytest.mark.parametrize(("deadline", "lost"), [(50_000, True), (54_100, True), (70_000, False)])
def test_the_same_gap_away_from_the_deadline_harms_nobody(deadline: int, lost: bool) -> None:
    evidence = Evidence(None, (up(-9_000, 50_000), up(54_000, 60_000, 2)), TOLERANCE)
    assert judged(evidence, 60_000, deadline) == Measured(lost=lost)


def test_an_outage_of_all_fronts_voids_whoever_was_to_vouch() -> None:
    before, after = stopped(-9_000, 50_000), up(60_000, 66_000, 2)
    for own in (before, after, None):
        evidence = Evidence(own, (before, after), TOLERANCE)
        assert judged(evidence, 66_000) == Unmeasured(Gap(50_000, 60_000))
        assert judged(evidence, 66_000, since=61_000) == Measured()


def test_an_outage_is_known_while_it_lasts() -> None:
    assert judged(seen(None, stopped(-9_000, 50_000)), 55_000) == Measured()
    assert judged(seen(None, stopped(-9_000, 50_000)), 55_001) == Unmeasured(Gap(50_000, 55_001))


def test_a_rolling_restart_is_no_outage() -> None:
    first, second = stopped(-9_000, 50_000), up(-9_000, 66_000, 2)
    again = up(52_000, 66_000, 3)
    for own in (first, second, again, None):
        evidence = Evidence(own, (first, second, again), TOLERANCE)
        assert judged(evidence, 66_000) == Measured()


def test_a_front_that_broke_before_the_decision_began_does_not_count() -> None:
    old, other = Window(1, -9_000, -6_000, -6_000, broken=True), up(-9_000, 70_000, 2)
    assert judged(seen(old, other), 70_000) == Measured()


def test_a_front_that_broke_just_before_the_decision_began_counts() -> None:
    """It fell silent, the opponent moved at another front, and only then is it found broken."""
    silent, other = up(-9_000, -2_000), up(-9_000, 70_000, 2)
    assert judged(seen(silent, other), 3_001) == Unmeasured(Gap(-2_000, 3_001))
    again = up(-1_000, 70_000, 3)
    assert judged(seen(silent, other, again), 70_000) == Measured()


def test_a_front_that_vouched_for_the_deadline_proves_the_loss_even_if_it_breaks_after() -> None:
    silent, other = up(-9_000, 130_200), up(-9_000, 140_000, 2)
    assert judged(seen(silent, other), 136_000) == Measured(lost=True)
    early = up(-9_000, 130_200, decided=129_000)
    assert judged(seen(early, other), 136_000) == Unmeasured(Gap(129_000, 136_000))


def test_a_front_that_stopped_with_frames_undecided_proves_no_loss() -> None:
    gone = Window(1, -9_000, 130_500, 129_500, stopped=True)
    other = up(-9_000, 132_000, 2)
    assert judged(seen(gone, other), 132_000) == Unmeasured(Gap(129_500, 130_500))
    clean = Window(1, -9_000, 129_500, 129_500, stopped=True)
    assert judged(seen(clean, other), 132_000) == Measured(lost=True)


def test_the_verdict_waits_for_every_front_that_may_hold_a_frame() -> None:
    """An older tab's move may be queued at another front than that of the newest socket."""
    own, other = up(-9_000, 132_000), up(-9_000, 132_000, 2, decided=129_500)
    assert judged(seen(own, other), 132_000) == Unproven()
    assert judged(seen(own, up(-9_000, 132_000, 2)), 132_000) == Measured(lost=True)
    assert judged(seen(own, other), 135_001) == Measured(lost=True)


def test_without_any_window_nobody_loses() -> None:
    assert judged(seen(None), 4_000, deadline=3_000) == Unproven()
    assert judged(seen(None), 9_000, deadline=3_000) == Unmeasured(Gap(3_000, 9_000))


def test_gaps_are_told_whole() -> None:
    windows = [up(0, 10), up(5, 20), up(30, 40, 2), up(32, 35, 3)]
    assert list(gaps(windows, 15, 50)) == [Gap(20, 30), Gap(40, 50)]
    assert list(gaps(windows, 25, 38)) == [Gap(20, 30)]
    assert list(gaps(windows, 32, 38)) == []
    assert list(gaps([], 5, 9)) == [Gap(5, 9)]


def test_an_interlude_counts_covered_time_only() -> None:
    whole = seen(None, up(-9_000, 21_000))
    assert interlude_due(0, 20_000, 21_000, whole) == 20_000
    lasting = seen(None, stopped(-9_000, 4_000))
    assert interlude_due(0, 20_000, 21_000, lasting) is None
    over = seen(None, stopped(-9_000, 4_000), up(18_000, 40_000, 2))
    assert interlude_due(0, 20_000, 21_000, over) == 38_000
    assert interlude_due(18_000, 38_000, 40_000, over) == 38_000
    short = seen(None, stopped(-9_000, 4_000), up(8_000, 40_000, 2))
    assert interlude_due(0, 20_000, 21_000, short) == 20_000


def test_an_interlude_does_not_end_before_somebody_measured_its_end() -> None:
    """Whoever was up until shortly before may be gone for long."""
    silent = seen(None, up(-9_000, 19_500))
    assert interlude_due(0, 20_000, 20_600, silent) is None
    assert interlude_due(0, 20_000, 20_600, seen(None, up(-9_000, 20_500))) == 20_000
    long = seen(None, up(-9_000, 19_500), up(30_000, 31_000, 2))
    assert interlude_due(0, 20_000, 31_000, long) == 50_000
    short = seen(None, up(-9_000, 19_500), up(22_000, 23_000, 2))
    assert interlude_due(0, 20_000, 23_000, short) == 20_000


def test_a_clock_that_was_set_breaks_the_window() -> None:
    assert wall_is_sound(1_050, 1_000)
    assert not wall_is_sound(61_000, 1_000)
    assert not wall_is_sound(-59_000, 1_000)


def test_a_front_whose_clock_differs_from_the_databases_breaks_the_window() -> None:
    assert clocks_agree(100_000, 101_900)
    assert not clocks_agree(100_000, 102_001)
    assert not clocks_agree(102_001, 100_000)
