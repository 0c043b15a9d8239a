// The match on the page: its element, its words, its figures as the server last gave them.

import { byId } from "../page.js";

export const match = byId("match");
export const words = match.dataset;
export const sentences = byId("sentences").dataset;
export const state = () => byId("state").dataset;

/** Something the page marks is on or off, as the preferences have it. */
export const on = (preference) => words[preference] === "on";

const SPOKEN = 60000; // ms that what was said stays, for whoever is slow to be told

/** Say politely what a screen reader should hear next. Each line is one of its own: what is still
 *  to be heard is not lost, and the same twice is heard twice. */
export function say(text) {
  if (!text) return;
  const line = document.createElement("p");
  line.textContent = text;
  byId("spoken").append(line);
  setTimeout(() => line.remove(), SPOKEN);
}

let hushing = 0;

/** Tell at once, in view of all. What is told with a link, or while there is no connection,
 *  stays. */
export function tell(text, link) {
  const line = document.createElement("p");
  line.textContent = text;
  if (link) {
    const way = document.createElement("a");
    way.href = link;
    way.textContent = words.signInLabel;
    line.append(" ", way);
  }
  byId("alert").replaceChildren(line);
  if (words.link === "closed" || words.link === "reconnecting") clearTimeout(hushing);
  else hushLater();
}

export function hushLater() {
  clearTimeout(hushing);
  hushing = setTimeout(hush, 8000);
}

export function hush() {
  byId("alert").replaceChildren();
}

/** Keep a preference; the server answers with all of them. Whether it could be kept. */
export async function keep(name, value) {
  const form = byId("keep");
  let kept = false;
  const heard = (event) => { kept = event.detail.xhr.status === 204; };
  form.addEventListener("htmx:afterRequest", heard, { once: true });
  const values = value === null ? { only: name } : { only: name, [name]: value };
  try {
    await htmx.ajax("POST", form.getAttribute("hx-post"), { source: form, swap: "none", values });
  } catch {
    kept = false; // no connection
  }
  form.removeEventListener("htmx:afterRequest", heard);
  return kept;
}
