// Sending: one command at a time.

import { match, hush } from "./match.js";

let busy = 0;
const quiet = (form) => form.id === "ping" || form.id === "flag";

/** Whether a command is on its way. */
export const isBusy = () => Boolean(busy);

export function setBusy(on) {
  clearTimeout(busy);
  // An answer that never comes must not lock the page.
  busy = on ? setTimeout(() => setBusy(false), 10000) : 0;
  match.classList.toggle("busy", on);
}

// A form that is not sent must not be submitted the old way either.
match.addEventListener("submit", (event) => {
  if (event.target.hasAttribute("ws-send")) event.preventDefault();
}, true);

match.addEventListener("htmx:wsConfigSend", (event) => {
  const form = event.target;
  event.detail.headers = null; // the server reads none: keep frames small
  if (quiet(form)) return;
  if (busy) {
    event.preventDefault();
    return;
  }
  hush();
  setBusy(true);
  if (form.hasAttribute("data-close")) form.closest("dialog").close();
});
