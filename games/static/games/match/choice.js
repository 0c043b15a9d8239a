// Choosing a tile, then an end, and laying it there.

import { byId, usable } from "../page.js";
import { onOtherRoom, showTargets, targetAt, targetsShown } from "./drawing.js";
import { match, say, words } from "./match.js";

let taken = null; // the tile taken up, as the record writes it
let asked = null; // the end at which it is asked whether it is to lie there

export const chosen = () => taken;
export const tiles = () => [...document.querySelectorAll(".tile")];
export const tileOf = (name) => tiles().find((tile) => tile.dataset.tile === name);

const listed = (tile, key) => (tile?.dataset[key] || "").split(" ").filter(Boolean);
export const armsOf = (name) => listed(tileOf(name), "arms");

/** The ends a tile may be laid on, each with what it would pay; 0 where that is not to be shown. */
export function paysOf(name) {
  const tile = tileOf(name);
  const pays = listed(tile, "pays");
  const shown = words.pays !== "off";
  return new Map(listed(tile, "arms").map((arm, index) => [arm, shown ? Number(pays[index] ?? 0) : 0]));
}

export function choose(name) {
  const pays = name ? paysOf(name) : new Map();
  taken = pays.size ? name : null;
  for (const tile of tiles()) {
    if (tile.hasAttribute("aria-pressed")) tile.setAttribute("aria-pressed", String(tile.dataset.tile === taken));
  }
  for (const button of document.querySelectorAll("#lay [data-arm]")) {
    const points = pays.get(button.dataset.arm);
    button.setAttribute("aria-disabled", String(points === undefined));
    button.querySelector(".pays")?.remove();
    if (!points) continue;
    const label = document.createElement("b");
    label.className = "pays";
    label.textContent = `+${points}`;
    button.append(label);
  }
  showTargets(taken, pays);
  ask(null);
}

/** Lay the tile that is taken up; nothing happens where it does not fit. Whoever wants to be
 *  asked is asked first. Tells whether it is on its way. */
export function lay(arm) {
  const form = byId("lay");
  if (!form || !taken || !armsOf(taken).includes(arm)) return false;
  if (words.confirm === "on" && asked !== arm) {
    ask(arm);
    return false;
  }
  ask(null);
  form.elements.tile.value = taken;
  form.elements.arm.value = arm;
  form.requestSubmit();
  return true;
}

/** Ask whether the tile is to lie at this end, or no longer. */
function ask(arm) {
  const before = asked;
  asked = arm;
  for (const target of targetsShown()) target.classList.toggle("sure", target.dataset.arm === arm);
  const bar = byId("sure");
  if (!bar) return;
  const within = bar.contains(document.activeElement);
  const byKey = byId("lay")?.contains(document.activeElement);
  bar.hidden = arm === null;
  bar.parentElement.classList.toggle("asking", arm !== null);
  if (arm !== null) {
    if (byKey || within) byId("sure-yes").focus();
    if (before !== arm) say(words.sure);
  } else if (within) (tileOf(taken) ?? match.querySelector(".stage")).focus({ preventScroll: true });
}

export function activate(tile, byKey) {
  const arms = armsOf(tile.dataset.tile);
  if (!arms.length) return;
  if (taken === tile.dataset.tile && arms.length === 1) {
    lay(arms[0]);
    if (byKey && asked) byId("sure-yes")?.focus();
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
  else if (event.target.closest("#sure-yes")) lay(asked);
  else if (event.target.closest("#sure-no")) putBack();
});

match.addEventListener("preferred", () => choose(taken));
onOtherRoom(() => {
  if (!taken) return;
  showTargets(taken, paysOf(taken));
  targetAt(asked)?.classList.add("sure");
});

// The end a pointer is over is shown on the table and on its button alike.
for (const kind of ["pointerover", "pointerout", "focusin", "focusout"]) {
  match.addEventListener(kind, (event) => {
    const arm = event.target.closest?.("[data-arm]")?.dataset.arm;
    if (arm) targetAt(arm)?.classList.toggle("near", kind === "pointerover" || kind === "focusin");
  });
}
