// The story of the match, as the lines of the log tell it.

import { byId } from "../page.js";

const ENDS_A_TURN = ["play", "pass", "bid", "accept", "decline"];

export const lines = () => [...byId("log").children];
export const numberOf = (line) => Number(line.id.slice(1));
export const endsTurn = (line) => ENDS_A_TURN.includes(line.dataset.do);

/** The sentences of a line, without the figure that stands beside them. */
export const textOf = (line) =>
  [...line.childNodes].filter((node) => node.nodeName !== "B").map((node) => node.textContent).join("").trim();

/** The lines of the running round, or of the last one. */
export function thisRound() {
  const all = lines();
  const head = all.findLastIndex((line) => line.classList.contains("head"));
  return all.slice(head + 1);
}

/** How many tiles the player of a line had drawn in that turn before it. */
export function drawsBefore(line) {
  let draws = 0;
  for (let one = line.previousElementSibling; one; one = one.previousElementSibling) {
    if (one.dataset.do !== "draw" || one.dataset.seat !== line.dataset.seat) break;
    draws += 1;
  }
  return draws;
}

const box = () => byId("log").parentElement;
let following = true;
let top = 0;

/** Whoever has scrolled back to read is left there. */
export function markPlace() {
  const { scrollHeight, scrollTop, clientHeight } = box();
  following = scrollHeight - scrollTop - clientHeight < 12;
  top = scrollTop;
}

/** To the newest line, or to where the reader was. */
export function scrollLog() {
  box().scrollTop = following ? box().scrollHeight : top;
}

/** Drop what came twice. */
export function tidyLog() {
  const known = new Set();
  for (const line of lines()) {
    if (known.has(line.id)) line.remove();
    known.add(line.id);
  }
  scrollLog();
}
