// Choosing a tile, then an end.

import { byId, usable } from "../page.js";
import { match } from "./match.js";

let taken = null; // the tile taken up, as the record writes it

export const chosen = () => taken;
export const tiles = () => [...document.querySelectorAll(".tile")];
export const tileOf = (name) => tiles().find((tile) => tile.dataset.tile === name);
export const armsOf = (name) => (tileOf(name)?.dataset.arms || "").split(" ").filter(Boolean);

export function choose(name) {
  taken = armsOf(name).length ? name : null;
  const arms = taken ? armsOf(taken) : [];
  for (const tile of tiles()) {
    if (tile.hasAttribute("aria-pressed")) tile.setAttribute("aria-pressed", String(tile.dataset.tile === taken));
  }
  for (const button of document.querySelectorAll("#lay [data-arm]")) {
    button.setAttribute("aria-disabled", String(!arms.includes(button.dataset.arm)));
  }
  for (const target of document.querySelectorAll(".target")) {
    target.classList.toggle("on", arms.includes(target.dataset.arm));
  }
}

/** Lay the tile that is taken up; nothing happens where it does not fit. */
export function lay(arm) {
  const form = byId("lay");
  if (!form || !taken || !armsOf(taken).includes(arm)) return;
  form.elements.tile.value = taken;
  form.elements.arm.value = arm;
  form.requestSubmit();
}

export function activate(tile, byKey) {
  const arms = armsOf(tile.dataset.tile);
  if (!arms.length) return;
  if (taken === tile.dataset.tile && arms.length === 1) {
    lay(arms[0]);
    return;
  }
  choose(tile.dataset.tile);
  if (byKey) byId(`arm-${arms[0]}`)?.focus();
}

export function putBack() {
  const tile = taken && tileOf(taken);
  choose(null);
  tile?.focus();
}

match.addEventListener("click", (event) => {
  const tile = event.target.closest(".tile");
  const end = event.target.closest("[data-arm]");
  if (tile && usable(tile)) activate(tile, event.detail === 0);
  else if (end && usable(end)) lay(end.dataset.arm);
});

// The end a pointer is over is shown on the table and on its button alike.
for (const kind of ["pointerover", "pointerout", "focusin", "focusout"]) {
  match.addEventListener(kind, (event) => {
    const arm = event.target.closest?.("[data-arm]")?.dataset.arm;
    if (!arm) return;
    const on = kind === "pointerover" || kind === "focusin";
    for (const target of document.querySelectorAll(".target")) {
      if (target.dataset.arm === arm) target.classList.toggle("near", on);
    }
  });
}
