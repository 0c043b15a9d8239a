// Dragging a tile from the hand to an end, with a mouse, a pen or a finger.
//
// The picture that follows the pointer, the capture and every listener are on what stays; the tile
// in the hand and the targets may be replaced by a view at any moment.

import { byId, usable } from "../page.js";
import { activate, armsOf, choose, lay, tileOf } from "./choice.js";
import { lie, onScreen, pixels, targetAt, targetsShown } from "./drawing.js";
import { match, state, words } from "./match.js";
import { glide, still } from "./motion.js";
import { isBusy } from "./sending.js";

const SLOP = { mouse: 5, pen: 8, touch: 10 }; // px until a press is no tap any more
const REACH = 2.2; // half tiles from the middle of a target within which it is meant
const AT_LEAST = 64; // px, likewise, on a small table
const LIFT = 34; // px that a tile lies above the finger, so that it is seen

let press = null; // a pointer that is down on a tile
let drag = null; // a tile that follows it
let landed = null; // a tile that was let go over an end, until the server has answered
let dropped = ""; // the tile that was last let go over an end
let swallowUntil = 0; // a click that ends a drag is none

const flying = document.createElement("div");
flying.className = "dragged";
flying.hidden = true;
flying.setAttribute("aria-hidden", "true");
flying.innerHTML = '<svg viewBox="-1 -.5 2 1"><use/></svg>';
match.append(flying);

window.addEventListener("pointerdown", () => { swallowUntil = 0; }, true);

match.addEventListener("pointerdown", (event) => {
  const tile = event.target.closest?.(".tile");
  if (press || drag || !tile || !usable(tile) || !event.isPrimary || event.button !== 0) return;
  if (!armsOf(tile.dataset.tile).length || isBusy()) return;
  const name = tile.dataset.tile;
  press = { id: event.pointerId, kind: event.pointerType, name, tile, x: event.clientX, y: event.clientY };
});

window.addEventListener("pointermove", (event) => {
  if (event.pointerId === press?.id) begin(event);
  if (event.pointerId === drag?.id) follow(event);
});

window.addEventListener("pointerup", (event) => {
  if (event.pointerId === press?.id) begin(event); // a flick may have had no other moves
  if (event.pointerId === press?.id) tap(event);
  press = null;
  if (event.pointerId !== drag?.id) return;
  follow(event);
  swallowUntil = event.timeStamp + 60;
  drop();
});

window.addEventListener("pointercancel", (event) => {
  if (event.pointerId === press?.id) press = null;
  if (event.pointerId === drag?.id) giveUp();
});

match.addEventListener("lostpointercapture", (event) => {
  if (event.pointerId === drag?.id && event.target === match) giveUp();
});

window.addEventListener("click", (event) => {
  if (event.timeStamp > swallowUntil) return;
  event.stopPropagation();
  event.preventDefault();
}, true);

window.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !drag) return;
  event.stopPropagation();
  event.preventDefault();
  giveUp();
}, true);

match.addEventListener("contextmenu", (event) => {
  if (press || drag) event.preventDefault();
});

// A finger's tap counts as it ends: the browser may make a click of it or not, and makes none where
// a view has replaced the tile under it.
function tap(event) {
  const tile = tileOf(press.name);
  if (!tile || (press.kind === "mouse" && press.tile.isConnected)) return;
  swallowUntil = event.timeStamp + 400;
  activate(tile, false);
}

function begin(event) {
  const { kind, x, y, name } = press;
  if (Math.hypot(event.clientX - x, event.clientY - y) < (SLOP[kind] ?? SLOP.touch)) return;
  const tile = tileOf(name);
  const id = press.id;
  press = null;
  dropped = "";
  if (!tile || !armsOf(name).length || isBusy() || words.link !== "live") return;
  const box = tile.querySelector("svg").getBoundingClientRect();
  drag = {
    id, name,
    lift: kind === "touch" ? LIFT : 0,
    size: box.width, // px per half tile in the hand
    over: null,
    turn: 90,
  };
  try {
    match.setPointerCapture(id);
  } catch { /* a pointer that is up already */ }
  flying.querySelector("use").setAttribute("href", `#t${name.replace("-", "")}`);
  flying.style.width = `${2 * drag.size}px`;
  flying.hidden = false;
  flying.classList.toggle("still", still());
  lifted(true);
  choose(name);
  match.classList.add("dragging");
}

function follow(event) {
  drag.x = event.clientX;
  drag.y = event.clientY - drag.lift;
  const meant = nearest(event.clientX, event.clientY);
  if (meant !== drag.over) {
    drag.over = meant;
    for (const target of targetsShown()) target.classList.toggle("near", target.dataset.arm === meant);
  }
  const turn = meant ? lie(drag.name, meant).turn : 90;
  place(drag.x, drag.y, turn, meant ? pixels() / drag.size : 1);
}

// The picture is turned the short way round.
function place(x, y, turn, scale) {
  const mover = drag ?? landed;
  mover.turn += ((turn - mover.turn + 540) % 360) - 180;
  flying.style.translate = `${x}px ${y}px`;
  flying.style.rotate = `${mover.turn}deg`;
  flying.style.scale = String(scale);
}

// The end whose target is nearest to the finger or to the tile above it, within reach.
function nearest(x, y) {
  const reach = Math.max(AT_LEAST, REACH * pixels());
  let best = { arm: null, distance: reach };
  for (const target of targetsShown()) {
    const at = onScreen(lie(drag.name, target.dataset.arm));
    const distance = Math.min(Math.hypot(at.x - x, at.y - y), Math.hypot(at.x - x, at.y - y + drag.lift));
    if (distance < best.distance) best = { arm: target.dataset.arm, distance };
  }
  return best.arm;
}

function drop() {
  const { over, name } = drag;
  const behind = document.querySelector("dialog:modal"); // opened by a key meanwhile
  if (!over || behind || words.link !== "live" || isBusy()) {
    giveUp();
    return;
  }
  const { x, y } = onScreen(lie(name, over));
  landed = { ...drag, x, y };
  dropped = name;
  end();
  choose(name);
  if (!lay(over)) {
    // It is asked first whether it is to lie there: the tile waits in the hand.
    settle(false);
    return;
  }
  place(x, y, lie(name, landed.over).turn, pixels() / landed.size);
  tileOf(name)?.classList.add("lifted");
  if (!isBusy()) settle(true); // it could not be sent
}

/** Let go without laying: the tile goes back to the hand. */
function giveUp() {
  dropped = "";
  landed = { ...drag };
  end();
  choose(state().only || null);
  settle(true);
}

function end() {
  const { id } = drag;
  lifted(false);
  drag = null;
  match.classList.remove("dragging");
  for (const target of targetsShown()) target.classList.remove("near");
  if (match.hasPointerCapture(id)) match.releasePointerCapture(id);
}

/** What was let go is where it belongs: on the table, or on its way back to the hand. */
function settle(back) {
  if (!landed) return;
  const { name, size } = landed;
  const tile = tileOf(name);
  landed = null;
  tile?.classList.remove("lifted");
  const home = back && tile?.querySelector("svg").getBoundingClientRect();
  if (!home?.width || still()) {
    flying.hidden = true;
    return;
  }
  const from = getComputedStyle(flying);
  const frames = [
    { translate: from.translate, rotate: from.rotate, scale: from.scale },
    { translate: `${home.left + home.width / 2}px ${home.top + home.height / 2}px`, rotate: "90deg", scale: home.width / size },
  ];
  glide(flying, frames, 160, { done: () => { if (!drag && !landed) flying.hidden = true; } });
}

const lifted = (on) => tileOf(drag.name)?.classList.toggle("lifted", on);

/** Whether this tile was dragged to where it lies: it need not be seen to move there again. */
export const wasDragged = (name) => name === dropped;

// A view: the drag goes on with the new targets where the tile still fits.
match.addEventListener("view", () => {
  if (landed) settle(Boolean(tileOf(landed.name)));
  if (press && !armsOf(press.name).length) press = null;
  if (!drag) return;
  if (!armsOf(drag.name).length || state().phase === "match_over") {
    giveUp();
    return;
  }
  choose(drag.name);
  lifted(true);
  drag.over = null;
  follow({ clientX: drag.x, clientY: drag.y + drag.lift });
});

match.addEventListener("idle", () => {
  // Refused, or without an answer. A view says so itself once everything is in place.
  if (landed && tileOf(landed.name)) queueMicrotask(() => settle(true));
});

function interrupt() {
  press = null;
  if (drag) giveUp();
  else settle(true);
}

match.addEventListener("htmx:wsClose", interrupt);
document.addEventListener("visibilitychange", () => { if (document.visibilityState === "hidden") interrupt(); });
window.addEventListener("pagehide", interrupt);
window.addEventListener("blur", interrupt);
