// What every script of a page with a live match uses: finding, filling in words, writing.

export const byId = (id) => document.getElementById(id);

/** Milliseconds since the page was loaded, on a clock that never steps. */
export const sinceLoad = () => performance.now();

/** A sentence of the server with its %(name)s filled in. */
export const fill = (text, values) => text.replace(/%\((\w+)\)s|%%/g, (all, key) => key ? values[key] : "%");

export const usable = (element) =>
  Boolean(element) && element.getAttribute("aria-disabled") !== "true" && !element.disabled;

/** Write a text where it differs: what is not touched is neither drawn nor read out again. */
export function write(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

/** A time left as a clock shows it, rounded up: who lives never reads 0:00. */
export function minutes(ms) {
  const seconds = Math.ceil(Math.max(0, ms) / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** What is left of a running decision, `passed` ms after the server gave its figures.
 *  A clock that has reached nothing has not been judged yet: only the server's word is 0:00. */
export function remaining({ left, delay, bank }, passed) {
  return {
    delay: Math.max(0, delay - passed),
    bank: Math.max(1, Math.min(bank, left - passed)),
    left: left - passed,
  };
}
