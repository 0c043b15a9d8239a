// The drawn table. The server sends the places of the tiles for each frame; here they become one
// picture that is kept from view to view, so that a tile that stays is never drawn anew.

import { byId } from "../page.js";
import { glide, still } from "./motion.js";

const SVG = "http://www.w3.org/2000/svg";
const UNIT = 4; // parts of a half tile in the figures of the server
const STEPS = [[1, 0], [0, 1], [-1, 0], [0, -1]]; // right, down, left, up
const STAYS = 0.15; // how much more like the room another frame must be, as a share of its proportions
const AT_LEAST = 46; // px that a target measures on any screen, each way

const figures = () => byId("board").dataset;
const picture = document.createElementNS(SVG, "svg");
const layers = Object.fromEntries(["tiles", "targets", "ends"].map((name) => [name, part("g", { class: name })]));
const drawn = new Map(); // the tiles in the picture, by name: element, and where it lies
let frame = ""; // the name of the frame that is shown
let plan = { box: [0, 0, 1, 1], tiles: [], ends: new Map() };
let camera = null; // what is in view now, on its way to plan.box
let rolling = 0;

picture.setAttribute("class", "picture-of-table");
picture.setAttribute("aria-hidden", "true");
picture.append(...Object.values(layers));

function part(name, attributes = {}) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

const lying = ({ x, y, turn }) => `translate(${x} ${y}) rotate(${turn})`;
const lyingPx = ({ x, y, turn }) => `translate(${x}px, ${y}px) rotate(${turn}deg)`;

function read(name) {
  const [box, tiles, ends] = figures()[name].split(";");
  const names = figures().tiles.split(" ");
  const list = (text) => (text ? text.split(" ").map((one) => one.split(",")) : []);
  return {
    box: box.split(" ").map(Number),
    tiles: list(tiles).map(([x, y, turn], index) => ({ name: names[index], x: x / UNIT, y: y / UNIT, turn: turn * 90 })),
    ends: new Map(list(ends).map(([arm, x, y, turn, endX, endY, heading]) => [arm, {
      x: x / UNIT, y: y / UNIT, turn: turn * 90, endX: endX / UNIT, endY: endY / UNIT, heading: Number(heading),
    }])),
  };
}

/** The open ends: arm, the value that joins, and what is written beside it. */
const openEnds = () => (figures().ends || "").split(" ").filter(Boolean).map((one) => one.split(","));

/** The frame that is most like the room there is; the one that is shown stays unless another is much
 *  more so, since each has a layout of its own. */
function suiting() {
  const room = byId("drawn").getBoundingClientRect();
  const shape = Math.log((room.width || 1) / (room.height || 1));
  const frames = Object.keys(figures()).filter((name) => name.startsWith("at"));
  const distance = (name) => {
    const [, , width, height] = figures()[name].split(";")[0].split(" ").map(Number);
    return Math.abs(Math.log(width / height) - shape);
  };
  const best = frames.reduce((least, name) => (distance(name) < distance(least) ? name : least));
  return frames.includes(frame) && distance(frame) < distance(best) + STAYS ? frame : best;
}

/** Draw what the newest view has. Gives the name of the tile that is new, or "". */
export function draw() {
  const place = byId("drawn");
  if (picture.parentNode !== place) place.replaceChildren(picture);
  const was = frame;
  frame = suiting();
  plan = read(frame);
  const fresh = drawTiles(was === frame);
  drawEnds();
  drawTargets();
  const sides = plan.tiles.map((tile) => Math.sign(tile.x - plan.box[0] - plan.box[2] / 2));
  place.parentElement.dataset.free = sides.reduce((sum, side) => sum + side, 0) > 0 ? "left" : "right";
  roll(was === frame && fresh !== null);
  return fresh ?? "";
}

// Null says that the table is another one altogether.
function drawTiles(sameFrame) {
  const names = plan.tiles.map((tile) => tile.name);
  const kept = [...drawn.keys()].every((name) => names.includes(name));
  const isNew = !kept || (!drawn.size && names.length > 1);
  for (const [name, { element }] of drawn) {
    if (names.includes(name)) continue;
    element.remove();
    drawn.delete(name);
  }
  let fresh = isNew ? null : "";
  for (const [index, tile] of plan.tiles.entries()) {
    const last = index === plan.tiles.length - 1;
    const known = drawn.get(tile.name);
    const element = known?.element ?? part("use", { href: `#t${tile.name.replace("-", "")}` });
    if (!known) {
      layers.tiles.append(element);
      if (!isNew) fresh = tile.name;
    } else if (sameFrame && lying(known) !== lying(tile)) {
      // The whole table has been laid out anew: the tiles go to their new places.
      glide(element, [{ transform: lyingPx(known) }, { transform: lyingPx(tile) }], 300);
    }
    element.setAttribute("transform", lying(tile));
    element.classList.toggle("last", last);
    drawn.set(tile.name, { ...tile, element });
  }
  return fresh;
}

function drawEnds() {
  layers.ends.replaceChildren(...openEnds().flatMap(([arm, , count]) => {
    const end = plan.ends.get(arm);
    if (!end || !count) return [];
    const chip = part("g", { class: "end", "data-end": arm, transform: `translate(${end.endX} ${end.endY})` });
    const face = part("g");
    const number = part("text", { y: ".15" });
    number.textContent = count;
    face.append(part("circle", { r: ".36" }), number);
    chip.append(face);
    return [chip];
  }));
}

function drawTargets() {
  const may = Boolean(byId("lay"));
  layers.targets.replaceChildren(...(may ? [...plan.ends.keys()] : []).map((arm) => {
    const known = targetAt(arm);
    if (known) return known; // somebody may be pressing it
    const target = part("g", { class: "target", "data-arm": arm });
    target.append(part("rect", { class: "touch" }), part("rect", { class: "ghost", rx: ".14" }), part("use", { class: "preview" }), part("g", { class: "pays" }));
    return target;
  }));
}

/** Show where this tile may be laid, and what that would pay, by arm; null hides every target. */
export function showTargets(tile, pays) {
  for (const target of layers.targets.children) {
    const arm = target.dataset.arm;
    const on = tile !== null && pays.has(arm);
    target.classList.toggle("on", on);
    target.classList.remove("near", "sure");
    if (on) shape(target, arm, tile, pays.get(arm));
  }
}

function shape(target, arm, tile, pays) {
  const at = lie(tile, arm);
  const [touch, ghost, preview, label] = target.children;
  const upright = at.turn % 180 !== 0;
  const [wide, high] = upright ? [0.47, 0.97] : [0.97, 0.47];
  const least = AT_LEAST / 2 / pixels();
  target.setAttribute("transform", `translate(${at.x} ${at.y})`);
  const box = (element, a, b) => {
    for (const [key, value] of [["x", -a], ["y", -b], ["width", 2 * a], ["height", 2 * b]]) element.setAttribute(key, value);
  };
  box(touch, Math.max(wide + 0.3, least), Math.max(high + 0.3, least));
  box(ghost, wide, high);
  preview.setAttribute("href", `#t${tile.replace("-", "")}`);
  preview.setAttribute("transform", `rotate(${at.turn})`);
  label.replaceChildren();
  if (!pays) return;
  // In the half that the count of the end does not cover.
  const end = plan.ends.get(arm);
  const away = tile[0] === tile[2] || arm === "open" ? [0, 0] : [at.x - end.endX, at.y - end.endY].map(Math.sign);
  label.setAttribute("transform", `translate(${wide > high ? away[0] * 0.49 : 0} ${upright ? away[1] * 0.49 : 0})`);
  const text = part("text", { y: ".17" });
  text.textContent = `+${pays}`;
  label.append(part("rect", { x: "-.55", y: "-.31", width: "1.1", height: ".62", rx: ".31" }), text);
}

/** The place a tile would have at an end, in half tiles and degrees. */
export function lie(tile, arm) {
  const end = plan.ends.get(arm);
  const [high, low] = [tile[0], tile[2]];
  if (high === low) return across(end, arm);
  if (arm === "open") return { x: end.x, y: end.y, turn: end.turn };
  return { x: end.x, y: end.y, turn: (end.turn + (high === joining(arm) ? 0 : 180)) % 360 };
}

/** The value a tile must have to join an end, as a digit. */
const joining = (arm) => openEnds().find(([name]) => name === arm)?.[1];

// A double lies across the arm where there is room; else where the place is kept.
function across(end, arm) {
  if (arm === "open") return { x: 0, y: 0, turn: 90 };
  const [dx, dy] = STEPS[end.heading];
  const at = { x: end.endX + dx / 4, y: end.endY + dy / 4, turn: dx ? 90 : 0 };
  const size = (turn) => (turn % 180 ? [0.5, 1] : [1, 0.5]);
  const [wide, high] = size(at.turn);
  const free = plan.tiles.every((tile) => {
    const [w, h] = size(tile.turn);
    return Math.abs(tile.x - at.x) >= wide + w - 0.01 || Math.abs(tile.y - at.y) >= high + h - 0.01;
  });
  return free ? at : { x: end.x, y: end.y, turn: end.turn };
}

/** Px per half tile. */
export function pixels() {
  const room = byId("drawn").getBoundingClientRect();
  return Math.min(room.width / plan.box[2], room.height / plan.box[3]) || 1;
}

/** Where a place of the table is on the screen, in px. */
export function onScreen({ x, y }) {
  const room = picture.getBoundingClientRect();
  const scale = pixels();
  const [left, top, width, height] = plan.box;
  return {
    x: room.left + room.width / 2 + (x - left - width / 2) * scale,
    y: room.top + room.height / 2 + (y - top - height / 2) * scale,
  };
}

/** The place on the table of a point of the screen. */
export function onTable(x, y) {
  const room = picture.getBoundingClientRect();
  const scale = pixels();
  const [left, top, width, height] = plan.box;
  return {
    x: (x - room.left - room.width / 2) / scale + left + width / 2,
    y: (y - room.top - room.height / 2) / scale + top + height / 2,
  };
}

export const targetsShown = () => [...layers.targets.querySelectorAll(".on")];
export const targetAt = (arm) => [...layers.targets.children].find((target) => target.dataset.arm === arm);
export const endChip = (arm) => layers.ends.querySelector(`[data-end="${arm}"] > g`);
export const tileDrawn = (name) => drawn.get(name);
export { lyingPx };

// The camera glides to what is to be in view.
function roll(gliding) {
  cancelAnimationFrame(rolling);
  const from = camera;
  const to = plan.box;
  const show = (box) => {
    camera = box;
    picture.setAttribute("viewBox", box.map((edge) => Math.round(edge * 1000) / 1000).join(" "));
  };
  if (!gliding || !from || still() || from.every((edge, index) => edge === to[index])) {
    show(to);
    return;
  }
  const begun = performance.now();
  const step = (now) => {
    const part = Math.min(1, Math.max(0, now - begun) / 200);
    const eased = 1 - (1 - part) ** 3;
    show(from.map((edge, index) => edge + (to[index] - edge) * eased));
    if (part < 1) rolling = requestAnimationFrame(step);
  };
  rolling = requestAnimationFrame(step);
}

/** Tell when the room has changed: a phone was turned, a window resized. The picture is in the frame
 *  that suits it by then. */
export function onOtherRoom(listener) {
  new ResizeObserver(() => {
    if (!picture.parentNode) return;
    if (suiting() !== frame) draw();
    listener();
  }).observe(byId("drawn"));
}
