// Views, refusals and pongs as they come in.

import { byId, usable } from "../page.js";
import { lookAgain, onPresence } from "./after.js";
import { showTitle } from "./attention.js";
import { changeBid } from "./bid.js";
import { choose, chosen, tileOf, tiles } from "./choice.js";
import { readClock } from "./clock.js";
import { draw } from "./drawing.js";
import { showKeys } from "./keys.js";
import { markPlace, scrollLog, tidyLog } from "./log.js";
import { hushLater, match, state } from "./match.js";
import { listBids, recap } from "./recap.js";
import { setBusy } from "./sending.js";
import { soundNews } from "./sound.js";
import { showAbsence, tellNews, tellPresence } from "./voice.js";

let held = null; // where the focus was, if it was in the match
let folded = false; // whether the player has put the panel aside to see the table
let bid = null; // the amount that was chosen, and in which version
let shown = Number(state().version);

const version = (text) => Number(/id="state"[^>]*data-version="(\d+)"/.exec(text)?.[1] ?? NaN);

match.addEventListener("htmx:wsBeforeMessage", (event) => {
  if (version(event.detail.message) < Number(state().version)) {
    event.preventDefault(); // overtaken by a newer one
    return;
  }
  markPlace();
  held = whereFocusIs();
  folded = document.querySelector("#panel details")?.open === false;
  const amount = byId("bid")?.elements.points.value;
  bid = amount ? { amount: Number(amount), version: state().version } : null;
});

match.addEventListener("htmx:wsAfterMessage", (event) => {
  const text = event.detail.message;
  if (text.includes("data-refused")) {
    setBusy(false);
    hushLater();
  } else if (text.includes('id="state"')) onView(event.detail.socketWrapper);
  else if (text.includes('id="look-again"')) lookAgain(true);
  else if (text.includes('id="presence-')) {
    onPresence();
    tellPresence();
    showAbsence();
  }
  keepFocus();
});

function onView(socket) {
  const figures = state();
  const full = "full" in figures;
  const missed = !full && Number(figures.from) > shown;
  shown = Number(figures.version);
  setBusy(false);
  byId("board").classList.toggle("moved", !full);
  if (folded) document.querySelector("#panel details")?.removeAttribute("open");
  tidyLog();
  update();
  if (bid?.version === figures.version && byId("bid")) {
    changeBid(bid.amount - Number(byId("bid").elements.points.value)); // the same question again
  }
  // A lost message shows as a gap: what the table is came whole, the log does not.
  if (missed) {
    socket.reconnect();
    return; // what it tells comes whole then
  }
  soundNews(full);
  tellNews();
  match.dispatchEvent(new CustomEvent("view"));
}

/** Bring everything that hangs on the figures up to date. */
export function update() {
  const figures = state();
  match.dataset.phase = figures.phase;
  showTitle();
  for (const form of document.querySelectorAll("#flag, #resign form")) form.elements.version.value = figures.version;
  if (figures.phase === "match_over") byId("resign")?.close();
  draw();
  choose(figures.only || (chosen() && tileOf(chosen()) ? chosen() : null));
  recap();
  listBids();
  showKeys();
  showAbsence();
  scrollLog();
  readClock();
}

function whereFocusIs() {
  const focused = document.activeElement;
  if (!match.contains(focused)) return null;
  return { id: focused.id, tile: tiles().indexOf(focused), end: focused.matches("#act *") };
}

const seen = (element) => Boolean(element?.getClientRects().length);

// The focus stays on what has the same name; where that is gone, close to where it was. It never
// goes to an answer by itself, only to a tile or to the match as a whole.
function keepFocus() {
  if (!held || (match.contains(document.activeElement) && seen(document.activeElement))) return;
  const all = tiles();
  const places = [held.id ? byId(held.id) : null];
  if (held.tile >= 0) places.push(all[Math.min(held.tile, all.length - 1)]);
  if (held.end) places.push(byId("draw"), ...all.filter(usable), all[0]);
  places.push(match.querySelector(".stage"));
  places.find(seen)?.focus({ preventScroll: true });
}
