// The title and the icon of the tab: whose turn it is, and when time runs short.

import { fill, minutes, write } from "../page.js";
import { sentences, state, words } from "./match.js";

const LOW = 20000; // ms of bank
const icon = document.querySelector('link[rel~="icon"]');

function mark(asked) {
  const wanted = asked ? sentences.iconAsked : sentences.icon;
  if (icon && icon.getAttribute("href") !== wanted) icon.setAttribute("href", wanted);
}

/** As the newest view has it. `bank` is what is left of the viewer's own running clock, in ms, once
 *  the delay is over; where nobody looks, low time comes first. */
export function showTitle(bank = Infinity) {
  const figures = state();
  const over = figures.phase === "match_over";
  mark("asked" in figures && !over);
  const short = document.hidden && bank <= LOW && !over;
  const lead = short ? fill(sentences.lowTitle, { time: minutes(bank) }) : figures.title;
  write(document.querySelector("title"), `${lead} · ${words.site}`);
}
