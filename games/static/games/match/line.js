// The connection.

import { byId, sinceLoad } from "../page.js";
import { forget, hearPong, tick } from "./clock.js";
import { match, state, tell, words } from "./match.js";
import { setBusy } from "./sending.js";

const EVERY = 5000; // ms between two pings
const DEAD = 16000; // ms of silence after which a connection is dead, whatever the browser believes

// A clock may be running: try again soon, though not all at the same moment.
htmx.config.wsReconnectDelay = (tries) => 200 + Math.random() * Math.min(5000, 1000 * 2 ** tries);

let socket = null;
let wrapper = null;
let heardAt = sinceLoad();
let retry = 0;
let leaving = false;

function showLink(link) {
  const before = match.dataset.link;
  match.dataset.link = link;
  byId("link").textContent = words[link];
  if (link === "reconnecting" && before === "live") tell(words.lost);
  if (link === "live" && before === "reconnecting") tell(words.back);
}

match.addEventListener("htmx:wsOpen", (event) => {
  socket = event.detail.event.target;
  wrapper = event.detail.socketWrapper;
  heardAt = sinceLoad();
  retry = 0;
  forget();
  setBusy(false);
  showLink("live");
  ping();
});

match.addEventListener("htmx:wsAfterMessage", (event) => {
  if (!event.detail.message.includes('id="pong"')) return;
  const pong = byId("pong").dataset;
  heardAt = sinceLoad();
  hearPong({ sent: Number(pong.sent), now: Number(pong.now) });
});

match.addEventListener("htmx:wsClose", (event) => {
  const closed = event.detail.event;
  if (leaving || (socket && closed.target !== socket)) return; // one that was replaced
  if (closed.code === 4012) {
    location.reload(); // suspended: the page tells until when and why, and the match goes on
    return;
  }
  if (closed.code === 4401 || closed.code === 4403 || closed.code === 4404) {
    showLink("closed");
    tell(closed.code === 4401 ? words.signedOut : words.refused, closed.code === 4401 ? words.signIn : null);
    return;
  }
  showLink(match.dataset.link === "connecting" ? "connecting" : "reconnecting");
  // htmx comes back by itself after these; after any other close the page does.
  if (![1006, 1011, 1012, 1013].includes(closed.code)) {
    setTimeout(() => wrapper?.reconnect(), htmx.config.wsReconnectDelay(retry++));
  }
});

function ping() {
  if (words.link !== "live") return;
  const form = byId("ping");
  form.elements.sent.value = Math.round(sinceLoad());
  form.elements.seen.value = state().version;
  htmx.trigger(form, "tick");
}

setInterval(() => {
  if (words.link === "live" && sinceLoad() - heardAt > DEAD) {
    showLink("reconnecting");
    wrapper.reconnect();
  } else ping();
}, EVERY);

window.addEventListener("online", () => {
  if (words.link === "reconnecting") wrapper?.reconnect();
});
window.addEventListener("pagehide", () => { leaving = true; });
window.addEventListener("pageshow", (event) => {
  leaving = false;
  if (event.persisted) location.reload(); // kept by the back button: it may be long out of date
});
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState !== "visible") return;
  tick();
  ping();
});
