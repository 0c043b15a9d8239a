"""The rules once more, as naively as possible, to hold the engine against.

Nothing is kept up to date here. A round is its list of events, and table, hands,
chips, banks and whose turn it is are worked out from such lists whenever
somebody asks. Slow and short on purpose, and independent of the engine: it
shares no code with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

Event = dict[str, Any]
Laid = tuple[str, str]
Found = TypeVar("Found")

ALL_TILES: tuple[str, ...] = tuple(f"{a}-{b}" for a in range(7) for b in range(a + 1))
ARMS = ("left", "right", "up", "down")
REASONS = ("service_failure", "no_show", "abandoned", "staff")


def halves(tile: str) -> tuple[int, int]:
    """Both halves, the higher one first."""
    return int(tile[0]), int(tile[2])


def is_double(tile: str) -> bool:
    return tile[0] == tile[2]


def pips(tiles: Iterable[str]) -> int:
    return sum(sum(halves(tile)) for tile in tiles)


def ends_of(plays: Sequence[Laid]) -> dict[str, dict[str, int]]:
    """Every open end after these plays, walked from the opening tile outwards."""
    if not plays:
        return {}
    opening = plays[0][0]
    arms = {arm: [tile for tile, where in plays[1:] if where == arm] for arm in ARMS}
    spinner = next((tile for tile, _ in plays if is_double(tile)), None)
    ends = {}
    for arm, inner in (("left", halves(opening)[0]), ("right", halves(opening)[1])):
        value, tiles = inner, arms[arm]
        for tile in tiles:
            one, two = halves(tile)
            value = two if one == value else one
        last = tiles[-1] if tiles else opening
        twice = is_double(last) and len(plays) > 1
        ends[arm] = {"value": value, "count": 2 * value if twice else value}
    if spinner is None:
        return ends
    main = next((arm for arm in ("left", "right") if spinner in arms[arm]), None)
    # The opening spinner needs both arms; a later one is passed by once its arm goes on.
    needed = ("left", "right") if main is None else (main,)
    if all(arms[arm] and arms[arm][-1] != spinner for arm in needed):
        for arm in ("up", "down"):
            value, count = halves(spinner)[0], 0
            for tile in arms[arm]:
                one, two = halves(tile)
                value = two if one == value else one
                count = 2 * value if is_double(tile) else value
            ends[arm] = {"value": value, "count": count}
    return ends


def count_of(plays: Sequence[Laid]) -> int:
    return sum(end["count"] for end in ends_of(plays).values())


def must_open(hands: Sequence[Sequence[str]]) -> tuple[int, str]:
    """The seat and tile of a ranked opening."""
    dealt = [(tile, seat) for seat in (0, 1) for tile in hands[seat]]
    doubles = [pair for pair in dealt if is_double(pair[0])]
    if doubles:
        tile, seat = max(doubles)
    else:
        tile, seat = max(dealt, key=lambda pair: (pips([pair[0]]), halves(pair[0])[0]))
    return seat, tile


def nearest_five(total: int) -> int:
    return 5 * ((total + 2) // 5)


def worked_out_once(work: Callable[[Reference], Found]) -> Callable[[Reference], Found]:
    """Keep an answer until the next fact comes in: every test asks for it many times."""

    def ask(self: Reference) -> Found:
        if work.__name__ not in self.found:
            self.found[work.__name__] = work(self)
        found: Found = self.found[work.__name__]
        return found

    return ask


class Reference:
    """One match. `apply` gives what is printed after an event, or None where it is illegal."""

    def __init__(self, shared: bool = False) -> None:
        self.shared = shared
        self.rounds: list[list[Event]] = []
        self.transfers: list[dict[str, Any]] = []
        self.decisions: list[tuple[int, int, int]] = []
        self.running: tuple[int, int] | None = None
        self.ready = [False, False]
        self.last_at = 0
        self.result: dict[str, Any] | None = None
        self.lost_on_time: int | None = None
        self.found: dict[str, Any] = {}

    # What can be worked out

    @property
    def now(self) -> list[Event]:
        """The events of this round, its deal first."""
        return self.rounds[-1] if self.rounds else []

    def said(self, *kinds: str) -> list[Event]:
        return [event for event in self.now if event["do"] in kinds]

    def chips(self) -> list[int]:
        chips = [150, 150]
        for paid in self.transfers:
            chips[paid["from"]] -= paid["points"]
            chips[paid["to"]] += paid["points"]
        return chips

    def bank(self) -> list[int]:
        bank = [120000, 120000]
        for seat, begun, ended in self.decisions:
            bank[seat] -= max(0, ended - begun - 10000)
        if self.lost_on_time is not None:
            bank[self.lost_on_time] = 0
        return bank

    def deadline(self) -> int | None:
        if self.running is None:
            return None
        seat, begun = self.running
        return begun + 10000 + self.bank()[seat]

    def boneyard(self) -> list[str]:
        return self.now[0]["boneyard"][len(self.said("draw")) :] if self.now else []

    @worked_out_once
    def hands(self) -> list[list[str]]:
        if not self.now:
            return [[], []]
        hands = [list(hand) for hand in self.now[0]["hands"]]
        for event, tile in zip(self.said("draw"), self.now[0]["boneyard"], strict=False):
            hands[event["seat"]].append(tile)
        for event in self.said("play"):
            hands[event["seat"]].remove(event["tile"])
        return hands

    def plays(self) -> list[Laid]:
        return [(event["tile"], event["arm"]) for event in self.said("play")]

    def winner_of_last_round(self) -> int | None:
        """The jockey of this round."""
        return self.went_out(self.rounds[-2]) if len(self.rounds) > 1 else None

    @staticmethod
    def went_out(events: list[Event]) -> int | None:
        turns = [event for event in events if event["do"] in ("play", "pass")]
        return turns[-1]["seat"] if turns and turns[-1]["do"] == "play" else None

    def round_is_over(self) -> bool:
        turns = self.said("play", "pass")
        if len(turns) > 1 and turns[-1]["do"] == turns[-2]["do"] == "pass":
            return True
        return bool(turns) and not self.hands()[turns[-1]["seat"]]

    def opener(self) -> int | None:
        """The seat that opens, once that is settled."""
        jockey = self.winner_of_last_round()
        if jockey is None:
            return must_open(self.now[0]["hands"])[0]
        if self.said("decline"):
            return jockey
        return self.said("bid")[-1]["seat"] if self.said("accept") else None

    @worked_out_once
    def step(self) -> str:
        """The phase, hand-overs left aside."""
        if self.result:
            return "match_over"
        if not self.now:
            return "new"
        if not self.said("start", "continue"):
            return "dealt"
        if self.opener() is None:
            return "auction"
        if not self.said("play"):
            return "opening"
        return "round_over" if self.round_is_over() else "play"

    def awaited(self) -> int | None:
        step = self.step()
        if step == "auction":
            jockey = self.winner_of_last_round()
            assert jockey is not None
            return jockey if len(self.said("bid")) % 2 else 1 - jockey
        if step == "opening":
            return self.opener()
        return 1 - self.said("play", "pass")[-1]["seat"] if step == "play" else None

    @worked_out_once
    def answers(self) -> list[dict[str, Any]]:
        """The legal answers of the awaited seat, hand-overs left aside."""
        seat = self.awaited()
        step = self.step()
        if step == "dealt":
            return [{"do": "start" if len(self.rounds) == 1 else "continue"}]
        if seat is None:
            return []
        if step == "auction":
            return self.auction_answers(seat)
        if step == "opening":
            tiles = self.hands()[seat]
            if self.winner_of_last_round() is None:
                tiles = [must_open(self.now[0]["hands"])[1]]
            return [{"do": "play", "tile": tile, "arm": "open"} for tile in tiles]
        ends = ends_of(self.plays())
        fits = [
            {"do": "play", "tile": tile, "arm": arm}
            for tile in self.hands()[seat]
            for arm, end in ends.items()
            if end["value"] in halves(tile)
        ]
        return fits or [{"do": "draw"} if self.boneyard() else {"do": "pass"}]

    def auction_answers(self, seat: int) -> list[dict[str, Any]]:
        bids = self.said("bid")
        most = self.chips()[seat] + (15 if seat == self.winner_of_last_round() else 0)
        least = bids[-1]["points"] + 5 if bids else 15
        raised = [{"do": "bid", "min": least, "max": most}] if most >= least else []
        return [{"do": "accept" if bids else "decline"}, *raised]

    def compulsory(self) -> bool:
        answers = self.answers()
        return len(answers) == 1 and answers[0]["do"] in ("pass", "accept", "decline")

    def covered(self) -> bool:
        """Waiting for a reveal."""
        seat, reveals = self.awaited(), self.said("reveal")
        if not self.shared or seat is None or (reveals and reveals[-1]["seat"] == seat):
            return False
        return not self.compulsory()

    # What happens

    def apply(self, event: Event) -> dict[str, Any] | None:
        if not self.allows(event):
            return None
        do, at = event["do"], event.get("at", 0)
        before = len(self.transfers)
        if do == "ready":
            self.ready[event["seat"]] = True
        elif do == "deal":
            self.rounds.append([event])
            self.found.clear()
        elif do in ("resign", "timeout", "void"):
            self.stop(event)
        else:
            if do in ("start", "continue"):
                self.ready = [False, False]
            self.now.append(event)
            self.found.clear()
            if do != "draw":
                self.end_decision(at)
                self.pay(event)
                seat = self.awaited()
                if seat is not None and not self.covered():
                    self.running = (seat, at)
        if do != "deal":
            self.last_at = at
        return self.printed(self.transfers[-1] if len(self.transfers) > before else None)

    def allows(self, event: Event) -> bool:
        do, at, seat = event["do"], event.get("at", 0), event.get("seat")
        step, deadline = self.step(), self.deadline()
        if step == "match_over" or (do != "deal" and at < self.last_at):
            return False
        if do == "void":
            return event["reason"] in REASONS
        if do == "timeout":
            return deadline is not None and at >= deadline and self.awaited() == seat
        if deadline is not None and at >= deadline:
            return False
        if do == "resign":
            return step != "new"
        if do == "ready":
            return step in ("new", "dealt", "round_over") and not self.ready[event["seat"]]
        if do == "deal":
            dealt = [*event["hands"][0], *event["hands"][1], *event["boneyard"]]
            sizes = [len(event["hands"][0]), len(event["hands"][1]), len(event["boneyard"])]
            fair = sizes == [7, 7, 14] and sorted(dealt) == sorted(ALL_TILES)
            return step in ("new", "round_over") and fair
        if do in ("start", "continue"):
            return {"do": do} in self.answers()
        if seat != self.awaited() or (do == "reveal") != self.covered():
            return False
        return do == "reveal" or self.is_answer(event)

    def is_answer(self, event: Event) -> bool:
        for answer in self.answers():
            if answer["do"] != event["do"]:
                continue
            if answer["do"] == "bid":
                points: int = event["points"]
                least, most = int(answer["min"]), int(answer["max"])
                return points % 5 == 0 and least <= points <= most
            if all(event[key] == value for key, value in answer.items()):
                return True
        return False

    def end_decision(self, at: int) -> None:
        if self.running is not None:
            self.decisions.append((*self.running, at))
        self.running = None

    def stop(self, event: Event) -> None:
        if event["do"] == "void":
            self.result = {"winner": None, "reason": "void"}
        elif event["do"] == "timeout":
            self.lost_on_time = event["seat"]
            self.result = {"winner": 1 - event["seat"], "reason": "time"}
        else:
            self.end_decision(event["at"])
            self.result = {"winner": 1 - event["seat"], "reason": "resignation"}
        self.running = None
        self.found.clear()

    def pay(self, event: Event) -> None:
        """The points this event moves, if any, and the end they may bring."""
        do, seat = event["do"], event.get("seat")
        if do == "play":
            assert seat is not None
            count = count_of(self.plays())
            if count > 0 and count % 5 == 0:
                self.transfer(1 - seat, count, "ends")
        elif do == "accept":
            assert seat is not None
            price = self.said("bid")[-1]["points"]
            discount = 15 if 1 - seat == self.winner_of_last_round() else 0
            self.transfer(1 - seat, price - discount, "auction")
        elif do == "pass" and self.round_is_over():
            sums = [pips(hand) for hand in self.hands()]
            if sums[0] != sums[1]:
                payer = sums.index(max(sums))
                self.transfer(payer, nearest_five(max(sums)), "block")

    def transfer(self, payer: int, points: int, why: str) -> None:
        points = min(points, self.chips()[payer])
        self.transfers.append({"from": payer, "to": 1 - payer, "points": points, "for": why})
        if self.chips()[payer] == 0:
            self.result = {"winner": 1 - payer, "reason": "chips"}
        self.found.clear()

    # What is printed

    def printed(self, transfer: dict[str, Any] | None) -> dict[str, Any]:
        step, bids = self.step(), self.said("bid")
        covered = self.covered()
        jockey = self.winner_of_last_round()
        if step == "round_over":
            jockey = self.went_out(self.now)
        return {
            "phase": "handover" if covered else step,
            "round": len(self.rounds),
            "to_act": self.awaited(),
            "chips": self.chips(),
            "transfer": transfer,
            "ends": ends_of(self.plays()),
            "count": count_of(self.plays()),
            "hands": [sorted(hand) for hand in self.hands()],
            "boneyard": len(self.boneyard()),
            "bid": (
                {"seat": bids[-1]["seat"], "points": bids[-1]["points"]}
                if bids and step == "auction"
                else None
            ),
            "jockey": jockey,
            "clock": {
                "bank": self.bank(),
                "running": self.running[0] if self.running else None,
                "deadline": self.deadline(),
            },
            "legal": [{"do": "reveal"}] if covered else self.answers(),
            "ready": list(self.ready),
            "result": self.result,
        }
