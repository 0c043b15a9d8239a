// Clocks. The server's figures count; between them the page counts down by itself.

import { byId, fill, minutes, remaining, sinceLoad, write } from "../page.js";
import { showTitle } from "./attention.js";
import { say, state, tell, words } from "./match.js";
import { play } from "./sound.js";

const DELAY = 10000; // ms that every decision has of its own
const LOW = 20000; // ms of bank below which a clock warns
const LAST = 10000; // ms below which it warns more loudly
const STEPS = [[LAST, "low", "last"], [LOW, "twenty", "low"], [30000, "thirty"], [60000, "minute"]];

let ahead = null; // the server's clock less ours, in ms, from the quickest answer lately
let seen = { running: "", left: 0, delay: 0, due: null, banks: [0, 0], now: 0 };
let flaggedAt = -Infinity;
let warnedAt = null; // the bank, in ms, when the viewer's clock was last looked at

function learn(offset, trip) {
  const now = sinceLoad();
  if (!ahead || trip <= ahead.trip * 1.5 + 20 || now - ahead.at > 20000) ahead = { offset, trip, at: now };
}

/** An answer to a ping: `sent` on our clock, `now` on the server's. */
export function hearPong({ sent, now }) {
  learn(now - (sent + sinceLoad()) / 2, sinceLoad() - sent);
  tick();
}

/** Forget what was learnt: after a sleep it is no longer true. */
export function forget() {
  ahead = null;
  readClock();
}

/** Take over the figures of the newest view. */
export function readClock() {
  const figures = state();
  const now = Number(figures.now);
  // Before the first pong a view's own arrival is the best guess.
  if (!ahead || Math.abs(now - ahead.offset - sinceLoad()) > 60000) {
    ahead = { offset: now - sinceLoad(), trip: 1000, at: sinceLoad() };
  }
  seen = {
    running: figures.running,
    left: Number(figures.left),
    delay: Number(figures.delay),
    due: figures.due === "" ? null : Number(figures.due),
    banks: figures.banks.split(" ").map(Number),
    now,
  };
  flaggedAt = -Infinity;
  tick();
}

/** A seat's clock now: bank and delay in ms, and whether it runs. */
export function clockOf(seat) {
  const running = seen.running === String(seat);
  if (!running) return { bank: seen.banks[seat], delay: 0, running };
  const passed = Math.max(0, sinceLoad() + ahead.offset - seen.now);
  const { delay, bank } = remaining({ ...seen, bank: seen.banks[seat] }, passed);
  return { bank, delay, running };
}

export function tick() {
  if (words.link === "closed") return; // the figures are not ours to count on
  const passed = Math.max(0, sinceLoad() + ahead.offset - seen.now);
  if (seen.running !== "") tickDecision(passed);
  if (seen.due !== null) {
    const due = seen.due - passed;
    for (const element of document.querySelectorAll(".due")) write(element, minutes(due));
    if (due <= 0) flag();
  }
}

function tickDecision(passed) {
  const clock = byId(`clock-${seen.running}`);
  const { delay, bank, left } = remaining({ ...seen, bank: seen.banks[seen.running] }, passed);
  write(clock.querySelector(".delay"), fill(words.delay, { seconds: Math.ceil(delay / 1000) }));
  write(clock.querySelector(".bank"), minutes(bank));
  clock.querySelector(".gauge rect")?.setAttribute("width", Math.min(100, (100 * delay) / DELAY).toFixed(1));
  clock.classList.toggle("spending", delay <= 0);
  clock.classList.toggle("low", bank <= LOW);
  clock.classList.toggle("last", bank <= LAST);
  if (seen.running === state().you) {
    warn(bank);
    showTitle(delay <= 0 ? bank : Infinity);
  }
  if (left <= 0) flag();
}

// Each once in a match: a bank is never filled again. For those who do not see the clock it is
// said, for all it sounds. What is long past, as after a reload, is not told.
function warn(bank) {
  const before = warnedAt ?? bank;
  warnedAt = bank;
  const [limit, sentence, sound] = STEPS.find(([step]) => before > step && bank <= step) ?? [];
  if (!limit || bank < limit - 2000) return;
  if (sentence === "low") tell(words.low);
  else say(words[sentence]);
  if (sound) play(sound);
}

function flag() {
  if (!byId("flag") || words.link !== "live" || sinceLoad() - flaggedAt < 1200) return;
  flaggedAt = sinceLoad();
  htmx.trigger("#flag", "tick");
}

setInterval(tick, 200);
