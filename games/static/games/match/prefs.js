// Preferences that change while the page is open: the newest are always in its data.

import { match, words } from "./match.js";

const switches = { sound: "sound", draw_for_me: "drawForMe", confirm: "confirm", show_pays: "pays", keys: "keys" };

document.body.addEventListener("preferences", (event) => {
  const chosen = event.detail;
  for (const [name, key] of Object.entries(switches)) {
    if (name in chosen) words[key] = chosen[name] ? "on" : "off";
  }
  if (chosen.keymap) words.keymap = JSON.stringify(chosen.keymap);
  match.dispatchEvent(new CustomEvent("preferred"));
});
