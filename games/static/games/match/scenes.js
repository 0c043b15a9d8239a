// What a view has changed, shown in motion: a tile comes from where it was, points go over, the
// sum is told term by term. Everything is in its place already; nothing waits for any of it.

import { byId } from "../page.js";
import { tiles } from "./choice.js";
import { wasDragged } from "./drag.js";
import { endChip, lyingPx, onTable, pixels, tileDrawn } from "./drawing.js";
import { match, state } from "./match.js";
import { finishAll, glide, still } from "./motion.js";

let before = null; // how the page looked when the last view came in

const middle = (element) => {
  const box = element?.getBoundingClientRect();
  return box?.width ? { x: box.left + box.width / 2, y: box.top + box.height / 2, box } : null;
};
const numbers = () => [...document.querySelectorAll("#points .v b")].map((element) => Number(element.textContent));
const shares = () => [...document.querySelectorAll("#points .counters rect")].map((rect) => ({
  x: `${rect.getAttribute("x") ?? 0}px`, width: `${rect.getAttribute("width")}px`,
}));
// How many tiles each player holds, as far as that is written; by seat.
const held = () => new Map([...match.querySelectorAll(".held:has(.n)")].map((element) => [
  element.id, Number.parseInt(element.querySelector(".n").textContent, 10),
]));

match.addEventListener("htmx:wsBeforeMessage", (event) => {
  before = null;
  if (!event.detail.message.includes('id="state"') || still()) return;
  finishAll();
  before = {
    laid: byId("board").dataset.tiles,
    hand: new Map(tiles().map((tile) => [tile.dataset.tile, middle(tile.querySelector("svg"))])),
    held: held(),
    points: numbers(),
    shares: shares(),
    phase: state().phase,
  };
});

match.addEventListener("view", () => {
  const was = before;
  before = null;
  if (!was || "full" in state() || still()) return;
  const names = byId("board").dataset.tiles.split(" ");
  const laid = names.length > 1 || !was.laid ? names.at(-1) : "";
  if (laid && byId("board").dataset.tiles !== was.laid) {
    comeIn(laid, was);
    tellSum();
  }
  moveHand(was);
  for (const [id, count] of held()) {
    if (count > was.held.get(id) && names.join(" ") === was.laid) fromBoneyard(id);
  }
  payOver(was);
});

// The tile that was laid, from the hand or from the other player's seat.
function comeIn(name, was) {
  const tile = tileDrawn(name);
  if (!tile || wasDragged(name)) return;
  const layer = [...held()].find(([id, count]) => count < was.held.get(id))?.[0];
  const start = was.hand.get(name) ?? middle(layer && byId(layer)?.querySelector("svg"));
  if (!start) return;
  const own = was.hand.has(name);
  const from = onTable(start.x, start.y);
  const scale = own && start.box ? start.box.width / pixels() : 0.5;
  const turn = own ? tile.turn + ((90 - tile.turn + 540) % 360) - 180 : tile.turn;
  glide(tile.element, [
    { transform: `${lyingPx({ ...from, turn })} scale(${scale})`, opacity: own ? 1 : 0.3 },
    { transform: `${lyingPx(tile)} scale(1)`, opacity: 1 },
  ], 230);
}

// "4 + 2 + 12 = 18": each term in turn, and its end with it, then the sum and what it pays.
function tellSum() {
  const terms = [...document.querySelectorAll("#board .count [data-end]")];
  const step = Math.min(140, 560 / (terms.length || 1));
  for (const [index, term] of terms.entries()) {
    const delay = index * step;
    glide(term, [{ opacity: 0 }, { opacity: 1 }], 120, { delay });
    glide(endChip(term.dataset.end), [{ transform: "scale(1)" }, { transform: "scale(1.4)" }, { transform: "scale(1)" }], 260, { delay });
  }
  for (const rest of document.querySelectorAll("#board .count > b, #board .count > i")) {
    glide(rest, [{ opacity: 0 }, { opacity: 1 }], 140, { delay: terms.length * step });
  }
}

// The tiles of the hand close the gap; a drawn one comes from the boneyard.
function moveHand(was) {
  const bone = middle(document.querySelector("#board .bone"));
  const drawn = match.dataset.phase === was.phase && match.dataset.phase === "play";
  for (const tile of tiles()) {
    const picture = tile.querySelector("svg");
    const now = middle(picture);
    const from = was.hand.get(tile.dataset.tile) ?? (drawn && was.hand.size ? bone : null);
    if (!now || !from || (Math.abs(from.x - now.x) < 1 && Math.abs(from.y - now.y) < 1)) continue;
    glide(picture, [{ translate: `${from.x - now.x}px ${from.y - now.y}px` }, { translate: "0 0" }], 200);
  }
}

// A tile that another player draws, face down.
function fromBoneyard(holder) {
  const from = middle(document.querySelector("#board .bone svg"));
  const to = middle(byId(holder).querySelector("svg"));
  if (from && to) fly('<svg viewBox="-.5 -1 1 2" width="22" height="44"><use href="#back"/></svg>', "", from, to, 260);
}

// Points go from one side of the tug of war to the other.
function payOver(was) {
  const now = numbers();
  const places = [...document.querySelectorAll("#points .v b")];
  if (now.length !== was.points.length || now.every((points, index) => points === was.points[index])) return;
  const gain = now.findIndex((points, index) => points > was.points[index]);
  for (const [index, place] of places.entries()) {
    // The true figure is there all the time; what is seen counts up to it.
    place.classList.add("counting");
    glide(place, [{ "--n": was.points[index] }, { "--n": now[index] }], 600, { easing: "ease-out", done: () => place.classList.remove("counting") });
  }
  for (const [index, rect] of [...document.querySelectorAll("#points .counters rect")].entries()) {
    const { x, width } = shares()[index];
    glide(rect, [was.shares[index], { x, width }], 500, { easing: "ease-in-out" });
  }
  const [from, to] = [middle(places[1 - gain]), middle(places[gain])];
  if (gain < 0 || !from || !to) return;
  const side = places[gain].parentElement.classList.contains("me") ? "me" : "opp";
  fly(`<b>+${now[gain] - was.points[gain]}</b>`, `flying-points ${side}`, from, to, 700);
}

function fly(content, style, from, to, duration) {
  const element = document.createElement("div");
  element.className = `flying ${style}`;
  element.setAttribute("aria-hidden", "true");
  element.innerHTML = content;
  match.append(element);
  const at = ({ x, y }) => `${x}px ${y}px`;
  glide(element, [
    { translate: at(from), opacity: 0.6 },
    { translate: at({ x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 }), opacity: 1, offset: 0.5 },
    { translate: at(to), opacity: 0.2 },
  ], duration, { easing: "ease-in-out", done: () => element.remove() });
}
