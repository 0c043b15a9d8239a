// The match on the page: its element, its words, its figures as the server last gave them.

import { byId } from "../page.js";

export const match = byId("match");
export const words = match.dataset;
export const state = () => byId("state").dataset;

/** Say politely what a screen reader should hear next. */
export function say(text) {
  const said = document.querySelector("#status .said");
  if (said) said.textContent = text;
}

let hushing = 0;

/** Tell at once, in view of all. What is told with a link, or as the connection has ended for
 *  good, stays. */
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
  if (words.link === "closed") clearTimeout(hushing);
  else hushLater();
}

export function hushLater() {
  clearTimeout(hushing);
  hushing = setTimeout(hush, 8000);
}

export function hush() {
  byId("alert").replaceChildren();
}
