// Keys, while the match has the focus.

import { byId, usable } from "../page.js";
import { stepBid } from "./bid.js";
import { chosen, putBack, tiles } from "./choice.js";
import { match } from "./match.js";

const arrows = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };

function walk(list, from, by) {
  const at = list.indexOf(from);
  list[(at + by + list.length) % list.length]?.focus();
}

function onArrow(event) {
  const focused = document.activeElement;
  const way = arrows[event.key];
  const by = way === "right" || way === "down" ? 1 : -1;
  if (focused.matches("#lay [data-arm]")) {
    const straight = byId(`arm-${way}`);
    const open = [...document.querySelectorAll("#lay [data-arm]")].filter(usable);
    if (usable(straight) && straight !== focused) straight.focus();
    else walk(open, focused, by);
  } else if (focused.matches("#bid *")) {
    stepBid(way === "up" || way === "right" ? 1 : -1);
  } else if (!focused.matches(".tile")) {
    const first = tiles().find(usable) || tiles()[0];
    if (!first || focused.matches(".log, summary, .panel *, dialog *")) return;
    first.focus();
  } else walk(tiles(), focused, by);
  event.preventDefault();
}

match.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("dialog")) return;
  if (event.key in arrows) onArrow(event);
  else if (event.key === "Escape" && chosen()) putBack();
  else if (/^[dg]$/i.test(event.key)) byId("draw")?.click();
  else if (/^n$/i.test(event.key)) byId("ready")?.click();
});
