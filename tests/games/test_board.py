"""The drawn table: what must hold after every tile of any round.

BOARD_ROUNDS says how many random rounds, in each of the frames.
"""

import os
from itertools import combinations
from random import Random

import pytest

from games.board import FRAMES, Frame, Layout, Placed, forget, lay_out
from games.board.layout import WAYS, lay_out_in
from games.board.samples import Play, hard_cases, random_round
from games.board.state import StuckError, Way

ROUNDS = int(os.environ.get("BOARD_ROUNDS", "60"))
RANDOM = [random_round(Random(seed)) for seed in range(60)]
HARD = dict(hard_cases(Random(7), each=1))

# px per half tile of the final table, the room for the next tiles included, that a frame gives at
# least: the smallest, the 5th percentile and the median of random rounds.
LEAST = {"tall": (25, 28, 32), "low": (22, 27, 32), "wide": (37, 45, 48)}

Rect = tuple[float, float, float, float]


def rect(x: float, y: float, turn: int) -> Rect:
    wide, high = (1.0, 0.5) if turn % 180 == 0 else (0.5, 1.0)
    return x - wide, y - high, x + wide, y + high


def overlap(a: Rect, b: Rect, gap: float = 0.0) -> bool:
    return a[0] < b[2] + gap and b[0] < a[2] + gap and a[1] < b[3] + gap and b[1] < a[3] + gap


def inside(box: Rect, view: Rect) -> bool:
    x, y, width, height = view
    return box[0] >= x and box[1] >= y and box[2] <= x + width and box[3] <= y + height


def halves(placed: Placed) -> list[tuple[int, Rect]]:
    """Each half's value and its square, as the drawing turns it."""
    dx, dy = {0: (-0.5, 0.0), 90: (0.0, -0.5), 180: (0.5, 0.0), 270: (0.0, 0.5)}[placed.turn]
    low, high = sorted(int(value) for value in placed.tile.split("-"))
    found = []
    for value, sign in ((high, 1), (low, -1)):
        x, y = placed.x + sign * dx, placed.y + sign * dy
        found.append((value, (x - 0.5, y - 0.5, x + 0.5, y + 0.5)))
    return found


def share_an_edge(a: Rect, b: Rect) -> bool:
    """Whether two squares touch along at least half of an edge."""
    across = min(a[2], b[2]) - max(a[0], b[0])
    along = min(a[3], b[3]) - max(a[1], b[1])
    return (across == 0 and along >= 0.5) or (along == 0 and across >= 0.5)


def neighbours(plays: list[Play]) -> set[tuple[int, int]]:
    """The pairs of tiles that are joined, by their numbers."""
    last: dict[str, int] = {"left": 0, "right": 0}
    spinner: int | None = 0 if len(set(plays[0][0].split("-"))) == 1 else None
    pairs = set()
    for number, (tile, arm) in enumerate(plays[1:], start=1):
        joined = last.get(arm, spinner)
        assert joined is not None
        pairs.add((joined, number))
        last[arm] = number
        if spinner is None and len(set(tile.split("-"))) == 1:
            spinner = number
    return pairs


def check_tiles(plays: list[Play], layout: Layout, since: int) -> None:
    """No overlap, neighbours at equal halves; only for tiles from `since` on."""
    joined = neighbours(plays)
    rects = [rect(tile.x, tile.y, tile.turn) for tile in layout.tiles]
    for a, b in combinations(range(len(rects)), 2):
        if b < since:
            continue
        if (a, b) in joined:
            assert not overlap(rects[a], rects[b])
            assert any(
                first == second and share_an_edge(one, other)
                for first, one in halves(layout.tiles[a])
                for second, other in halves(layout.tiles[b])
            )
        else:
            assert not overlap(rects[a], rects[b], gap=0.5)


def check_view(layout: Layout, frame: Frame) -> None:
    """Tiles and targets in the frame, targets on free ground."""
    rects = [rect(tile.x, tile.y, tile.turn) for tile in layout.tiles]
    room = [rect(target.x, target.y, target.turn) for target in layout.targets.values()]
    assert not any(overlap(one, other) for one, other in combinations(room, 2))
    assert not any(overlap(target, tile) for target in room for tile in rects)
    assert all(inside(box, layout.viewbox) for box in [*rects, *room])
    width, height = layout.viewbox[2:]
    assert width / height == pytest.approx(frame.width / frame.height)
    assert layout.scale == pytest.approx(frame.width / width)


def is_double(tile: str) -> bool:
    return len(set(tile.split("-"))) == 1


def run(plays: list[Play], frame: Frame) -> float:
    """Lay a round tile by tile and check everything at every step; gives the last scale."""
    before: Layout | None = None
    for count in range(1, len(plays) + 1):
        layout = lay_out(plays[:count], frame)
        assert [(tile.tile, tile.arm) for tile in layout.tiles] == plays[:count]
        check_view(layout, frame)
        if before is None or layout.relayouts > before.relayouts:
            check_tiles(plays[:count], layout, 0)
        else:
            check_tiles(plays[:count], layout, count - 1)
            assert layout.tiles[:-1] == before.tiles
            assert layout.scale <= before.scale
            check_landing(before, layout.tiles[-1])
        before = layout
    assert before is not None
    return before.scale


def check_landing(before: Layout, laid: Placed) -> None:
    """An ordinary tile lies where its target was shown."""
    target = before.targets[laid.arm]
    if not is_double(laid.tile):
        assert (laid.x, laid.y, laid.turn % 180) == (target.x, target.y, target.turn % 180)


@pytest.mark.parametrize("name", FRAMES)
def test_random_rounds_after_every_tile(name: str) -> None:
    scales = []
    for seed in range(ROUNDS):
        scales.append(run(random_round(Random(seed)), FRAMES[name]))
        forget()
    scales.sort()
    found = (scales[0], scales[len(scales) // 20], scales[len(scales) // 2])
    assert all(px >= least for px, least in zip(found, LEAST[name], strict=True)), found


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
@pytest.mark.parametrize("case", HARD)
def test_hard_rounds_after_every_tile(case: str, frame: Frame) -> None:
    run(HARD[case], frame)


@pytest.mark.parametrize("frame", [Frame(200, 200), Frame(2000, 180), Frame(180, 1600)])
def test_frames_of_any_shape(frame: Frame) -> None:
    for plays in RANDOM[:3]:
        run(plays, frame)


def test_an_empty_table_has_room_for_the_opening_tile() -> None:
    layout = lay_out([], FRAMES["tall"])
    assert layout.tiles == ()
    assert set(layout.targets) == {"open"}
    check_view(layout, FRAMES["tall"])


def test_the_opening_tile_has_its_higher_half_to_the_left() -> None:
    layout = lay_out([("5-2", "open")], FRAMES["wide"])
    assert layout.tiles == (Placed("5-2", "open", 0.0, 0.0, 0),)
    assert set(layout.targets) == {"left", "right"}


def test_a_spinner_lies_across_and_opens_its_sides_after_both_main_arms() -> None:
    plays = [("5-5", "open"), ("5-2", "left")]
    layout = lay_out(plays, FRAMES["wide"])
    assert layout.tiles[0].turn == 90
    assert layout.tiles[1] == Placed("5-2", "left", -1.5, 0.0, 180)
    assert set(layout.targets) == {"left", "right"}
    assert set(lay_out([*plays, ("6-5", "right")], FRAMES["wide"]).targets) == {
        "left",
        "right",
        "up",
        "down",
    }


def test_a_later_spinner_turns_its_sides_with_its_arm() -> None:
    plays = [("5-2", "open"), ("2-2", "right")]
    layout = lay_out(plays, FRAMES["wide"])
    assert (layout.tiles[1].x, layout.tiles[1].y, layout.tiles[1].turn) == (1.5, 0.0, 90)
    assert set(layout.targets) == {"left", "right"}
    layout = lay_out([*plays, ("6-2", "right")], FRAMES["wide"])
    assert layout.targets["up"].y < 0 < layout.targets["down"].y


@pytest.mark.parametrize("plays", [[("5-2", "open"), ("4-3", "left")], [("5-2", "left")]])
def test_a_tile_that_does_not_fit_is_refused(plays: list[Play]) -> None:
    with pytest.raises(ValueError, match="cannot be laid"):
        lay_out(plays, FRAMES["wide"])


def test_a_side_arm_is_closed_until_both_main_arms_are_taken() -> None:
    with pytest.raises(ValueError, match="cannot be laid"):
        lay_out([("5-5", "open"), ("5-2", "left"), ("5-4", "up")], FRAMES["wide"])


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_the_same_plays_make_the_same_table(frame: Frame) -> None:
    """Whether what came before is remembered or not."""
    for plays in RANDOM[:6]:
        grown = [lay_out(plays[:count], frame) for count in range(1, len(plays) + 1)][-1]
        forget()
        assert lay_out(plays, frame) == grown


@pytest.mark.parametrize("way", WAYS)
def test_a_table_begun_anew_is_as_sound(way: Way) -> None:
    """Each other way a table is laid out in when it got stuck."""
    frame = FRAMES["tall"]
    for plays in RANDOM[:3]:
        try:
            layout = lay_out_in(way, plays, frame)
        except StuckError:
            assert not way.straight
            continue
        check_tiles(plays, layout, 0)
        check_view(layout, frame)


def test_straight_arms_never_get_stuck() -> None:
    for plays in [*RANDOM[:8], *HARD.values()]:
        check_tiles(plays, lay_out_in(Way(straight=True), plays, FRAMES["tall"]), 0)
