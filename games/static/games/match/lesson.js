// A guided round: what the card speaks of is marked on the table.

import { byId } from "../page.js";
import { match } from "./match.js";

const BUTTONS = { ready: "#ready", draw: "#draw", bid: "#bid-go" };

/** Mark the tile, the end and the button that the card tells to use. */
export function mark() {
  const told = byId("card")?.querySelector("p").dataset;
  if (!told) return;
  const wanted = [BUTTONS[told.do], told.tile && `.tile[data-tile="${told.tile}"]`, told.arm && `[data-arm="${told.arm}"]`];
  for (const element of match.querySelectorAll(".told")) element.classList.remove("told");
  for (const selector of wanted.filter(Boolean)) {
    for (const element of match.querySelectorAll(selector)) element.classList.add("told");
  }
}

match.addEventListener("htmx:wsAfterMessage", mark);
mark();
