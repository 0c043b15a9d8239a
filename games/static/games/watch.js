// Watching: the list of live matches renews itself, and the best match plays on the home page.
// The server draws everything. Where nothing has changed nothing is touched.
import { byId, fill, minutes, remaining, sinceLoad, write } from "./page.js";

const visible = () => document.visibilityState === "visible";

// The list

const EVERY = 5000; // ms between two questions

// Make `old` what `fresh` is. Children that have a name stay where they are, with focus and all,
// unless they differ.
function renew(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  if (!("keyed" in old.dataset && "keyed" in fresh.dataset)) {
    old.replaceWith(fresh);
    return;
  }
  const wanted = new Set([...fresh.children].map((child) => child.id));
  for (const child of [...old.children]) if (!wanted.has(child.id)) child.remove();
  let at = old.firstElementChild;
  for (const child of [...fresh.children]) {
    const known = child.id && [...old.children].find((one) => one.id === child.id);
    if (!known) {
      old.insertBefore(child, at);
    } else {
      if (known === at) at = at.nextElementSibling;
      else old.insertBefore(known, at);
      renew(known, child);
    }
  }
}

function renewList(box, html) {
  const focused = document.activeElement;
  const card = focused.closest?.(".live-card");
  const place = card ? [...card.parentElement.children].indexOf(card) : -1;
  const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("live");
  if (!fresh) return;
  renew(byId("live"), document.importNode(fresh, true));
  if (card && !card.isConnected) { // the match that had the focus is over: go to its neighbour
    const links = box.querySelectorAll(".live-card .go, #live-none .btn");
    links[Math.min(place, links.length - 1)]?.focus({ preventScroll: true });
  }
}

// null: nothing has changed.
async function ask(address, seen) {
  const query = `?seen=${encodeURIComponent(seen)}`;
  const answer = await fetch(address + query, { signal: AbortSignal.timeout(10000) });
  if (answer.status === 204) return null;
  if (!answer.ok) throw new Error(String(answer.status));
  return { html: await answer.text(), seen: answer.headers.get("X-Seen") || "" };
}

const box = byId("watch");
let asking = false;

async function look() {
  if (asking || !visible()) return;
  asking = true;
  let trouble = "";
  try {
    const answer = await ask(box.dataset.list, box.dataset.seen);
    if (answer) {
      renewList(box, answer.html);
      box.dataset.seen = answer.seen;
    }
  } catch {
    trouble = byId("watch-trouble").dataset.text;
  } finally {
    asking = false;
  }
  if (byId("watch-trouble").textContent !== trouble) byId("watch-trouble").textContent = trouble;
}

if (box) {
  setInterval(look, EVERY);
  document.addEventListener("visibilitychange", look);
}

// The best match

const NEXT = 8000; // ms a result is shown before the next match comes
const AGAIN = 15000; // ms between two looks for a match where there is none
const PING = 20000; // ms between two pings: the server closes who says nothing for long

const best = () => byId("best");
const state = () => byId("best-state")?.dataset;
let ahead = -Infinity; // the server's clock less ours, as far as a message has shown
let fetching = 0;
let astray = false; // whether the connection has ended and will not come back by itself

function fetchBest(after) {
  if (fetching) return;
  fetching = setTimeout(async () => {
    try {
      const seen = "none" in best().dataset ? best().dataset.seen || "" : "";
      const answer = visible() ? await ask(best().dataset.best, seen) : null;
      if (answer) replaceBest(answer);
    } catch {
      // The site is away: what is shown stays, and the next look comes.
    }
    fetching = 0;
    if (astray || !following()) fetchBest(AGAIN);
  }, after + Math.random() * 2000);
}

function replaceBest(answer) {
  const focus = best().contains(document.activeElement) && document.activeElement.id;
  const fresh = new DOMParser().parseFromString(answer.html, "text/html").getElementById("best");
  if (!fresh) return;
  const section = document.importNode(fresh, true);
  htmx.swap(best(), section.outerHTML, { swapStyle: "outerHTML" });
  best().dataset.seen = answer.seen;
  if (focus) (byId(focus) || byId("best-go"))?.focus({ preventScroll: true });
  begin();
}

// Whether a match is shown that is still running.
const following = () => state() && state().phase !== "match_over";

function begin() {
  ahead = -Infinity;
  astray = false;
  if (following()) hearNow();
  else fetchBest(AGAIN);
}

function hearNow() {
  ahead = Math.max(ahead, Number(state().now) - sinceLoad());
  tick();
}

function tick() {
  const figures = state();
  if (!figures || figures.running === "" || ahead === -Infinity) return;
  const passed = Math.max(0, sinceLoad() + ahead - Number(figures.now));
  const decision = {
    left: Number(figures.left),
    delay: Number(figures.delay),
    bank: Number(figures.banks.split(" ")[figures.running]),
  };
  const { delay, bank } = remaining(decision, passed);
  const clock = document.querySelector(`#best-figures-${figures.running} .clock`);
  write(clock.querySelector(".delay"), fill(byId("best-live").dataset.delay, { seconds: Math.ceil(delay / 1000) }));
  write(clock.querySelector(".bank"), minutes(bank));
  clock.classList.toggle("low", bank <= Number(figures.low));
}

function ping() {
  const form = byId("best-ping");
  if (!form || best().dataset.link !== "live") return;
  form.elements.sent.value = Math.round(sinceLoad());
  form.elements.seen.value = state().version;
  htmx.trigger(form, "tick");
}

const ours = (event) => event.target.id === "best-live";
const version = (text) => Number(/id="best-state"[^>]*data-version="(\d+)"/.exec(text)?.[1] ?? NaN);

if (best()) {
  document.addEventListener("htmx:wsConfigSend", (event) => {
    if (event.target.id === "best-ping") event.detail.headers = null; // the server reads none
  });
  document.addEventListener("htmx:wsOpen", (event) => {
    if (!ours(event)) return;
    ahead = -Infinity;
    best().dataset.link = "live";
  });
  document.addEventListener("htmx:wsBeforeMessage", (event) => {
    // Overtaken by a newer one.
    if (ours(event) && version(event.detail.message) < Number(state().version)) event.preventDefault();
  });
  document.addEventListener("htmx:wsAfterMessage", (event) => {
    if (!ours(event) || !event.detail.message.includes('id="best-state"')) return;
    hearNow();
    if (!following()) fetchBest(NEXT);
  });
  document.addEventListener("htmx:wsClose", (event) => {
    if (!ours(event)) return;
    best().dataset.link = "lost";
    // htmx comes back by itself after these; after any other close look what there is now.
    if ([1006, 1011, 1012, 1013].includes(event.detail.event.code)) return;
    astray = true;
    fetchBest(NEXT);
  });
  document.addEventListener("visibilitychange", () => {
    if (!visible()) return;
    tick();
    ping();
    if (!following()) fetchBest(0);
  });
  setInterval(ping, PING);
  setInterval(tick, 250);
  begin();
}
