"""What the match page shows: pure functions from a view and its log to a template's context.

Nothing is added to what the view holds, so that whoever may not see a tile cannot find it here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import words
from games.board import FRAMES, Frame, Layout, Placed, lay_out
from games.rules.auction import DISCOUNT, STEP, Bid, price
from games.rules.tiles import ALL_TILES
from games.words import People

View = Mapping[str, Any]
Entries = Sequence[Mapping[str, Any]]

ARMS = ("open", "left", "up", "down", "right")  # as the buttons stand beside the hand
# A phone held upright leaves the table less height than the whole of it would.
DRAWN = FRAMES | {"tall": Frame(390, 450)}
LOW_BANK = 20_000  # ms; below it a clock warns
COUNTER = 5
TILE_SET = tuple(
    {"key": f"{tile.high}{tile.low}", "high": tile.high, "low": tile.low} for tile in ALL_TILES
)


@dataclass(frozen=True, slots=True)
class Face:
    """A tile to draw: its symbol's key, such as ``"65"``, and its name in words."""

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class HandTile:
    """A tile of the viewer's hand; ``arms`` are the ends it may be laid on now."""

    tile: str
    key: str
    arms: tuple[str, ...]
    label: str
    drawn: bool


@dataclass(frozen=True, slots=True)
class Mark:
    """Something drawn at a place of the table: a target or a count."""

    what: str
    transform: str


@dataclass(frozen=True, slots=True)
class Tile:
    """A laid tile: its symbol's key and its place, on a sheet that is turned as a whole."""

    key: str
    x: str
    y: str
    last: bool


@dataclass(frozen=True, slots=True)
class Sheet:
    """The laid tiles that lie turned alike; naming the turn once keeps a view small."""

    turn: int
    tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Drawing:
    """The table drawn for one frame."""

    frame: str
    viewbox: str
    sheets: tuple[Sheet, ...]
    targets: tuple[Mark, ...]
    ends: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Clock:
    """A seat's clock as it stood when this was rendered."""

    bank: str
    delay: int | None
    running: bool
    low: bool


@dataclass(frozen=True, slots=True)
class SeatView:
    """One of the two, at the top or at the bottom of the page."""

    seat: int
    name: str
    you: bool
    side: str
    points: int
    counters: int
    clock: Clock
    held: int
    held_text: str
    jockey: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the log; ``head`` starts a round."""

    n: int
    text: str
    head: bool
    gain: str
    side: str


def page_context(
    info: Mapping[str, Any], view: View, log: Entries, *, full: bool | None = None
) -> dict[str, Any]:
    """The context of ``match.html`` and ``_live.html``.

    ``log`` holds every entry when ``full``, else the new ones; unless told it is full when
    the view has no events of its own, as on connect.
    """
    first, second = info["players"]
    people = People((first, second), view["you"])
    if full is None:
        full = not view["events"]
    bottom = view["you"] if view["you"] is not None else 0
    asked = _asked(view)
    drawn = _drawn(view, log)
    hand = _hand(view, drawn)
    return {
        "info": info,
        "symbols": TILE_SET,
        "view": view,
        "you": view["you"],
        "full": full,
        "seats": [_seat(view, people, 1 - bottom), _seat(view, people, bottom)],
        "drawings": drawings(view),
        "table_text": table_text(view),
        "count": _count(view, people),
        "hand": hand,
        "hand_size": _size(len(hand) if hand else view["hand_sizes"][bottom]),
        "backs": "" if view["hand"] is not None else "x" * view["hand_sizes"][bottom],
        "arms": _arm_buttons(view),
        "must_draw": _can(view, "draw"),
        "panel": _panel(view, people, log),
        "lines": [line for line in (_line(e, people, bottom) for e in log) if line],
        "said": _said(log, people, full=full),
        "todo": _todo(view, people, drawn),
        "state": _state(view, people, hand, asked=asked),
    }


# What the viewer may do


def _answers(view: View, do: str) -> list[Mapping[str, Any]]:
    return [answer for answer in view["legal"] if answer["do"] == do]


def _can(view: View, do: str) -> bool:
    return bool(_answers(view, do))


def _asked(view: View) -> bool:
    """Whether the match waits for this viewer."""
    return bool(view["legal"])


def legal_arms(view: View) -> dict[str, tuple[str, ...]]:
    """For each tile the viewer may lay now, the ends it may be laid on."""
    arms: dict[str, list[str]] = {}
    for answer in _answers(view, "play"):
        arms.setdefault(answer["tile"], []).append(answer["arm"])
    return {tile: tuple(sorted(ends, key=ARMS.index)) for tile, ends in arms.items()}


def _drawn(view: View, log: Entries) -> str | None:
    """The tile this viewer has just drawn and must answer for."""
    if not log or not view["legal"] or view["phase"] != "play":
        return None
    last = log[-1]
    mine = last["do"] == "draw" and last["seat"] == view["you"]
    return last.get("tile") if mine else None


def _hand(view: View, drawn: str | None) -> list[HandTile] | None:
    if view["hand"] is None:
        return None
    arms = legal_arms(view)
    asked = bool(arms) or _can(view, "draw")
    return [
        HandTile(
            tile,
            key(tile),
            arms.get(tile, ()),
            words.tile_label(tile, arms.get(tile, ()), asked=asked),
            tile == drawn,
        )
        for tile in sorted(view["hand"], key=words.halves, reverse=True)
    ]


def key(tile: str) -> str:
    """The key of a tile's symbol: ``"65"`` for ``"6-5"``."""
    return tile.replace("-", "")


def _size(tiles: int) -> str:
    return "few" if tiles <= 8 else "many" if tiles <= 16 else "most"


def _arm_buttons(view: View) -> list[dict[str, str]]:
    arms = {arm for ends in legal_arms(view).values() for arm in ends}
    if arms and arms != {"open"}:
        arms = set(view["ends"])
    return [
        {
            "arm": arm,
            "name": _("Lay it") if arm == "open" else words.arm_name(arm),
            "icon": {"left": "←", "right": "→", "up": "↑", "down": "↓"}.get(arm, ""),
        }
        for arm in ARMS
        if arm in arms
    ]


# The drawn table


def drawings(view: View) -> list[Drawing]:
    """The table for each frame; the page's style shows the one that suits."""
    plays = [(laid["tile"], laid["arm"]) for laid in view["table"]]
    return [_drawing(name, lay_out(plays, frame), view) for name, frame in DRAWN.items()]


def _drawing(name: str, layout: Layout, view: View) -> Drawing:
    used = {placed.arm for placed in layout.tiles} | {"left", "right"}
    targets = layout.targets if _can(view, "play") else {}
    return Drawing(
        name,
        " ".join(_number(edge) for edge in layout.viewbox),
        tuple(_sheets(layout)),
        tuple(Mark(arm, place(target.x, target.y, target.turn)) for arm, target in targets.items()),
        tuple(
            Mark(str(view["ends"][arm]["count"]), place(target.end_x, target.end_y))
            for arm, target in layout.targets.items()
            if arm in view["ends"] and arm in used
        ),
    )


def _sheets(layout: Layout) -> Iterator[Sheet]:
    for turn in sorted({placed.turn for placed in layout.tiles}):
        yield Sheet(
            turn,
            tuple(
                _laid(placed, last=placed is layout.tiles[-1])
                for placed in layout.tiles
                if placed.turn == turn
            ),
        )


def _laid(placed: Placed, *, last: bool) -> Tile:
    x, y = placed.x, placed.y
    turned = {0: (x, y), 90: (y, -x), 180: (-x, -y), 270: (-y, x)}[placed.turn]
    return Tile(key(placed.tile), *(_number(value) if value else "" for value in turned), last)


def place(x: float, y: float, turn: int = 0) -> str:
    """A transform attribute, as short as it can be."""
    moved = f"translate({_number(x)} {_number(y)})" if x or y else ""
    return moved + (f"rotate({turn})" if turn else "")


def _number(value: float) -> str:
    return f"{round(value, 2):g}".replace("0.", ".") if abs(value) < 1 else f"{round(value, 2):g}"


def table_text(view: View) -> str:
    """The table in words, for those who do not see it."""
    if not view["table"]:
        return _("The table is empty.")
    tiles = len(view["table"])
    told = [
        ngettext("The table has %(n)s tile.", "The table has %(n)s tiles.", tiles) % {"n": tiles}
    ]
    spinner = next(
        (laid["tile"] for laid in view["table"] if len(set(words.halves(laid["tile"]))) == 1), None
    )
    if spinner:
        told.append(_("The spinner is %(tile)s.") % {"tile": words.tile_name(spinner)})
    for arm, end in view["ends"].items():
        told.append(
            _("%(arm)s: joins %(value)s, counts %(count)s.")
            % {
                "arm": words.arm_name(arm),
                "value": words.number_word(end["value"]),
                "count": end["count"],
            }
        )
    told.append(_("The count is %(count)s.") % {"count": view["count"]})
    return " ".join(told)


def _count(view: View, people: People) -> dict[str, str] | None:
    """The sum in view term by term, and what it paid or why it paid nothing."""
    if not view["table"]:
        return None
    count, transfer = view["count"], view["transfer"]
    terms = [str(points) for points, _words in words.end_terms(view["ends"])]
    if transfer and transfer["points"] and transfer["for"] == "ends":
        values = {"points": transfer["points"], "name": people.name(transfer["to"])}
        paid = (
            _("+%(points)s to you")
            if people.is_you(transfer["to"])
            else _("+%(points)s to %(name)s")
        ) % values
    elif count and count % COUNTER == 0:
        paid = _("paid")
    elif count:
        paid = _("no multiple of five")
    else:
        paid = _("pays nothing")
    return {
        "terms": " + ".join(terms) if len(terms) > 1 else "",
        "sum": str(count),
        "paid": paid,
        "pays": "pays" if count and count % COUNTER == 0 else "",
    }


# The two seats and their clocks


def _seat(view: View, people: People, seat: int) -> SeatView:
    held = view["hand_sizes"][seat]
    bottom = view["you"] if view["you"] is not None else 0
    return SeatView(
        seat=seat,
        name=people.name(seat),
        you=people.is_you(seat),
        side="me" if seat == bottom else "opp",
        points=view["chips"][seat],
        counters=view["chips"][seat] // COUNTER,
        clock=_clock(view, seat),
        held=held,
        held_text=ngettext("%(n)s tile", "%(n)s tiles", held) % {"n": held},
        jockey=view["jockey"] == seat and view["phase"] in ("auction", "opening", "round_over"),
    )


def bank_now(view: View, seat: int) -> int:
    """A seat's bank at the moment of the view, the running decision included."""
    clock = view["clock"]
    if clock["running"] != seat:
        return int(clock["bank"][seat])
    return int(max(0, clock["left"] - clock["delay_left"]))


def _clock(view: View, seat: int) -> Clock:
    bank = bank_now(view, seat)
    running = view["clock"]["running"] == seat
    delay = -(-view["clock"]["delay_left"] // 1000) if running else None
    # A running clock that has reached nothing has not been judged yet.
    shown = max(1, bank) if running else bank
    return Clock(words.minutes(shown), delay, running, bank <= LOW_BANK)


# The log and the status


def _line(entry: Mapping[str, Any], people: People, bottom: int) -> Line | None:
    text = words.log_sentence(entry, people)
    if not text:
        return None
    gain = words.gain(entry)
    return Line(
        entry["n"],
        text,
        entry["do"] == "deal",
        f"+{gain[1]}" if gain else "",
        ("me" if gain[0] == bottom else "opp") if gain else "",
    )


def _said(log: Entries, people: People, *, full: bool) -> str:
    """What has just happened: the new entries, or on a full render the newest one."""
    told = [
        text
        for entry in log
        if entry["do"] != "deal" and (text := words.log_sentence(entry, people))
    ]
    if full and log:
        deal = max((entry["n"] for entry in log if entry["do"] == "deal"), default=0)
        newest = log[-1]["n"] > deal
        return told[-1] if told and newest and _since(log, deal) else ""
    return " ".join(told)


def _since(log: Entries, n: int) -> bool:
    """Whether anything worth telling happened after event ``n``."""
    return any(entry["n"] > n and entry["do"] in words.TOLD for entry in log)


def _todo(view: View, people: People, drawn: str | None) -> str:
    """What the viewer is to do now, or what is waited for."""
    phase = view["phase"]
    if phase in ("new", "round_over"):
        return _todo_between(view, people)
    if phase == "match_over":
        return _("The match is over.")
    if phase in ("dealt", "handover"):
        return _("The tiles are dealt.")
    if not view["legal"]:
        return _todo_other(phase, people.name(view["to_act"]))
    if phase == "auction":
        return (
            _("A bid stands: accept it or raise it.")
            if view["bid"]
            else _("Your turn: bid, or decline.")
        )
    return _todo_lay(view, drawn)


def _todo_between(view: View, people: People) -> str:
    new = view["phase"] == "new"
    if people.you is None:
        return _("Waiting for both players.")
    if _can(view, "ready"):
        return _("Press Start when you are ready.") if new else _("Press Continue.")
    return _("Waiting for %(name)s.") % {"name": people.name(1 - people.you)}


def _todo_other(phase: str, name: str) -> str:
    told = {
        "auction": _("%(name)s is deciding in the auction."),
        "opening": _("%(name)s is opening."),
    }
    return told.get(phase, _("%(name)s is to move.")) % {"name": name}


def _todo_lay(view: View, drawn: str | None) -> str:
    arms = legal_arms(view)
    if not arms:
        return _("It does not fit: draw again.") if drawn else _("No tile fits: draw.")
    if drawn:
        return _("It fits: lay %(tile)s.") % {"tile": words.tile_name(drawn)}
    if view["phase"] == "opening":
        if len(arms) == 1 and len(view["hand"]) > 1:
            return _("You must open with %(tile)s.") % {"tile": words.tile_name(next(iter(arms)))}
        return _("You open: lay any tile.")
    if len(arms) == 1:
        return _("Your turn: only %(tile)s fits.") % {"tile": words.tile_name(next(iter(arms)))}
    return _("Your turn: choose a tile.")


def _title(view: View, people: People) -> str:
    between = view["phase"] in ("new", "round_over")
    if view["phase"] == "match_over":
        return words.winner_sentence(view["result"], people)
    if between and _can(view, "ready"):
        return _("Start") if view["phase"] == "new" else _("Continue")
    if not between and view["legal"]:
        return _("● Your turn")
    return _("%(one)s – %(two)s") % {"one": people.names[0], "two": people.names[1]}


def _state(
    view: View, people: People, hand: list[HandTile] | None, *, asked: bool
) -> dict[str, Any]:
    """The figures the page's script counts on with."""
    clock = view["clock"]
    playable = [tile for tile in hand or [] if tile.arms]
    return {
        "title": _title(view, people),
        "asked": asked,
        "from": view["version"] - len(view["events"]),
        "running": "" if clock["running"] is None else clock["running"],
        "left": _or_empty(clock.get("left")),
        "delay": _or_empty(clock.get("delay_left")),
        "due": _or_empty(clock.get("due")),
        "banks": " ".join(str(bank_now(view, seat)) for seat in (0, 1)),
        # The only tile that can be laid is taken up at once; laying it is the player's.
        "only": playable[0].tile if len(playable) == 1 else "",
    }


def _or_empty(value: int | None) -> int | str:
    return "" if value is None else value


# The panel: everything that is no laying of tiles


def _panel(view: View, people: People, log: Entries) -> dict[str, Any] | None:
    builders = {
        "new": _new_panel,
        "auction": _auction_panel,
        "round_over": _round_over_panel,
        "match_over": _match_over_panel,
    }
    builder = builders.get(view["phase"])
    if builder is None:
        return None
    return {"kind": view["phase"], **builder(view, people, log)}


def _pressed(view: View, people: People) -> list[dict[str, Any]]:
    return [
        {"name": people.label(seat), "ready": view["ready"][seat], "you": people.is_you(seat)}
        for seat in (0, 1)
    ]


def _due(view: View) -> str:
    due = view["clock"].get("due")
    return "" if due is None else words.minutes(due)


def _new_panel(view: View, people: People, _log: Entries) -> dict[str, Any]:
    return {
        "pressed": _pressed(view, people),
        "can": _can(view, "ready"),
        "due": _due(view),
    }


def _auction_panel(view: View, people: People, _log: Entries) -> dict[str, Any]:
    standing = Bid(**view["bid"]) if view["bid"] else None
    you, jockey = people.you, view["jockey"]
    panel: dict[str, Any] = {
        "about": _about_auction(view, people),
        "standing": _standing(standing, jockey, people) if standing else "",
        "accept": "",
        "decline": "",
        "bid": None,
    }
    if you is None or not view["legal"]:
        return panel
    other = people.name(1 - you)
    if standing and _can(view, "accept"):
        received = price(standing, jockey)
        panel["accept"] = _("Accept: receive %(points)s") % {"points": received}
        panel["accept_note"] = _("%(name)s then opens with any tile.") % {"name": other}
    if _can(view, "decline"):
        panel["decline"] = _("Decline")
        panel["decline_note"] = _("%(name)s then opens free with any tile.") % {"name": other}
    if bids := _answers(view, "bid"):
        panel["bid"] = _bid_form(bids[0], view, you, people)
    elif standing:
        panel["short"] = _("You cannot afford to raise.")
    return panel


def _about_auction(view: View, people: People) -> str:
    jockey = view["jockey"]
    if people.is_you(jockey):
        return _("You went out last and are the jockey: a winning bid of yours costs 15 less.")
    values = {"name": people.name(jockey)}
    if people.you is not None:
        return (
            _(
                "%(name)s went out last and is the jockey: a winning bid of theirs costs 15 less, "
                "yours its full price."
            )
            % values
        )
    return _("%(name)s went out last and is the jockey: a winning bid of theirs costs 15 less.") % (
        values
    )


def _standing(standing: Bid, jockey: int, people: People) -> str:
    paid = price(standing, jockey)
    values = {"name": people.name(standing.seat), "points": standing.points, "price": paid}
    if people.is_you(standing.seat):
        return _("You bid %(points)s and pay %(price)s if it is accepted.") % values
    return _("%(name)s bids %(points)s and pays %(price)s if it is accepted.") % values


def _bid_form(allowed: Mapping[str, Any], view: View, you: int, people: People) -> dict[str, Any]:
    """The stepper: the script fills the same sentences for other amounts."""
    least, discount = allowed["min"], view["jockey"] == you
    values = {"points": least, "price": price(Bid(you, least), view["jockey"])}
    name = {"name": people.name(1 - you)}
    label = (
        _("Raise to %(points)s, pay %(price)s")
        if view["bid"]
        else _("Bid %(points)s, pay %(price)s")
    )
    if discount:
        note = _("Costs %(points)s less 15. If %(name)s accepts, you open with any tile.")
    else:
        note = _("If %(name)s accepts %(points)s, you open with any tile.")
    ruin = _("%(price)s is all you have: if %(name)s accepts, you lose the match at once.")
    note, ruin = (_fill(text, name) for text in (note, ruin))
    return {
        "min": least,
        "max": allowed["max"],
        "step": STEP,
        "discount": DISCOUNT if discount else 0,
        "balance": view["chips"][you],
        "label": label,
        "note": note,
        "ruin": ruin,
        "label_now": label % values,
        "note_now": (ruin if values["price"] >= view["chips"][you] else note) % values,
    }


def _fill(text: str, known: Mapping[str, str]) -> str:
    """Fill some of a sentence's places; a name with a percent sign in it stays one."""
    for name, value in known.items():
        text = text.replace(f"%({name})s", value.replace("%", "%%"))
    return text


def _held(view: View, people: People) -> list[dict[str, Any]]:
    """Both hands as they stood when the round ended, and their sums."""
    hands = view.get("hands") or ([], [])
    order = (1 - people.you, people.you) if people.you is not None else (1, 0)
    return [
        {
            "name": people.label(seat),
            "sum": sum(sum(words.halves(tile)) for tile in hands[seat]),
            "tiles": [
                Face(key(tile), words.tile_name(tile))
                for tile in sorted(hands[seat], key=words.halves, reverse=True)
            ],
        }
        for seat in order
    ]


def _sums(view: View) -> tuple[int, int]:
    first, second = (
        sum(sum(words.halves(tile)) for tile in hand) for hand in view.get("hands") or ([], [])
    )
    return first, second


def _round_over_panel(view: View, people: People, _log: Entries) -> dict[str, Any]:
    jockey = view["jockey"]
    if jockey is None:
        told = words.block_sentence(_sums(view), people)
        told.append(_("There is no auction: the highest double opens the next round."))
        title = _("Round %(round)s: blocked")
    else:
        count = view["count"]
        told = [words.went_out(jockey, people), words.count_sentence(view["ends"], count)]
        if count and count % COUNTER == 0:
            paid = {"from": 1 - jockey, "to": jockey, "points": count}
            told.append(words.payment(paid, people))
        else:
            told.append(_("Nothing is paid."))
        told.append(_("An auction decides who opens the next round."))
        title = (
            _("Round %(round)s: you went out")
            if people.is_you(jockey)
            else _("Round %(round)s: %(name)s went out")
        )
        title = title.replace("%(name)s", people.name(jockey).replace("%", "%%"))
    return {
        "title": title % {"round": view["round"]},
        "told": told,
        "hands": _held(view, people),
        "pressed": _pressed(view, people),
        "can": _can(view, "ready"),
        "due": _due(view),
    }


def _match_over_panel(view: View, people: People, log: Entries) -> dict[str, Any]:
    result, last = view["result"], log[-1] if log else {}
    void = result["winner"] is None
    if void and last.get("do") == "void":
        told = [words.void_sentence(last.get("reason"), last.get("from"), last.get("to"))]
        told.append(_("There is no winner, and no rating changes."))
    else:
        told = [words.end_sentence(result, people)]
    if not void and (transfer := view["transfer"]) and transfer["points"]:
        told.insert(0, words.payment(transfer, people))
    title = _("The match is void") if void else words.winner_sentence(result, people)
    hands = view.get("hands")
    return {
        "title": title,
        "told": told,
        "hands": _held(view, people) if hands and any(hands) else [],
        "score": _("%(one)s %(first)s, %(two)s %(second)s")
        % {
            "one": people.label(0),
            "first": view["chips"][0],
            "two": people.label(1),
            "second": view["chips"][1],
        },
    }
