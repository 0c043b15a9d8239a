// Sounds, made here: off until they are wanted, one at a time, and none for what is past.

import { byId } from "../page.js";
import { lines, numberOf } from "./log.js";
import { keep, match, on, say, sentences, state, words } from "./match.js";

// Each tone: Hz, when it begins and how long it lasts, in s.
const SOUNDS = {
  turn: [[587, 0, 0.12], [784, 0.11, 0.18]],
  gain: [[523, 0, 0.1], [659, 0.09, 0.1], [784, 0.18, 0.2]],
  loss: [[392, 0, 0.14], [294, 0.13, 0.24]],
  low: [[880, 0, 0.09], [880, 0.16, 0.09]],
  last: [[988, 0, 0.08], [988, 0.13, 0.08], [988, 0.26, 0.08]],
  over: [[523, 0, 0.16], [659, 0.15, 0.16], [784, 0.3, 0.16], [1047, 0.45, 0.35]],
};
const LOUD = 0.14; // of 1
const GAP = 0.08; // s between two sounds
const LATE = 0.9; // s after which a sound has lost its meaning

let audio = null;
let quietAt = 0; // when the sound that is on its way is over, on the clock of `audio`
let heardTo = Number(state().version);
let wasAsked = "asked" in state();

/** Browsers let a page sound once somebody has touched it. */
function unlock() {
  if (!on("sound")) return;
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
}

for (const gesture of ["pointerdown", "keydown"]) document.addEventListener(gesture, unlock, true);

/** Play one of the sounds; after the one that plays, or not at all where that takes long. */
export function play(name) {
  if (!on("sound") || !audio) return;
  const start = Math.max(audio.currentTime + 0.01, quietAt + GAP);
  if (quietAt && start - audio.currentTime > LATE) return;
  for (const [pitch, after, length] of SOUNDS[name]) tone(pitch, start + after, length);
  quietAt = Math.max(...SOUNDS[name].map(([, after, length]) => start + after + length));
}

function tone(pitch, start, length) {
  const source = audio.createOscillator();
  const volume = audio.createGain();
  source.type = "triangle";
  source.frequency.value = pitch;
  volume.gain.setValueAtTime(0.0001, start);
  volume.gain.linearRampToValueAtTime(LOUD, start + 0.012);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + length);
  source.connect(volume).connect(audio.destination);
  source.start(start);
  source.stop(start + length + 0.02);
}

/** What a view brings, in one sound: the end, a score, or the turn. */
export function soundNews(full) {
  const figures = state();
  const fresh = full ? [] : lines().filter((line) => numberOf(line) > heardTo);
  const moved = fresh.map((line) => line.querySelector("b")).findLast(Boolean);
  const asked = "asked" in figures && figures.phase !== "match_over";
  const fromNow = asked && !wasAsked;
  heardTo = Number(figures.version);
  wasAsked = asked;
  if (full) return;
  if (figures.phase === "match_over") {
    if (fresh.length) play("over");
  } else if (moved) play(moved.className.includes("me") ? "gain" : "loss");
  else if (fromNow && figures.phase !== "round_over") play("turn");
}

function show() {
  byId("sound")?.setAttribute("aria-pressed", String(on("sound")));
}

/** Sound on or off, here and wherever the player is next. */
export async function toggleSound() {
  words.sound = on("sound") ? "off" : "on";
  show();
  unlock();
  play("turn");
  say(on("sound") ? sentences.soundOn : sentences.soundOff);
  await keep("sound", on("sound") ? "on" : null);
}

byId("sound")?.addEventListener("click", toggleSound);
match.addEventListener("preferred", show);
