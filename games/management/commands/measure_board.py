"""Measure how large and how still the drawn table is."""

from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from time import process_time
from typing import Any

from django.core.management.base import BaseCommand

from games.board import FRAMES, Frame, Layout, forget, lay_out
from games.board.samples import Play, hard_cases, random_round


@dataclass
class Measures:
    """What was seen of a number of rounds in one frame."""

    scales: list[float] = field(default_factory=list)
    moves: list[int] = field(default_factory=list)
    relayouts: int = 0
    times: list[float] = field(default_factory=list)

    def add(self, plays: Sequence[Play], frame: Frame) -> None:
        """Lay a round out tile by tile, as it happens in a match."""
        layout: Layout | None = None
        for count in range(1, len(plays) + 1):
            begun = process_time()
            layout = lay_out(plays[:count], frame)
            self.times.append((process_time() - begun) * 1000)
        if layout is not None:
            self.scales.append(layout.scale)
            self.moves.append(layout.camera_moves)
            self.relayouts += layout.relayouts
        forget()

    def line(self) -> str:
        scales, moves, times = self.scales, self.moves, self.times
        return (
            f"{min(scales):6.1f} {share(scales, 0.05):6.1f} {share(scales, 0.5):6.1f}"
            f" {share(moves, 0.5):6} {share(moves, 0.95):4} {max(moves):4}"
            f" {self.relayouts / len(moves):9.5f}"
            f" {share(times, 0.5):7.2f} {share(times, 0.95):6.2f} {max(times):6.1f}"
        )


def share(numbers: Iterable[float], part: float) -> float:
    """The number below which this part of them lies."""
    ordered = sorted(numbers)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def rounds(count: int, hard: int, seed: int) -> Iterator[tuple[str, list[Play]]]:
    """The rounds to lay out, each with the name of its kind."""
    rng = Random(seed)  # noqa: S311
    for _ in range(count):
        yield f"{count} random rounds", random_round(rng)
    yield from hard_cases(rng, hard)


HEAD = (
    f"{'':32}{'px per half tile':^21}{'camera moves':^17}{'layouts':>9}{'CPU ms per tile':^23}\n"
    f"{'':32} least     5%    50%    50%  95%  max  anew/rnd     50%    95%    max"
)


class Command(BaseCommand):
    help = (
        "Lay out random rounds and hard ones in every frame; report px per half tile of the final "
        "table with its targets, camera moves and whole new layouts per round, and time per tile."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--rounds", type=int, default=300, help="random rounds per frame")
        parser.add_argument("--hard", type=int, default=5, help="rounds of each hard case")
        parser.add_argument("--seed", type=int, default=1)

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(HEAD)
        for name, frame in FRAMES.items():
            self.stdout.write(f"{name} {frame.width}x{frame.height}")
            measured: dict[str, Measures] = defaultdict(Measures)
            for case, plays in rounds(options["rounds"], options["hard"], options["seed"]):
                measured[case].add(plays, frame)
            for case, measures in measured.items():
                self.stdout.write(f"  {case:<30}{measures.line()}")
