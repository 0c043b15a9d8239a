// What comes after the match: ratings and a rematch, loaded anew when there is news of it.

import { byId } from "../page.js";
import { match } from "./match.js";

let there = ""; // who was there when it was last asked for

export function lookAgain(news) {
  const after = byId("after");
  const address = after?.getAttribute("hx-get");
  if (address) htmx.ajax("GET", news ? `${address}?news` : address, { target: after, source: after });
}

export function onPresence() {
  const seen = [...document.querySelectorAll(".presence")].map((one) => one.classList.contains("here")).join();
  if (seen === there) return;
  if (there) lookAgain(false);
  there = seen;
}

// It is left as it is where nothing has changed but the token of its form: a finger may be on it.
const said = (html) => html.replace(/name="csrfmiddlewaretoken" value="[^"]*"/g, "");
let saidAfter = "";
let wasAfter = false; // whether the focus was in it

match.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target.id === "after") {
    const text = said(event.detail.serverResponse);
    if (text === saidAfter && byId("after").childElementCount) event.detail.shouldSwap = false;
    saidAfter = text;
  }
  wasAfter = event.detail.target.id === "after" && event.detail.target.contains(document.activeElement);
});

match.addEventListener("htmx:afterSettle", () => {
  if (!wasAfter || match.contains(document.activeElement)) return;
  (byId("after")?.querySelector("button, .btn") ?? match.querySelector(".stage")).focus({ preventScroll: true });
});
