"""What a player has done here: results, opponents, figures and every match, for everybody.

Each question takes a fixed number of queries. Where results count, void and annulled matches
do not; the list of matches has them all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields

from django.core.paginator import Page, Paginator
from django.db.models import Case, Count, F, IntegerField, Q, QuerySet, Sum, Value, When

from accounts.models import User
from games import words
from games.models import Event, Match, Seat, Tally
from ratings.models import RatingChange

ROWS = 20  # matches on one page
OPPONENTS = 10  # shown in a head to head
REASONS = ("chips", "time", "resignation")

WON, LOST = Q(match__winner=F("seat")), Q(match__winner=1 - F("seat"))
COUNTED = Q(match__winner__isnull=False, match__annulled_at=None)
KINDS = {"rated": Q(match__rated=True), "casual": Q(match__rated=False)}
RESULTS = {"won": WON, "lost": LOST, "void": Q(match__winner=None)}


@dataclass(frozen=True, slots=True)
class Results:
    """How many matches a player has won and lost, of each kind and in each manner.

    ``counts`` is by (rated, won, reason).
    """

    counts: Counter[tuple[bool, bool, str]]
    void: int
    annulled: int

    @property
    def rows(self) -> list[tuple[str, list[int]]]:
        """For each manner: rated ones won and lost, casual ones won and lost."""
        kinds = [(rated, won) for rated in (True, False) for won in (True, False)]
        return [
            (words.manner(reason), [self.counts[(*kind, reason)] for kind in kinds])
            for reason in REASONS
        ]

    @property
    def totals(self) -> list[int]:
        """The sums of the columns of :attr:`rows`."""
        return [sum(column) for column in zip(*(numbers for _, numbers in self.rows), strict=True)]

    @property
    def finished(self) -> int:
        """All of them, counted or not."""
        return self.counts.total() + self.void + self.annulled


def results(player: User) -> Results:
    """What became of every match of a player that is over, by one query."""
    groups = (
        _finished(player)
        .order_by()
        .annotate(won=Case(When(WON, then=True), When(LOST, then=False)))
        .annotate(annulled=Case(When(match__annulled_at=None, then=False), default=True))
        .values_list("match__rated", "won", "match__reason", "annulled")
        .annotate(Count("pk"))
    )
    counts: Counter[tuple[bool, bool, str]] = Counter()
    void = annulled = 0
    for rated, won, reason, was_annulled, n in groups:
        if won is None:
            void += n
        elif was_annulled:
            annulled += n
        else:
            counts[rated, won, reason] += n
    return Results(counts, void, annulled)


@dataclass(frozen=True, slots=True)
class Record:
    """What the matches of a player against one opponent came to."""

    opponent: User
    won: int
    lost: int


def head_to_head(player: User, first: User | None = None) -> list[Record]:
    """The opponents a player has met most often, ``first`` (the visitor) before all others."""
    theirs = Seat.objects.filter(COUNTED, match__seats__user=player, user__isnull=False)
    me = first.pk if first else None
    met = (
        theirs.exclude(user=player)
        .values("user")
        .annotate(won=Count("pk", filter=LOST), lost=Count("pk", filter=WON))
        .annotate(n=Count("pk"), leads=_leads(me))
        .order_by("leads", "-n", "user")[:OPPONENTS]
    )
    rows = list(met)
    users = User.objects.in_bulk([row["user"] for row in rows])
    return [Record(users[row["user"]], row["won"], row["lost"]) for row in rows]


def _leads(user_id: int | None) -> Case:
    return Case(
        When(user=user_id or 0, then=Value(0)), default=Value(1), output_field=IntegerField()
    )


@dataclass(frozen=True, slots=True)
class Figures:
    """The tallies of a player's matches, summed up; see ``games.models.Tally``."""

    matches: int
    rounds: int
    rounds_won: int
    from_ends: int
    from_blocks: int
    from_auctions: int
    bids: int
    bought: int
    paid: int
    brought: int
    decisions: int
    thought: int
    bank: int

    @property
    def points(self) -> int:
        """Taken from opponents, whatever for."""
        return self.from_ends + self.from_blocks + self.from_auctions

    @property
    def per_match(self) -> dict[str, float]:
        names = (*SUMS, "points")
        return {name: getattr(self, name) / max(1, self.matches) for name in names}

    @property
    def per_opening(self) -> dict[str, float]:
        """Of the bought openings."""
        return {name: getattr(self, name) / max(1, self.bought) for name in ("paid", "brought")}

    @property
    def went_out(self) -> float:
        """In how many of a hundred rounds."""
        return 100 * self.rounds_won / max(1, self.rounds)

    @property
    def pace(self) -> float:
        """How many seconds a decision took."""
        return self.thought / 1000 / max(1, self.decisions)

    @property
    def bank_used(self) -> str:
        """In a match, as minutes and seconds."""
        return words.minutes(round(self.bank / max(1, self.matches)))


#: What is summed up.
SUMS = tuple(field.name for field in fields(Figures) if field.name != "matches")


def figures(player: User) -> Figures:
    """What a player's counted matches add up to, by one query."""
    tallies = Tally.objects.filter(seat__user=player, seat__match__annulled_at=None)
    sums = tallies.aggregate(n=Count("pk"), **{f"all_{name}": Sum(name) for name in SUMS})
    return Figures(sums["n"], **{name: sums[f"all_{name}"] or 0 for name in SUMS})


@dataclass(frozen=True, slots=True)
class Choice:
    """Which of a player's matches one wants to see; empty means any."""

    kind: str = ""
    result: str = ""
    opponent: str = ""

    def seats(self, player: User) -> QuerySet[Seat]:
        chosen = _finished(player)
        chosen = chosen.filter(KINDS.get(self.kind, Q()), RESULTS.get(self.result, Q()))
        if self.opponent:
            others = Seat.objects.filter(user__username__iexact=self.opponent).exclude(user=player)
            chosen = chosen.filter(match__in=others.values("match"))
        return chosen.order_by("-match__ended_at", "-pk")


@dataclass(frozen=True, slots=True)
class Played:
    """One line of a player's matches."""

    match: Match
    opponent: Seat
    won: bool | None
    manner: str
    change: int | None

    @property
    def outcome(self) -> str:
        return words.outcome(self.won)


def page_of(player: User, choice: Choice, number: str | None) -> Page[Seat]:
    """A page of a player's matches, the newest first; the nearest one to a wrong number."""
    seats = choice.seats(player).select_related("match").defer("match__snapshot")
    return Paginator(seats.prefetch_related("match__seats__user"), ROWS).get_page(number)


def played(player: User, seats: Sequence[Seat]) -> list[Played]:
    """The lines of a page."""
    ids = [seat.match_id for seat in seats]
    voids = Event.objects.filter(match__in=ids, do="void")
    void_reasons = dict(voids.values_list("match", "data__reason"))
    changes = RatingChange.objects.filter(
        user=player, match_id__in=ids, kind=RatingChange.Kind.MATCH
    )
    by_match = {change.match_id: change.difference for change in changes}
    return [
        Played(
            seat.match,
            next(other for other in seat.match.seats.all() if other.seat != seat.seat),
            None if seat.match.winner is None else seat.match.winner == seat.seat,
            words.manner(seat.match.reason, void_reasons.get(seat.match_id) or ""),
            by_match.get(seat.match_id),
        )
        for seat in seats
    ]


def playing(player: User) -> Seat | None:
    """The opponent's seat in the match a player is in at the moment."""
    mine = Seat.objects.filter(user=player, live=True).values("match")
    others = Seat.objects.filter(match__in=mine).exclude(user=player)
    return others.select_related("match", "user").defer("match__snapshot").first()


def _finished(player: User) -> QuerySet[Seat]:
    return Seat.objects.filter(user=player, match__ended_at__isnull=False)
