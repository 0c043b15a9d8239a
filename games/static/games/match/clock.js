// Clocks. The server's figures count; between them the page counts down by itself.

import { byId, fill, minutes, remaining, sinceLoad, write } from "../page.js";
import { say, state, tell, words } from "./match.js";

let ahead = null; // the server's clock less ours, in ms, from the quickest answer lately
let seen = { running: "", left: 0, delay: 0, due: null, banks: [0, 0], now: 0 };
let flaggedAt = -Infinity;
let warned = null;

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
  if (figures.running !== seen.running) warned = null;
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
  clock.classList.toggle("spending", delay <= 0);
  clock.classList.toggle("low", bank <= 20000);
  if (seen.running === state().you && delay <= 0) warn(bank);
  if (left <= 0) flag();
}

// Said once each, for those who do not see the clock.
function warn(bank) {
  const step = [[10000, "low"], [30000, "thirty"], [60000, "minute"]].find(([limit]) => bank <= limit);
  if (!step || warned === step[1]) return;
  const late = bank < step[0] - 2000; // a reload need not repeat what is long past
  warned = step[1];
  if (late) return;
  if (step[1] === "low") tell(words.low);
  else say(words[step[1]]);
}

function flag() {
  if (!byId("flag") || words.link !== "live" || sinceLoad() - flaggedAt < 1200) return;
  flaggedAt = sinceLoad();
  htmx.trigger("#flag", "tick");
}

setInterval(tick, 200);
