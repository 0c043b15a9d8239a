"""Rounds to try the layout on: random ones, and those that are hard to lay out."""

from collections.abc import Iterator
from random import Random

Play = tuple[str, str]
Tile = tuple[int, int]

SET: tuple[Tile, ...] = tuple((high, low) for high in range(7) for low in range(high + 1))


class _Ends:
    """The open ends of a round as far as laying goes."""

    def __init__(self) -> None:
        self.values: dict[str, int] = {}
        self.spinner: int | None = None
        self.unused: set[str] = set()

    def open(self, tile: Tile) -> None:
        high, low = tile
        self.values = {"left": high, "right": low}
        if high == low:
            self.spinner, self.unused = high, {"left", "right"}

    def lay(self, tile: Tile, arm: str) -> None:
        high, low = tile
        if high == low and self.spinner is None:
            self.spinner, self.unused = high, {arm}
            return
        self.values[arm] = low if self.values[arm] == high else high
        self.unused.discard(arm)
        if self.spinner is not None and not self.unused:
            for side in ("up", "down"):
                self.values.setdefault(side, self.spinner)

    def fitting(self, tiles: list[Tile]) -> list[tuple[Tile, str]]:
        return [
            (tile, arm) for tile in tiles for arm, value in self.values.items() if value in tile
        ]


def random_round(rng: Random) -> list[Play]:
    """A round played at random: hands of seven, drawing when nothing fits."""
    tiles = list(SET)
    rng.shuffle(tiles)
    hands, boneyard = [tiles[:7], tiles[7:14]], tiles[14:]
    ends, seat, passes = _Ends(), rng.randrange(2), 0
    first = rng.choice(hands[seat])
    hands[seat].remove(first)
    ends.open(first)
    plays = [(name(first), "open")]
    while passes < 2 and all(hands):
        seat = 1 - seat
        hand = hands[seat]
        while not (choices := ends.fitting(hand)) and boneyard:
            hand.append(boneyard.pop())
        if not choices:
            passes += 1
            continue
        passes = 0
        tile, arm = rng.choice(choices)
        hand.remove(tile)
        ends.lay(tile, arm)
        plays.append((name(tile), arm))
    return plays


def name(tile: Tile) -> str:
    return f"{tile[0]}-{tile[1]}"


def chain(rng: Random, length: int, arms: tuple[str, ...], spinner_at: int = 0) -> list[Play]:
    """A round of `length` tiles laid on `arms` in turn, its first double the tile `spinner_at`.

    Tiles come from the whole set; it is searched with trial and error until one is found.
    """
    while True:
        plays = _try_chain(rng, length, arms, spinner_at)
        if plays is not None:
            return plays


def _try_chain(
    rng: Random, length: int, arms: tuple[str, ...], spinner_at: int
) -> list[Play] | None:
    tiles = list(SET)
    rng.shuffle(tiles)
    ends = _Ends()
    plays: list[Play] = []
    while len(plays) < length:
        wanted = [
            tile
            for tile in tiles
            if ends.spinner is not None or (tile[0] == tile[1]) == (len(plays) == spinner_at)
        ]
        if not plays:
            tile, arm = wanted[0], "open"
            ends.open(tile)
        else:
            choices = ends.fitting(wanted)
            liked = [choice for choice in choices if choice[1] == arms[len(plays) % len(arms)]]
            liked = liked or [choice for choice in choices if choice[1] in arms]
            if not liked:
                return None
            tile, arm = rng.choice(liked)
            ends.lay(tile, arm)
        tiles.remove(tile)
        plays.append((name(tile), arm))
    return plays


def hard_cases(rng: Random, each: int = 5) -> Iterator[tuple[str, list[Play]]]:
    """Rounds random play seldom makes, under a name."""
    for _ in range(each):
        yield "single arm of 24", chain(rng, 24, ("right",))
        yield "late spinner", chain(rng, 24, ("left", "right", "up", "down"), rng.randint(8, 13))
        yield "spinner at the end of one arm", chain(rng, 20, ("left",), rng.randint(7, 11))
        yield "all 28 tiles", chain(rng, 28, ("left", "right", "up", "down"))
        yield "four long arms", chain(rng, 26, ("left", "right", "up", "down"))
