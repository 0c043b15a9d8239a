"""The match page for the keyboard and the ear: what keys do, what is said, where the focus is."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from playwright.sync_api import Page, expect

from accounts.models import ChosenPreferences, User
from games.models import Match
from games.rules import events
from games.rules.match import Phase, apply, compulsory
from games.rules.record import parse_event
from games.store import load
from tests.games.factory import go_on, whatever_comes
from tests.tools import wait_until

from . import positions as at
from .stage import aside
from .table import live, my_turn, phase_of, together, version_of, wait_for_version
from .test_match import stored

NewPage = Callable[..., Page]
MakeUser = Callable[[str], User]

LISTENER = """
window.heard = [];
new MutationObserver((changes) => {
  for (const { target, addedNodes } of changes) {
    const region = target.closest?.("#spoken, #alert");
    if (!region) continue;
    for (const node of addedNodes) window.heard.push(`${region.id}: ${node.textContent}`);
  }
}).observe(document, { childList: true, subtree: true });
"""
TONES = """
window.tones = 0;
const nothing = () => {};
const ramp = {
  setValueAtTime: nothing,
  linearRampToValueAtTime: nothing,
  exponentialRampToValueAtTime: nothing,
};
window.AudioContext = class {
  state = "running";
  destination = {};
  get currentTime() { return performance.now() / 1000; }
  resume() {}
  createOscillator() {
    return { frequency: {}, connect: (next) => next, start() { window.tones += 1; }, stop() {} };
  }
  createGain() { return { gain: ramp, connect: (next) => next }; }
};
"""


def table(
    new_page: NewPage, make_user: MakeUser, told: Sequence[Any] = (), *, scripts: Sequence[str] = ()
) -> tuple[Match, Page, Page]:
    """A match after ``told`` and the pages of seat 0 and seat 1."""
    users = [make_user("Ada"), make_user("Bo")]
    match = stored(users, told, seconds_ago=at.last_moment(list(told)) // 1000 + 2)
    pages = [new_page(user) for user in users]
    for page in pages:
        for script in scripts:
            page.add_init_script(script)
        page.goto(match.get_absolute_url())
        live(page)
    return match, pages[0], pages[1]


def heard(page: Page) -> list[str]:
    """What the live regions have said."""
    said: list[str] = page.evaluate("window.heard")
    return said


def focus_of(page: Page) -> str:
    """The id of what has the focus, or its class; blank where nothing of the match has it."""
    name: str = page.evaluate(
        "(({activeElement: a}) => a.closest('#match') ? a.id || a.className : '')(document)"
    )
    return name


def turn_by_keys(page: Page) -> None:
    """Draw until a tile fits, and lay the first one that does on its first end."""
    while my_turn(page):
        before = version_of(page)
        if page.locator("#draw").count():
            page.keyboard.press("g")
            wait_for_version(page, before + 1)
            continue
        page.keyboard.press("Home")
        for _ in range(page.locator(".tile").count()):
            if page.locator(".tile:focus[aria-pressed]").count():
                break
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        if focus_of(page).startswith("arm-"):
            page.keyboard.press("Enter")
        wait_for_version(page, before + 1)
        return


def press(page: Page, key: str, pages: Sequence[Page]) -> None:
    """Press a key that ends a decision; all pages show what it brought about."""
    before = version_of(page)
    page.keyboard.press(key)
    for each in pages:
        wait_for_version(each, before + 1)


def test_from_start_to_a_draw(new_page: NewPage, make_user: MakeUser) -> None:
    _, ada, bo = table(new_page, make_user)
    for page in (ada, bo):
        page.keyboard.press("n")
    for page in (ada, bo):
        wait_for_version(page, 4)
    for _ in range(6):
        page = ada if my_turn(ada) else bo
        turn_by_keys(page)
        for each in (ada, bo):
            wait_for_version(each, version_of(page))
        if phase_of(ada) != "play":
            break
    assert ada.locator("#log li").count() > 4


def test_what_does_not_fit_is_drawn_and_the_tile_is_put_back(
    new_page: NewPage, make_user: MakeUser
) -> None:
    _, ada, _ = table(new_page, make_user, at.must_draw())
    before = ada.locator(".tile").count()
    expect(ada.locator("#draw")).to_have_attribute("aria-keyshortcuts", "G D")
    while ada.locator("#draw").count():
        press(ada, "d", [ada])
    assert ada.locator(".tile").count() > before
    ada.keyboard.press("ArrowRight")
    ada.keyboard.press("Enter")
    assert focus_of(ada).startswith("arm-")
    ada.keyboard.press("Escape")
    assert focus_of(ada) == "h65"
    ada.keyboard.press("w")  # no such end: it is one of those there are
    assert ada.locator(".tile[aria-pressed=true]").count() in (0, 1)
    turn_by_keys(ada)
    assert not my_turn(ada)


def test_a_match_with_the_keyboard_alone(new_page: NewPage, make_user: MakeUser) -> None:
    """From Start through rounds and an auction to the end, which somebody resigns to."""
    match, *pages = table(new_page, make_user)
    past: set[str] = set()
    while not {"play", "auction"} <= past or phase_of(pages[0]) != "play":
        past.add(phase := phase_of(pages[0]))
        before = version_of(pages[0])
        if phase in {"new", "round_over"}:
            for page in pages:
                page.keyboard.press("n")
            before += 1  # the second press brings the deal
        elif phase == "auction":
            (page,) = (one for one in pages if one.locator("#panel form.answer").count())
            if page.locator("#bid-amount").count() and not page.locator("#accept").count():
                page.locator("#bid-amount").focus()
                page.keyboard.press("Enter")
            else:
                page.keyboard.press("a" if page.locator("#accept").count() else "p")
        else:
            turn_by_keys(pages[0] if my_turn(pages[0]) else pages[1])
        for page in pages:
            wait_for_version(page, before + 1)
        together(*pages)
    page = pages[0]
    page.locator("#resign-open").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#resign")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.locator("#resign [type=submit]")).to_be_focused()
    page.keyboard.press("Enter")
    wait_until(lambda: phase_of(pages[1]) == "match_over")
    aside(match.refresh_from_db)
    assert (match.winner, match.reason) == (1, "resignation")


def test_a_step_by_letter_accepts_no_bid_that_comes_meanwhile(
    new_page: NewPage, make_user: MakeUser
) -> None:
    told = at.written(at.jockey(1).deal_quiet(1, 1).go_on())
    _, ada, bo = table(new_page, make_user, told)
    before = version_of(ada)
    bo.evaluate(
        """() => {
            const press = () => document.body.dispatchEvent(
                new KeyboardEvent("keydown", { key: "a", bubbles: true })
            );
            const match = document.getElementById("match");
            match.addEventListener("htmx:wsBeforeMessage", press);
            match.addEventListener("htmx:wsAfterMessage", press);
        }"""
    )
    ada.locator("#bid-go").click()
    wait_for_version(bo, before + 1)
    expect(bo.locator("#accept")).to_be_visible()
    expect(bo.locator("#match.busy")).to_have_count(0)
    assert version_of(bo) == before + 1


def test_a_key_that_is_held_down_takes_and_answers_once(
    new_page: NewPage, make_user: MakeUser
) -> None:
    told = at.written(at.jockey(1).deal_quiet(1, 1).go_on().bid(0, 15))
    _, ada, bo = table(new_page, make_user, told)
    before = version_of(bo)
    expect(bo.locator("#accept")).to_be_visible()
    bo.evaluate(
        """() => document.body.dispatchEvent(
            new KeyboardEvent("keydown", { key: "a", repeat: true, bubbles: true })
        )"""
    )
    expect(bo.locator("#match.busy")).to_have_count(0)  # it may have been held to walk in the hand
    bo.keyboard.press("c")
    bo.keyboard.down("a")
    for page in (ada, bo):
        wait_for_version(page, before + 1)
    ada.keyboard.press("Home")
    ada.keyboard.down("Enter")
    ada.keyboard.down("Enter")  # again, as the system repeats it
    expect(ada.locator(".tile[aria-pressed=true]")).to_have_count(1)
    expect(ada.locator("#match.busy")).to_have_count(0)
    assert version_of(ada) == before + 1
    ada.keyboard.up("Enter")
    ada.keyboard.press("Enter")
    for page in (ada, bo):
        wait_for_version(page, before + 2)


def test_an_auction_and_its_opening(new_page: NewPage, make_user: MakeUser) -> None:
    told = at.written(at.jockey(1).deal_quiet(1, 1).go_on())
    _, ada, bo = table(new_page, make_user, told, scripts=[LISTENER])
    assert focus_of(ada) == ""  # no answer has the focus by itself
    expect(ada.locator("#decline")).to_have_attribute("aria-keyshortcuts", "P")
    ada.keyboard.press("ArrowUp")
    ada.keyboard.press("ArrowUp")
    ada.keyboard.press("ArrowDown")
    expect(ada.locator("#bid-amount")).to_have_attribute("aria-valuenow", "20")
    ada.keyboard.press("Enter")  # the bid does not have the focus
    assert version_of(ada) == version_of(bo)
    expect(ada.locator("#bid-amount")).to_have_text("20")
    ada.locator("#bid-amount").focus()
    press(ada, "Enter", [ada, bo])
    bo.keyboard.press("m")
    answers = "Accept and receive 20, or bid 25 and pay 10."
    assert heard(bo) == [f"spoken: Ada bids 20. {answers}", f"spoken: {answers}"]
    bo.locator("#bid-go").focus()
    press(bo, "Enter", [ada, bo])
    expect(ada.locator("#bids li")).to_have_text(["You bid 20.", "Bo bids 25."])
    assert focus_of(bo) == "stage"
    press(ada, "a", [ada, bo])
    expect(bo.locator("#hand.asked")).to_have_count(1)
    turn_by_keys(bo)
    assert phase_of(bo) == "play"


def test_continue_and_a_win(new_page: NewPage, make_user: MakeUser) -> None:
    told = at.nearly_won()
    _, ada, bo = table(new_page, make_user, told)
    last = at.won_by_points()[-1]
    assert isinstance(last, events.Play)
    ada.keyboard.press("1")
    while focus_of(ada) != f"h{last.tile.high}{last.tile.low}":
        ada.keyboard.press("ArrowRight")
    ada.keyboard.press("Enter")
    if focus_of(ada).startswith("arm-"):
        while focus_of(ada) != f"arm-{last.arm}":
            ada.keyboard.press("ArrowRight")
        ada.keyboard.press("Enter")
    expect(bo.locator("#panel h2")).to_contain_text("Ada wins")
    expect(ada.locator("#panel h2")).to_contain_text("You win")


def test_continue_by_key(new_page: NewPage, make_user: MakeUser) -> None:
    _, ada, bo = table(new_page, make_user, at.written(at.jockey(1)))
    for page in (ada, bo):
        expect(page.locator("#ready")).to_have_attribute("aria-keyshortcuts", "N")
        page.keyboard.press("N")
    for page in (ada, bo):
        wait_until(lambda page=page: phase_of(page) == "auction", 25)  # type: ignore[misc]


def test_keys_are_listed_changed_kept_and_switched_off(
    new_page: NewPage, make_user: MakeUser
) -> None:
    _, ada, _ = table(new_page, make_user, at.first_tile(), scripts=[LISTENER])
    ada.keyboard.press("?")
    rows = ada.locator("#keys [data-action]")
    expect(rows).to_have_count(22)
    said = ada.locator("#keys-said")
    change = ada.locator('[data-action="ends"] [data-change]')
    change.click()
    ada.keyboard.press("h")
    expect(said).to_contain_text("“H” is taken: Say your tiles.")
    ada.keyboard.press("F5")
    expect(said).to_contain_text("cannot be used")
    ada.keyboard.press("Escape")
    expect(ada.locator("#keys")).to_be_visible()
    change.click()
    with ada.expect_response("**/preferences/") as kept:
        ada.keyboard.press("k")
    assert kept.value.status == 204
    expect(ada.locator('[data-action="ends"] kbd')).to_have_text("K")
    ada.keyboard.press("Escape")
    expect(ada.locator("#keys")).to_be_hidden()
    assert aside(lambda: ChosenPreferences.objects.get().values) == {"keymap": {"ends": "k"}}

    ada.reload()
    live(ada)
    ada.keyboard.press("e")
    ada.keyboard.press("k")
    assert heard(ada) == ["spoken: Ends: left 6, right 6. Sum 12."]
    ada.keyboard.press("?")
    with ada.expect_response("**/preferences/"):
        ada.locator("#keys-reset").click()
    ada.keyboard.press("Escape")
    ada.keyboard.press("e")
    assert len(heard(ada)) == 2  # the same once more is heard once more

    expect(ada.locator("#keys-open")).to_have_attribute("aria-keyshortcuts", "?")
    switched = {"keys": False}
    ada.evaluate(
        "now => document.body.dispatchEvent(new CustomEvent('preferences', {detail: now}))",
        switched,
    )
    assert ada.locator("[aria-keyshortcuts]").count() == 0
    for key in ("e", "ArrowRight", "?"):
        ada.keyboard.press(key)
    assert len(heard(ada)) == 2
    # What lost its place with the dialog loses the focus as the page is drawn again.
    wait_until(lambda: focus_of(ada) == "")
    expect(ada.locator("#keys")).to_be_hidden()


ASKED = {
    "e": "Ends: left 6, right 6. Sum 12.",
    "h": "Your tiles, 7: six-five, six-four, five-one, four-blank, double three, double two,"
    " one-blank.",
    "m": "Six-five, tile 1 of 7. Fits left, right. Six-four, tile 2 of 7. Fits left, right.",
    "v": "Opened with double six. The spinner is double six.",
    "l": "Bo opens with double six. Ends 6, 6: 12. Nothing is paid.",
    "x": "Ends: left 6, right 6. Sum 12. 12 is no multiple of five and pays nothing.",
    "o": "Bo: tiles 6, points 150. Bo is connected.",
    "b": "Boneyard 14.",
}


def test_whoever_asks_is_told(new_page: NewPage, make_user: MakeUser) -> None:
    _, ada, _ = table(new_page, make_user, at.first_tile(), scripts=[LISTENER])
    expect(ada.locator("#presence-1.here")).to_have_count(1)
    for key in ASKED:
        ada.keyboard.press(key)
    assert heard(ada) == [f"spoken: {sentence}" for sentence in ASKED.values()]
    ada.keyboard.press("c")
    assert heard(ada)[-1].startswith("spoken: Ada: bank 2:00, delay ")
    assert heard(ada)[-1].endswith("running. Bo: bank 2:00.")


def test_what_happens_is_said_once_and_stays_in_view(
    new_page: NewPage, make_user: MakeUser
) -> None:
    told = at.many_drawn(3)
    match, _, bo = table(new_page, make_user, told[:-3], scripts=[LISTENER])
    expect(bo).to_have_title("Ada – Bo · Spectacular Bid")
    quiet = bo.locator("link[rel=icon]").get_attribute("href")
    now = load(match.pk).position.state.at
    lay = {"do": "play", "seat": 0, "tile": "6-5", "arm": "left", "at": now}
    draw = {"do": "draw", "seat": 0, "at": now}
    for event in (draw, draw, draw, lay):
        aside(partial(go_on, match, [event]))
    wait_for_version(bo, len(told) + 1)
    said = (
        "Ada drew 3 and holds 9. Boneyard 11. Ada lays six-five left. Ends 5, double 6: 17."
        " Nothing is paid. Your turn: choose a tile."
    )
    assert heard(bo) == [f"spoken: {said}"]
    expect(bo).to_have_title("● Your turn · Spectacular Bid")
    assert bo.locator("link[rel=icon]").get_attribute("href") != quiet
    strip = bo.locator(".recap")
    expect(strip).to_have_text("Adadrew 3← left")
    expect(strip.locator("use")).to_have_attribute("href", "#t65")
    bo.reload()
    live(bo)
    expect(strip).to_have_text("Adadrew 3← left")  # and nothing is said again
    assert heard(bo) == []
    turn_by_keys(bo)
    expect(strip).to_have_count(0)
    expect(bo).to_have_title("Ada – Bo · Spectacular Bid")
    assert bo.locator("link[rel=icon]").get_attribute("href") == quiet


def test_sounds_are_allowed_once_and_never_for_what_is_past(
    new_page: NewPage, make_user: MakeUser
) -> None:
    _, ada, bo = table(new_page, make_user, at.first_tile(), scripts=[TONES])
    tones = "window.tones"
    turn_by_keys(ada)
    wait_for_version(bo, version_of(ada))
    assert bo.evaluate(tones) == 0
    with bo.expect_response("**/preferences/"):
        bo.keyboard.press("z")
    expect(bo.locator("#sound")).to_have_attribute("aria-pressed", "true")
    tried = bo.evaluate(tones)
    assert tried > 0
    turn_by_keys(bo)
    wait_for_version(ada, version_of(bo))
    turn_by_keys(ada)
    wait_for_version(bo, version_of(ada))
    assert bo.evaluate(tones) > tried
    assert ada.evaluate(tones) == 0
    bo.reload()
    live(bo)
    expect(bo.locator("#sound")).to_have_attribute("aria-pressed", "true")
    bo.locator(".stage").click(position={"x": 5, "y": 5})
    assert bo.evaluate(tones) == 0
    assert aside(lambda: ChosenPreferences.objects.get().values) == {"sound": True}


CONTROLS = (".log", ".stage", ".tile >> nth=-1", "#act .btn", "#keys-open", "#panel .btn", "#fold")


def test_the_focus_outlives_fifty_views(new_page: NewPage, make_user: MakeUser) -> None:
    match, ada, _ = table(new_page, make_user)
    driver = Driver(match)
    kept = lost = 0
    top = 0
    for view in range(50):
        control = ada.locator(CONTROLS[view % len(CONTROLS)]).first
        if control.count() and control.is_visible():
            control.focus()
        before = focus_of(ada)
        wait_for_version(ada, driver.go_on())
        after = focus_of(ada)
        assert after, f"view {view}: {before} had the focus, and nothing has"
        kept += after == before
        lost += after != before
        if view == 40:
            top = ada.evaluate("document.querySelector('.log').scrollTop = 20")
        if view > 40:
            assert ada.evaluate("document.querySelector('.log').scrollTop") == top
    assert kept > 30
    ada.evaluate("document.querySelector('.log').scrollTop = 1e6")
    wait_for_version(ada, driver.go_on())
    assert ada.evaluate(
        "(({scrollTop, scrollHeight, clientHeight}) => scrollHeight - scrollTop - clientHeight < 3)"
        "(document.querySelector('.log'))"
    )


class Driver:
    """Both players of a stored match, who do whatever comes, at once."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.chance = random.Random(5)
        self.waiting: list[Any] = []

    def go_on(self) -> int:
        """The next thing that happens; gives the version it brings about."""
        return aside(self._go_on)

    def _go_on(self) -> int:
        state = load(self.match.pk).position.state
        if not self.waiting:
            self.waiting = whatever_comes(state, self.chance, state.at)
        told = [self.waiting.pop(0)]
        while self.waiting and told[-1].do != "ready":
            told.append(self.waiting.pop(0))
        for event in told:
            state = apply(state, event)
        if (only := compulsory(state)) and state.phase is not Phase.MATCH_OVER:
            told.append(parse_event({"do": only, "seat": state.to_act, "at": state.at}))
        go_on(self.match, told)
        return self.match.version


def test_little_time_is_told_once_each_to_eye_and_ear(
    new_page: NewPage, make_user: MakeUser
) -> None:
    """Ada has a few seconds more than ten on her bank, and hers is the move."""
    users = [make_user("Ada"), make_user("Bo")]
    match = stored(users, at.opening_forced(), seconds_ago=114)  # it began 1 s later
    ada = new_page(users[0])
    ada.add_init_script(LISTENER)
    ada.add_init_script(TONES)
    ada.add_init_script("Object.defineProperty(document, 'hidden', {get: () => window.away})")
    ada.goto(match.get_absolute_url())
    live(ada)
    ada.keyboard.press("z")
    wait_until(lambda: "alert: 10 seconds left." in heard(ada), 25)
    assert len([line for line in heard(ada) if "left" in line]) == 1
    expect(ada.locator("#clock-0.low.last")).to_have_count(1)
    expect(ada).to_have_title("● Your turn · Spectacular Bid")
    assert ada.evaluate("window.tones") >= 5  # one to try it, of two tones, and three for little
    ada.evaluate("window.away = true")
    wait_until(lambda: " left · " in ada.title(), 5)


def test_a_finished_match_is_stepped_through_by_keys(
    new_page: NewPage, make_user: MakeUser
) -> None:
    match = stored([make_user("Ada"), make_user("Bo")], at.won_by_points())
    watcher = new_page()
    watcher.goto(match.get_absolute_url())
    watcher.locator("#replay").click()
    step = watcher.locator("#steps-title")
    expect(step).to_contain_text("Step 1 of ")
    watcher.keyboard.press("ArrowRight")
    expect(step).to_contain_text("Step 2 of ")
    watcher.locator("#next").focus()
    watcher.keyboard.press("Enter")
    expect(step).to_contain_text("Step 3 of ")
    expect(watcher.locator("#next")).to_be_focused()
    watcher.keyboard.press("End")
    expect(watcher.locator("#next")).to_have_attribute("aria-disabled", "true")
    expect(watcher.locator("#told")).to_contain_text("Ada wins the match")
    watcher.keyboard.press("ArrowLeft")
    expect(watcher.locator("#told")).not_to_contain_text("wins")
