// Views, refusals and pongs as they come in.

import { byId, usable } from "../page.js";
import { lookAgain, onPresence } from "./after.js";
import { choose, chosen, tileOf, tiles } from "./choice.js";
import { readClock } from "./clock.js";
import { hushLater, match, state, words } from "./match.js";
import { setBusy } from "./sending.js";

let held = false; // whether the focus was in the match, and on what
let focusId = "";
let folded = false; // whether the player has put the panel aside to see the table
let shown = Number(state().version);

const version = (text) => Number(/id="state"[^>]*data-version="(\d+)"/.exec(text)?.[1] ?? NaN);

match.addEventListener("htmx:wsBeforeMessage", (event) => {
  if (version(event.detail.message) < Number(state().version)) {
    event.preventDefault(); // overtaken by a newer one
    return;
  }
  const focused = document.activeElement;
  held = match.contains(focused);
  focusId = held ? focused.id : "";
  folded = document.querySelector("#panel details")?.open === false;
});

match.addEventListener("htmx:wsAfterMessage", (event) => {
  const text = event.detail.message;
  if (text.includes("data-refused")) {
    setBusy(false);
    hushLater();
  } else if (text.includes('id="state"')) onView(event.detail.socketWrapper);
  else if (text.includes('id="look-again"')) lookAgain(true);
  else if (text.includes('id="presence-')) onPresence();
  keepFocus();
});

function onView(socket) {
  const figures = state();
  const missed = !("full" in figures) && Number(figures.from) > shown;
  shown = Number(figures.version);
  setBusy(false);
  byId("board").classList.toggle("moved", !("full" in figures));
  if (folded) document.querySelector("#panel details")?.removeAttribute("open");
  tidyLog();
  update();
  // A lost message shows as a gap: what the table is came whole, the log does not.
  if (missed) socket.reconnect();
}

/** Bring everything that hangs on the figures up to date. */
export function update() {
  const figures = state();
  match.dataset.phase = figures.phase;
  document.title = `${figures.title} · ${words.site}`;
  for (const form of document.querySelectorAll("#flag, #resign form")) form.elements.version.value = figures.version;
  if (figures.phase === "match_over") byId("resign")?.close();
  choose(figures.only || (chosen() && tileOf(chosen()) ? chosen() : null));
  readClock();
}

export function scrollLog() {
  const box = byId("log").parentElement;
  box.scrollTop = box.scrollHeight;
}

function tidyLog() {
  const known = new Set();
  for (const line of [...byId("log").children]) {
    if (known.has(line.id)) line.remove();
    known.add(line.id);
  }
  scrollLog();
}

// The focus stays on what has the same name; where that is gone, close to where it was.
function keepFocus() {
  if (!held || match.contains(document.activeElement)) return;
  const places = [focusId && byId(focusId), ...tiles().filter(usable), ...tiles(), match.querySelector(".stage")];
  places.find((place) => place && place.getClientRects().length)?.focus({ preventScroll: true });
}
