// Which key does what: the first keys, and those that were changed.

import { words } from "./match.js";

// Those of one moment, such as D to draw and D for right, never have two meanings at once.
const FIRST = {
  left: ["a"], right: ["d"], up: ["w"], down: ["s"], lay: [], back: [],
  draw: ["g", "d"], ready: ["n"], bid: [], accept: ["a"], decline: ["p"],
  ends: ["e"], hand: ["h"], moves: ["m"], table: ["v"], last: ["l"], why: ["x"],
  clocks: ["c"], opponent: ["o"], boneyard: ["b"], mute: ["z"], help: ["?"],
};
const ACTIONS = Object.keys(FIRST);

/** The keys that were changed, by action. */
export function changed() {
  try {
    return JSON.parse(words.keymap || "{}");
  } catch {
    return {};
  }
}

/** The keys of an action that can be changed. */
export function keysOf(action) {
  const key = changed()[action];
  return key ? [key] : FIRST[action];
}

/** The actions that a key stands for. */
export function actionsOf(event) {
  const typed = event.key.toLowerCase();
  const found = ACTIONS.filter((action) => keysOf(action).includes(typed));
  // On a keyboard of other letters the place of the key counts.
  const place = /^Key([A-Z])$/.exec(event.code)?.[1].toLowerCase();
  if (found.length || !place || event.key.length !== 1 || event.key.charCodeAt(0) < 128) return found;
  return ACTIONS.filter((action) => keysOf(action).includes(place));
}

/** The action that has this key already, where `action` wants it; undefined where it is free. */
export function ownerOf(key, action) {
  const clash = (other) => !(FIRST[action].includes(key) && FIRST[other].includes(key) && !(other in changed()));
  return ACTIONS.find((other) => other !== action && keysOf(other).includes(key) && clash(other));
}

/** The table of changed keys with one more; without those that are the first ones again. */
export function withKey(action, key) {
  const map = { ...changed(), [action]: key };
  for (const [one, its] of Object.entries(map)) if (FIRST[one]?.[0] === its) delete map[one];
  return map;
}
