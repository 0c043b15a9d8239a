// Sending: one command at a time.

import { match, hush, say, state, tell, words } from "./match.js";
import { byId } from "../page.js";
import { lines } from "./log.js";

let busy = 0;
let drawnFor = ""; // the version, and the connection, for which a tile was drawn by itself
let connections = 0;
let sure = null; // the answer of an auction that was asked about, and how it read
const quiet = (form) => form.id === "ping" || form.id === "flag";

/** Whether a command is on its way. */
export const isBusy = () => Boolean(busy);

/** Tells "idle" when a command has been answered, one way or the other. */
export function setBusy(on) {
  const before = busy;
  clearTimeout(busy);
  // An answer that never comes must not lock the page.
  busy = on ? setTimeout(() => setBusy(false), 10000) : 0;
  match.classList.toggle("busy", on);
  if (before && !on) match.dispatchEvent(new CustomEvent("idle"));
}

// A form that is not sent must not be submitted the old way either.
match.addEventListener("submit", (event) => {
  if (!event.target.hasAttribute("ws-send")) return;
  event.preventDefault();
  if (!isSure(event)) event.stopImmediatePropagation();
}, true);

match.addEventListener("htmx:wsConfigSend", (event) => {
  const form = event.target;
  event.detail.headers = null; // the server reads none: keep frames small
  if (quiet(form)) return;
  // What cannot be sent now is not kept to be sent later: by then something else may be meant.
  const lost = words.link === "reconnecting" || words.link === "closed";
  if (busy || lost) event.preventDefault();
  if (lost && form.hasAttribute("data-close")) form.closest("dialog").close();
  if (words.link === "reconnecting") tell(words.lost);
  if (busy || lost) return;
  hush();
  setBusy(true);
  if (form.hasAttribute("data-close")) form.closest("dialog").close();
});

// Whoever wants to confirm is asked once more before a bid, and before an answer to one.

function isSure(event) {
  const asks = event.target.matches("#panel .bid, #panel .answer") && words.confirm === "on";
  const button = event.submitter ?? event.target.querySelector("[type=submit]");
  if (!asks || !button || sure?.button === button) {
    forget();
    return true;
  }
  forget();
  sure = { button, text: button.textContent };
  button.textContent = words.again;
  button.classList.add("sure");
  say(words.again);
  return false;
}

function forget() {
  if (!sure) return;
  const { button, text } = sure;
  sure = null;
  if (button.textContent === words.again) button.textContent = text;
  button.classList.remove("sure");
}

match.addEventListener("focusout", (event) => { if (event.target === sure?.button) forget(); });
match.addEventListener("keydown", (event) => { if (event.key === "Escape") forget(); });
match.addEventListener("preferred", forget);
match.addEventListener("click", (event) => { if (sure && !sure.button.contains(event.target)) forget(); });

// Where nothing but drawing is possible, the page may draw by itself.

match.addEventListener("htmx:wsOpen", () => { connections += 1; });

/** Draw, where the player has left that to the page: once for each version of the match. */
export function drawByItself() {
  const button = byId("draw");
  if (words.drawForMe !== "on" || words.link !== "live" || !button || busy) return;
  const now = `${state().version} ${connections}`;
  if (now === drawnFor) return;
  drawnFor = now;
  if (lines().at(-1)?.dataset.do !== "draw") say(words.drawsForYou); // once for each turn
  button.form.requestSubmit(button);
}

match.addEventListener("view", drawByItself);
match.addEventListener("preferred", drawByItself);
