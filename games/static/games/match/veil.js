// One device for two: what covers the tiles until the next player shows them.

import { byId } from "../page.js";
import { match } from "./match.js";

const HELD = 600; // ms for which a tap that was meant for the table shows nobody's tiles

let covered = Boolean(byId("reveal"));

match.addEventListener("htmx:wsAfterMessage", (event) => {
  if (!event.detail.message.includes('id="state"')) return;
  const reveal = byId("reveal");
  if (reveal && !covered) {
    reveal.disabled = true;
    setTimeout(() => { reveal.disabled = false; }, HELD);
  }
  covered = Boolean(reveal);
});

// A page that is left shows no tiles to whoever comes back to it, however the browser kept it.
window.addEventListener("pagehide", () => {
  if (byId("seat-low")) for (const part of [byId("hand"), byId("board")]) part.replaceChildren();
});
