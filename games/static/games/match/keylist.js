// The dialog that lists the keys, in which they can be changed.

import { byId, fill } from "../page.js";
import { showKeys } from "./keys.js";
import { keysOf, ownerOf, withKey } from "./keymap.js";
import { keep, match, on, sentences, words } from "./match.js";

const dialog = byId("keys");
let waiting = null; // the row whose new key is awaited

const rows = () => [...dialog.querySelectorAll("[data-action]")];
const tell = (text) => { byId("keys-said").textContent = text; };

function show() {
  for (const row of rows()) {
    const caps = keysOf(row.dataset.action).map((key) => {
      const cap = document.createElement("kbd");
      cap.textContent = key.toUpperCase();
      return cap;
    });
    row.querySelector(".own").replaceChildren(...caps.flatMap((cap) => [cap, " "]));
    row.classList.toggle("waits", row === waiting);
  }
  dialog.querySelector(".off").hidden = on("keys");
}

function wait(row) {
  waiting = row;
  if (row) tell(sentences.press);
  show();
}

async function change(map, told) {
  words.keymap = JSON.stringify(map);
  wait(null);
  showKeys();
  tell(told);
  if (!await keep("keymap", words.keymap)) tell(sentences.notKept);
}

function onKey(event) {
  if (["Tab", "Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock"].includes(event.key)) {
    if (event.key === "Tab") wait(null);
    return;
  }
  event.preventDefault();
  event.stopPropagation();
  const action = waiting.dataset.action;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (key === "Escape") {
    wait(null);
    tell("");
  } else if (key.length !== 1 || !key.trim() || event.ctrlKey || event.metaKey || event.isComposing) tell(sentences.noKey);
  else {
    const owner = ownerOf(key, action);
    const does = owner && dialog.querySelector(`[data-action="${owner}"] .does`).textContent;
    if (owner) tell(fill(sentences.taken, { key: key.toUpperCase(), does }));
    else change(withKey(action, key), sentences.changed);
  }
}

dialog.addEventListener("keydown", (event) => { if (waiting) onKey(event); }, true);
dialog.addEventListener("cancel", (event) => { if (waiting) event.preventDefault(); });
dialog.addEventListener("close", () => {
  wait(null);
  tell("");
});
dialog.addEventListener("focusout", (event) => {
  if (waiting && !waiting.contains(event.relatedTarget)) wait(null);
});
dialog.addEventListener("click", (event) => {
  const button = event.target.closest("[data-change]");
  if (button) wait(button.closest("[data-action]"));
  else if (event.target.closest("#keys-reset")) change({}, sentences.first);
});
match.addEventListener("preferred", show);
show();
