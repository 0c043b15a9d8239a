// What the other player did since your last move, at a glance; it stays until you move.

import { byId, fill } from "../page.js";
import { endsTurn, textOf, thisRound } from "./log.js";
import { match, sentences, state } from "./match.js";

const SVG = "http://www.w3.org/2000/svg";
const WAYS = { open: "", left: "← ", right: "→ ", up: "↑ ", down: "↓ " };

/** The lines of the turn to look back at: the other player's since your last move, or, for whoever
 *  watches, the last one. */
function lastTurn() {
  const told = thisRound();
  const { you } = state();
  if (you !== "") {
    const own = told.findLastIndex((line) => line.dataset.seat === you && endsTurn(line));
    return told.slice(own + 1).filter((line) => line.dataset.seat !== you);
  }
  const end = told.findLastIndex(endsTurn);
  const before = told.slice(0, Math.max(end, 0)).findLastIndex(endsTurn);
  return told.slice(before + 1);
}

function piece(name, text, kind = "") {
  const element = document.createElement(name);
  element.textContent = text;
  element.className = kind;
  return element;
}

function face(key) {
  const svg = document.createElementNS(SVG, "svg");
  const use = document.createElementNS(SVG, "use");
  svg.setAttribute("viewBox", "-1 -.5 2 1");
  use.setAttribute("href", `#t${key}`);
  svg.append(use);
  return svg;
}

/** Put it in place of the sentence; where there is no such turn the sentence stays. */
export function recap() {
  const said = document.querySelector("#status .said");
  const turn = lastTurn().filter((line) => ["draw", "play", "pass"].includes(line.dataset.do));
  const covered = document.querySelector("#panel.veil"); // until the next player has the device
  if (!said || !turn.length || covered || state().phase === "match_over") return;
  const strip = piece("span", "", "recap");
  strip.setAttribute("aria-hidden", "true");
  strip.append(piece("b", match.dataset[`name${turn[0].dataset.seat}`], "who"));
  const draws = turn.filter((line) => line.dataset.do === "draw").length;
  if (draws) strip.append(piece("span", fill(sentences.recapDrew, { n: draws })));
  for (const line of turn) {
    const { tile, arm } = line.dataset;
    if (line.dataset.do === "pass") strip.append(piece("span", sentences.recapPass));
    if (tile) {
      const to = sentences[`to${arm[0].toUpperCase()}${arm.slice(1)}`];
      strip.append(face(tile), piece("span", `${WAYS[arm]}${to}`));
    }
    const gain = line.querySelector("b");
    if (gain) strip.append(piece("b", gain.textContent, `gain ${gain.className}`));
  }
  const whole = piece("span", said.textContent, "visually-hidden");
  said.replaceChildren(whole, strip);
}

/** The bids of the auction so far, in its panel. */
export function listBids() {
  const list = byId("bids");
  if (!list) return;
  const made = thisRound().filter((line) => line.dataset.do === "bid");
  list.replaceChildren(...made.map((line) => piece("li", textOf(line))));
  list.hidden = made.length < 2; // the one that stands is told above
}
