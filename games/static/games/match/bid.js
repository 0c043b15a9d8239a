// The amount of a bid, and what it would really cost.

import { byId, fill, usable } from "../page.js";
import { match } from "./match.js";

/** Raise or lower the amount, in points; it stays within what may be bid. */
export function changeBid(by) {
  const form = byId("bid");
  if (!form) return;
  const figures = Object.fromEntries(
    ["min", "max", "discount", "balance"].map((key) => [key, Number(form.dataset[key])]),
  );
  const input = form.elements.points;
  const points = Math.min(figures.max, Math.max(figures.min, Number(input.value) + by));
  const price = Math.max(0, points - figures.discount);
  const ruin = price >= figures.balance;
  input.value = points;
  byId("bid-amount").textContent = points;
  byId("bid-go").textContent = fill(form.dataset.label, { points, price });
  byId("bid-amount").setAttribute("aria-valuenow", points);
  byId("bid-amount").setAttribute("aria-valuetext", byId("bid-go").textContent);
  byId("bid-note").textContent = fill(ruin ? form.dataset.ruin : form.dataset.note, { points, price });
  byId("bid-note").classList.toggle("ruin", ruin);
  byId("bid-less").setAttribute("aria-disabled", String(points <= figures.min));
  byId("bid-more").setAttribute("aria-disabled", String(points >= figures.max));
}

/** One step up (1) or down (-1). */
export const stepBid = (way) => changeBid(Number(byId("bid")?.dataset.step ?? 0) * way);

match.addEventListener("click", (event) => {
  const step = event.target.closest("[data-step-by]");
  if (step && usable(step)) changeBid(Number(step.dataset.stepBy));
});
