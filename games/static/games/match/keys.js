// Keys, while the match has the focus, or nothing has it.

import { byId, sinceLoad, usable } from "../page.js";
import { stepBid } from "./bid.js";
import { chosen, putBack, tiles } from "./choice.js";
import { keysOf, actionsOf } from "./keymap.js";
import { match, on, say } from "./match.js";
import { toggleSound } from "./sound.js";
import { answer } from "./voice.js";

const FIXED = { Enter: "lay", Escape: "back", ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };

// What there is to press only at its moment goes first; then come the ways, then the rest.
const MOMENTS = ["draw", "ready", "accept", "decline", "bid"];
const WAYS = ["left", "right", "up", "down"];
const BUTTONS = { draw: "draw", ready: "ready", accept: "accept", decline: "decline", bid: "bid-go" };

const DEAF = 1000; // ms in which a letter that has just moved answers nothing

const NEVER = { key: "", at: -Infinity };

let walked = NEVER; // the letter that moved last, with no other key since

const seen = (element) => Boolean(element?.getClientRects().length);
const focused = () => document.activeElement;
const openEnds = () => [...document.querySelectorAll("#lay [data-arm]")].filter(usable);
const shownTiles = () => tiles().filter(seen);

function press(id) {
  const button = byId(id);
  if (!seen(button) || !usable(button)) return false;
  button.click();
  return true;
}

function step(list, by) {
  const at = list.indexOf(focused());
  list[(at + by + list.length) % list.length]?.focus();
  return true;
}

function walk(way, byLetter) {
  const by = way === "right" || way === "down" ? 1 : -1;
  const upright = way === "up" || way === "down";
  const ends = openEnds();
  const atEnd = focused().matches("#lay [data-arm]");
  if (atEnd || (ends.length && chosen() && (byLetter || upright))) return toEnd(way, ends, atEnd ? by : 0);
  if (seen(byId("bid")) && (upright || focused().matches("#bid *"))) {
    stepBid(way === "up" || way === "right" ? 1 : -1);
    if (focused().id !== "bid-amount") say(byId("bid-go").textContent);
    return true;
  }
  return toTile(by, upright);
}

function toEnd(way, ends, by) {
  const straight = byId(`arm-${way}`);
  if (usable(straight) && straight !== focused()) straight.focus();
  else if (by) step(ends, by);
  else ends[0].focus();
  return true;
}

function toTile(by, upright) {
  const all = shownTiles();
  if (focused().matches(".tile")) return all.length ? step(all, by) : false;
  if (!all.length || (upright && focused() === document.body)) return false;
  (all.find(usable) ?? all[0]).focus();
  return true;
}

function jump(key) {
  const list = focused().matches("#lay [data-arm]") && !/\d/.test(key) ? openEnds() : shownTiles();
  const place = { Home: 0, End: list.length - 1 }[key] ?? Number(key) - 1;
  list[place]?.focus();
  return place < list.length && list.length > 0;
}

/** Take the tile up, or lay it. What has the focus and can be pressed is pressed by the browser. */
function takeOrLay(byLetter) {
  const here = focused();
  if (here.matches(".tile, #lay [data-arm]")) {
    if (byLetter) here.click();
    return byLetter;
  }
  if (here.id === "bid-amount") return press("bid-go");
  if (here !== match.querySelector(".stage") && !byLetter) return false;
  const next = openEnds()[0] ?? shownTiles().find(usable);
  next?.focus();
  return Boolean(next);
}

function back() {
  if (!chosen()) return false;
  putBack();
  return true;
}

function showList() {
  byId("keys-open").click();
  return true;
}

function mute() {
  toggleSound();
  return true;
}

/** Do what an action says; whether there was anything to do. */
function act(action, byLetter) {
  if (action === "ready" && press("reveal")) return true;
  if (action in BUTTONS) return press(BUTTONS[action]);
  if (WAYS.includes(action)) return walk(action, byLetter);
  if (action === "lay") return takeOrLay(byLetter);
  if (action === "back") return back();
  if (action === "mute") return mute();
  if (action === "help") return showList();
  return answer(action);
}

/** What a key may mean, in the order in which it is tried. Whoever walks by letters does not answer a
 *  bid with a step that was under way as it came. */
function meanings(event) {
  if (event.key in FIXED) return [FIXED[event.key]];
  const walking = event.key === walked.key && sinceLoad() - walked.at < DEAF;
  const found = actionsOf(event).filter((action) => !walking || !MOMENTS.includes(action));
  const rank = (action) => (MOMENTS.includes(action) ? 0 : WAYS.includes(action) ? 1 : 2);
  return found.sort((one, other) => rank(one) - rank(other));
}

// Keys that scroll, or move in a list, belong to what is read there.
const READS = ".log, .log *, summary, .side *, dialog *";
const MOVES = ["Home", "End", ...Object.keys(FIXED).filter((key) => key.startsWith("Arrow"))];

function isOurs(event) {
  const { target } = event;
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return false;
  if (document.querySelector("dialog:modal") || target.closest("dialog[open], input, select, textarea, [contenteditable]")) return false;
  if (!match.contains(target) && ![document.body, document.documentElement, byId("main")].includes(target)) return false;
  return !(MOVES.includes(event.key) && target.closest(READS));
}

document.addEventListener("keydown", (event) => {
  if (!isOurs(event)) return;
  // A key that is held down goes on moving; it takes, lays and answers only once.
  if (event.repeat && event.key === "Enter" && !event.target.matches("[data-step-by]")) event.preventDefault();
  if (!on("keys")) {
    if (event.key === "Escape") back();
    return;
  }
  const byLetter = !(event.key in FIXED);
  if (event.key !== walked.key) walked = NEVER;
  const meant = meanings(event).filter((action) => !event.repeat || WAYS.includes(action));
  const done = meant.some((action) => {
    const acted = act(action, byLetter);
    if (acted && byLetter && WAYS.includes(action)) walked = { key: event.key, at: sinceLoad() };
    return acted;
  })
    || (/^(Home|End|[1-9])$/.test(event.key) && jump(event.key));
  if (done) event.preventDefault();
});

/** Tell of every button which key presses it. */
export function showKeys() {
  const buttons = { ...BUTTONS, mute: "sound", help: "keys-open" };
  for (const [action, id] of [...Object.entries(buttons), ["ready", "reveal"]]) {
    const button = byId(id);
    const keys = on("keys") ? keysOf(action).map((key) => key.toUpperCase()).join(" ") : "";
    if (keys) button?.setAttribute("aria-keyshortcuts", keys);
    else button?.removeAttribute("aria-keyshortcuts");
  }
}

match.addEventListener("preferred", showKeys);
