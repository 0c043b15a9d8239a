// What is said: each thing that happens once, and answers to those who ask. Every sentence is the
// server's; here they are put in order, and figures are put in.

import { byId, fill, minutes, write } from "../page.js";
import { tiles } from "./choice.js";
import { clockOf } from "./clock.js";
import { drawsBefore, endsTurn, lines, numberOf, textOf, thisRound } from "./log.js";
import { match, on, say, sentences, state } from "./match.js";

const AT_MOST = 8; // lines told at once: whoever was away longer reads the log
const AWAY_FOR = 3000; // ms that somebody may be gone, to load the page anew, before it is told

let toldTo = Number(state().version); // what happened up to here has been told
let toldTodo = todo();

const mine = (line) => line.dataset.seat !== undefined && line.dataset.seat === state().you;
const part = (name, seat) => Number(state()[name].split(" ")[seat]);
const nameOf = (seat) => match.dataset[`name${seat}`];

function todo() {
  return document.querySelector("#status .todo").textContent;
}

/** A tile in words, from its key. */
export const tileName = (key) => document.querySelector(`#sentences [data-tile="${key}"]`).textContent;

function drew(line) {
  const draws = mine(line) ? 0 : drawsBefore(line);
  if (!draws) return "";
  const { seat } = line.dataset;
  const figures = { name: nameOf(seat), drew: draws, held: part("held", seat), left: state().boneyard };
  return fill(sentences.drew, figures);
}

/** Say what is new since it was last said. The other player's draws wait for what comes of them. */
export function tellNews() {
  const figures = state();
  const fresh = lines().filter((line) => numberOf(line) > toldTo);
  const told = fresh
    .filter((line) => line.dataset.do !== "draw" || mine(line))
    .slice(-AT_MOST)
    .map((line) => `${drew(line)} ${textOf(line)}`.trim());
  toldTo = Number(figures.version);
  if (told.length) told.push(figures.more);
  const answersTold = figures.phase === "auction" && figures.more && told.length;
  if (!answersTold && (todo() !== toldTodo || (told.length && "asked" in figures))) told.push(todo());
  toldTodo = todo();
  say(told.filter(Boolean).join(" "));
}

// Presence

const absent = new Map(); // timers, and true for those whose absence was told

export function tellPresence() {
  for (const seat of [0, 1]) {
    const shown = byId(`presence-${seat}`)?.classList;
    if (!shown || String(seat) === state().you) continue;
    if (shown.contains("away") && state().phase !== "match_over") {
      if (!absent.has(seat)) absent.set(seat, setTimeout(() => tellAway(seat), AWAY_FOR));
    } else if (absent.has(seat)) {
      if (absent.get(seat) === true) say(fill(sentences.returned, { name: nameOf(seat) }));
      else clearTimeout(absent.get(seat));
      absent.delete(seat);
    }
  }
}

/** Who is away, and what comes of it; "" where nobody is. */
function awaySentence(seat) {
  const { you, running, phase } = state();
  const theirs = running === String(seat);
  const sentence = theirs && you !== "" ? sentences.awayRuns : theirs || running !== "" ? sentences.away : sentences.awayBetween;
  return phase === "match_over" ? "" : fill(sentence, { name: nameOf(seat) });
}

function tellAway(seat) {
  absent.set(seat, true);
  say(awaySentence(seat));
}

/** Show who is away, for as long as that is so. */
export function showAbsence() {
  const away = [0, 1].filter((seat) => String(seat) !== state().you && byId(`presence-${seat}`)?.classList.contains("away"));
  write(byId("absence"), away.map(awaySentence).join(" "));
}

// Answers

const labelOf = (tile) => {
  const text = tile.querySelector("span") ?? tile;
  return [...text.childNodes].filter((node) => on("pays") || node.nodeName !== "I").map((node) => node.textContent).join("");
};

const seats = () => {
  const { you } = state();
  return you === "" ? [0, 1] : [Number(you), 1 - Number(you)];
};

function sayClock(seat) {
  const clock = clockOf(seat);
  const figures = { name: nameOf(seat), bank: minutes(clock.bank), delay: Math.ceil(clock.delay / 1000) };
  return fill(clock.running ? sentences.clockRuns : sentences.clock, figures);
}

function sayPlayer(seat) {
  const figures = { name: nameOf(seat), held: part("held", seat), points: part("chips", seat) };
  const here = byId(`presence-${seat}`)?.classList;
  const there = here?.contains("here") ? sentences.here : here?.contains("away") ? sentences.away : "";
  return `${fill(sentences.player, figures)} ${fill(there, figures)}`.trim();
}

function sayTable() {
  const laid = thisRound().filter((line) => line.dataset.tile);
  if (!laid.length || !state().ends) return sentences.noTable;
  const named = (arm) => laid.filter((line) => line.dataset.arm === arm).map((line) => tileName(line.dataset.tile));
  const double = laid.find((line) => line.dataset.tile[0] === line.dataset.tile[1]);
  const told = [fill(sentences.opened, { tile: named("open").join(", ") })];
  if (double) told.push(fill(sentences.spinner, { tile: tileName(double.dataset.tile) }));
  for (const [arm, sentence] of Object.entries({
    left: sentences.armLeft, right: sentences.armRight, up: sentences.armUp, down: sentences.armDown,
  })) {
    if (named(arm).length) told.push(fill(sentence, { tiles: named(arm).join(", ") }));
  }
  return told.join(" ");
}

function sayLast() {
  const last = lines().findLast((line) => endsTurn(line) || ["resign", "timeout", "void"].includes(line.dataset.do));
  return last ? `${drew(last)} ${textOf(last)}`.trim() : sentences.nothing;
}

const answers = {
  ends: () => state().ends || sentences.noTable,
  hand: () => {
    const held = tiles().map((tile) => tileName(tile.dataset.tile.replace("-", "")));
    return held.length ? fill(sentences.hand, { n: held.length, tiles: held.join(", ") }) : sentences.noHand;
  },
  moves: () => {
    const fitting = tiles().filter((tile) => tile.dataset.arms);
    if (fitting.length) return fitting.map(labelOf).join(" ");
    return state().phase === "auction" && "asked" in state() ? state().more : todo();
  },
  table: sayTable,
  last: sayLast,
  why: () => [state().ends, state().why].filter(Boolean).join(" ") || sayLast(),
  clocks: () => seats().map(sayClock).join(" "),
  opponent: () => (state().you === "" ? seats().map(sayPlayer).join(" ") : sayPlayer(seats()[1])),
  boneyard: () => fill(sentences.boneyard, { left: state().boneyard }),
};

/** Answer one of: ends, hand, moves, table, last, why, clocks, opponent, boneyard. */
export function answer(what) {
  if (!(what in answers)) return false;
  say(answers[what]());
  return true;
}
