// Stepping through a finished match with the arrow keys; the links do the same without a script.

import { byId } from "./page.js";

const WAYS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };
const FOCUS = "replay-focus"; // which link was pressed, for the page that comes

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || !(event.key in WAYS)) return;
  const way = byId(WAYS[event.key]);
  if (!way?.hasAttribute("href") || event.target.closest("input, select, textarea, .log")) return;
  event.preventDefault();
  way.click();
});

for (const way of Object.values(WAYS)) {
  byId(way)?.addEventListener("click", () => {
    if (document.activeElement === byId(way)) sessionStorage.setItem(FOCUS, way);
  });
}

// Whoever steps by a link goes on from the same link.
const way = sessionStorage.getItem(FOCUS);
sessionStorage.removeItem(FOCUS);
if (way) byId(way)?.focus({ preventScroll: true });

const log = byId("log").parentElement;
log.scrollTop = log.scrollHeight;
