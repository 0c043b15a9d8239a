"""The drawn table: what must hold after every tile of any round."""

from itertools import combinations
from random import Random

import pytest

from games.board import FRAMES, Frame, Layout, Placed, lay_out
from games.board.samples import Play, hard_cases, random_round

RANDOM = [random_round(Random(seed)) for seed in range(60)]
HARD = [plays for _, plays in hard_cases(Random(7), each=1)]

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


def check(plays: list[Play], layout: Layout, frame: Frame) -> None:
    joined = neighbours(plays)
    rects = [rect(tile.x, tile.y, tile.turn) for tile in layout.tiles]
    assert [(tile.tile, tile.arm) for tile in layout.tiles] == plays
    for a, b in combinations(range(len(rects)), 2):
        if (a, b) in joined:
            assert not overlap(rects[a], rects[b])
            assert any(
                first == second and share_an_edge(one, other)
                for first, one in halves(layout.tiles[a])
                for second, other in halves(layout.tiles[b])
            )
        else:
            assert not overlap(rects[a], rects[b], gap=0.5)
    room = [rect(target.x, target.y, target.turn) for target in layout.targets.values()]
    assert not any(overlap(one, other) for one, other in combinations(room, 2))
    assert not any(overlap(target, tile) for target in room for tile in rects)
    assert all(inside(box, layout.viewbox) for box in [*rects, *room])
    width, height = layout.viewbox[2:]
    assert width / height == pytest.approx(frame.width / frame.height)
    assert layout.scale == pytest.approx(frame.width / width)


def run(plays: list[Play], frame: Frame) -> None:
    """Lay a round tile by tile and check everything at every step."""
    before: Layout | None = None
    for count in range(1, len(plays) + 1):
        layout = lay_out(plays[:count], frame)
        check(plays[:count], layout, frame)
        if before is not None and layout.relayouts == before.relayouts:
            assert layout.tiles[:-1] == before.tiles
            assert layout.scale <= before.scale
        before = layout


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_random_rounds_after_every_tile(frame: Frame) -> None:
    for plays in RANDOM:
        run(plays, frame)


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_hard_rounds_after_every_tile(frame: Frame) -> None:
    for plays in HARD:
        run(plays, frame)
