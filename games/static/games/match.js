// The match page: choosing tiles and ends, the clocks between two views, and the connection.
// The server draws everything; htmx swaps it in. Every word comes from the page.
"use strict";

(() => {
  const match = document.getElementById("match");
  if (!match) return;
  const words = match.dataset;
  const byId = (id) => document.getElementById(id);
  const state = () => byId("state").dataset;
  const fill = (text, values) => text.replace(/%\((\w+)\)s|%%/g, (all, key) => key ? values[key] : "%");
  const usable = (element) => element && element.getAttribute("aria-disabled") !== "true" && !element.disabled;

  // Choosing a tile, then an end

  let chosen = null; // the tile taken up, as the record writes it

  const tiles = () => [...document.querySelectorAll(".tile")];
  const tileOf = (name) => tiles().find((tile) => tile.dataset.tile === name);
  const armsOf = (name) => (tileOf(name)?.dataset.arms || "").split(" ").filter(Boolean);

  function choose(name) {
    chosen = armsOf(name).length ? name : null;
    const arms = chosen ? armsOf(chosen) : [];
    for (const tile of tiles()) {
      if (tile.hasAttribute("aria-pressed")) tile.setAttribute("aria-pressed", String(tile.dataset.tile === chosen));
    }
    for (const button of document.querySelectorAll("#lay [data-arm]")) {
      button.setAttribute("aria-disabled", String(!arms.includes(button.dataset.arm)));
    }
    for (const target of document.querySelectorAll(".target")) {
      target.classList.toggle("on", arms.includes(target.dataset.arm));
    }
  }

  function lay(arm) {
    const form = byId("lay");
    if (!form || !chosen || !armsOf(chosen).includes(arm)) return;
    form.elements.tile.value = chosen;
    form.elements.arm.value = arm;
    form.requestSubmit();
  }

  function activate(tile, byKey) {
    const arms = armsOf(tile.dataset.tile);
    if (!arms.length) return;
    if (chosen === tile.dataset.tile && arms.length === 1) {
      lay(arms[0]);
      return;
    }
    choose(tile.dataset.tile);
    if (byKey) byId(`arm-${arms[0]}`)?.focus();
  }

  function putBack() {
    const tile = chosen && tileOf(chosen);
    choose(null);
    tile?.focus();
  }

  match.addEventListener("click", (event) => {
    const tile = event.target.closest(".tile");
    const end = event.target.closest("[data-arm]");
    const step = event.target.closest("[data-step-by]");
    const opener = event.target.closest("[data-open]");
    if (tile && usable(tile)) activate(tile, event.detail === 0);
    else if (end && usable(end)) lay(end.dataset.arm);
    else if (step && usable(step)) changeBid(Number(step.dataset.stepBy));
    else if (opener) byId(opener.dataset.open).showModal();
    else if (event.target.closest("[data-dismiss]")) event.target.closest("dialog").close();
  });

  // The end a pointer is over is shown on the table and on its button alike.
  for (const kind of ["pointerover", "pointerout", "focusin", "focusout"]) {
    match.addEventListener(kind, (event) => {
      const arm = event.target.closest?.("[data-arm]")?.dataset.arm;
      if (!arm) return;
      const on = kind === "pointerover" || kind === "focusin";
      for (const target of document.querySelectorAll(".target")) {
        if (target.dataset.arm === arm) target.classList.toggle("near", on);
      }
    });
  }

  // Keys, while the match has the focus

  const arrows = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };

  function walk(list, from, by) {
    const at = list.indexOf(from);
    list[(at + by + list.length) % list.length]?.focus();
  }

  function onArrow(event) {
    const focused = document.activeElement;
    const way = arrows[event.key];
    const by = way === "right" || way === "down" ? 1 : -1;
    if (focused.matches("#lay [data-arm]")) {
      const straight = byId(`arm-${way}`);
      const open = [...document.querySelectorAll("#lay [data-arm]")].filter(usable);
      if (usable(straight) && straight !== focused) straight.focus();
      else walk(open, focused, by);
    } else if (focused.matches("#bid *")) {
      changeBid(Number(byId("bid").dataset.step) * (way === "up" || way === "right" ? 1 : -1));
    } else if (!focused.matches(".tile")) {
      const first = tiles().find(usable) || tiles()[0];
      if (!first || focused.matches(".log, summary, .panel *, dialog *")) return;
      first.focus();
    } else walk(tiles(), focused, by);
    event.preventDefault();
  }

  match.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("dialog")) return;
    if (event.key in arrows) onArrow(event);
    else if (event.key === "Escape" && chosen) putBack();
    else if (/^[dg]$/i.test(event.key)) byId("draw")?.click();
    else if (/^n$/i.test(event.key)) byId("ready")?.click();
  });

  // The amount of a bid

  function changeBid(by) {
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
    byId("bid-note").textContent = fill(ruin ? form.dataset.ruin : form.dataset.note, { points, price });
    byId("bid-note").classList.toggle("ruin", ruin);
    byId("bid-less").setAttribute("aria-disabled", String(points <= figures.min));
    byId("bid-more").setAttribute("aria-disabled", String(points >= figures.max));
  }

  // Clocks. The server's figures count; between them the page counts down by itself.

  const sinceLoad = () => performance.now();
  let ahead = null; // the server's clock less ours, in ms, from the quickest answer lately
  let seen = { running: "", left: 0, delay: 0, due: null, banks: [0, 0] };
  let flaggedAt = -Infinity;
  let warned = null;

  function learn(offset, trip) {
    const now = sinceLoad();
    if (!ahead || trip <= ahead.trip * 1.5 + 20 || now - ahead.at > 20000) ahead = { offset, trip, at: now };
  }

  function readClock() {
    const figures = state();
    const now = Number(figures.now);
    // Before the first pong a view's own arrival is the best guess.
    if (!ahead || Math.abs(now - ahead.offset - sinceLoad()) > 60000) {
      ahead = { offset: now - sinceLoad(), trip: 1000, at: sinceLoad() };
    }
    if (figures.running !== seen.running) warned = null;
    seen = {
      running: figures.running,
      left: Number(figures.left),
      delay: Number(figures.delay),
      due: figures.due === "" ? null : Number(figures.due),
      banks: figures.banks.split(" ").map(Number),
      now,
    };
    flaggedAt = -Infinity;
    tick();
  }

  const minutes = (ms) => {
    const seconds = Math.ceil(Math.max(0, ms) / 1000);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  };

  function write(element, text) {
    if (element && element.textContent !== text) element.textContent = text;
  }

  function tick() {
    if (words.link === "closed") return; // the figures are not ours to count on
    const passed = Math.max(0, sinceLoad() + ahead.offset - seen.now);
    if (seen.running !== "") tickDecision(passed);
    if (seen.due !== null) {
      const due = seen.due - passed;
      for (const element of document.querySelectorAll(".due")) write(element, minutes(due));
      if (due <= 0) flag();
    }
  }

  function tickDecision(passed) {
    const clock = byId(`clock-${seen.running}`);
    const delay = Math.max(0, seen.delay - passed);
    const left = seen.left - passed;
    // A clock that has reached nothing has not been judged yet: only the server's word is 0:00.
    const bank = Math.max(1, Math.min(seen.banks[seen.running], left));
    write(clock.querySelector(".delay"), fill(words.delay, { seconds: Math.ceil(delay / 1000) }));
    write(clock.querySelector(".bank"), minutes(bank));
    clock.classList.toggle("spending", delay <= 0);
    clock.classList.toggle("low", bank <= 20000);
    if (seen.running === state().you && delay <= 0) warn(bank);
    if (left <= 0) flag();
  }

  // Said once each, for those who do not see the clock.
  function warn(bank) {
    const step = [[10000, "low"], [30000, "thirty"], [60000, "minute"]].find(([limit]) => bank <= limit);
    if (!step || warned === step[1]) return;
    const late = bank < step[0] - 2000; // a reload need not repeat what is long past
    warned = step[1];
    if (late) return;
    if (step[1] === "low") tell(words.low);
    else say(words[step[1]]);
  }

  function flag() {
    if (!byId("flag") || words.link !== "live" || sinceLoad() - flaggedAt < 1200) return;
    flaggedAt = sinceLoad();
    htmx.trigger("#flag", "tick");
  }

  function say(text) {
    const said = document.querySelector("#status .said");
    if (said) said.textContent = text;
  }

  let hushing = 0;
  // What is told with a link, or as the connection has ended for good, stays.
  function tell(text, link) {
    const line = document.createElement("p");
    line.textContent = text;
    if (link) {
      const way = document.createElement("a");
      way.href = link;
      way.textContent = words.signInLabel;
      line.append(" ", way);
    }
    byId("alert").replaceChildren(line);
    if (words.link === "closed") clearTimeout(hushing);
    else hushLater();
  }
  function hushLater() {
    clearTimeout(hushing);
    hushing = setTimeout(() => byId("alert").replaceChildren(), 8000);
  }

  // Sending: one command at a time

  let busy = 0;
  const quiet = (form) => form.id === "ping" || form.id === "flag";

  function setBusy(on) {
    clearTimeout(busy);
    // An answer that never comes must not lock the page.
    busy = on ? setTimeout(() => setBusy(false), 10000) : 0;
    match.classList.toggle("busy", on);
  }

  // A form that is not sent must not be submitted the old way either.
  match.addEventListener("submit", (event) => {
    if (event.target.hasAttribute("ws-send")) event.preventDefault();
  }, true);

  match.addEventListener("htmx:wsConfigSend", (event) => {
    const form = event.target;
    event.detail.headers = null; // the server reads none: keep frames small
    if (quiet(form)) return;
    if (busy) {
      event.preventDefault();
      return;
    }
    byId("alert").replaceChildren();
    setBusy(true);
    if (form.hasAttribute("data-close")) form.closest("dialog").close();
  });

  // Views, refusals and pongs as they come in

  let held = false; // whether the focus was in the match, and on what
  let focusId = "";
  let folded = false; // whether the player has put the panel aside to see the table

  const version = (text) => Number(/id="state"[^>]*data-version="(\d+)"/.exec(text)?.[1] ?? NaN);

  match.addEventListener("htmx:wsBeforeMessage", (event) => {
    const incoming = version(event.detail.message);
    if (incoming < Number(state().version)) {
      event.preventDefault(); // overtaken by a newer one
      return;
    }
    const focused = document.activeElement;
    held = match.contains(focused);
    focusId = held ? focused.id : "";
    folded = document.querySelector("#panel details")?.open === false;
  });

  match.addEventListener("htmx:wsAfterMessage", (event) => {
    const text = event.detail.message;
    if (text.includes('id="pong"')) onPong();
    else if (text.includes("data-refused")) {
      setBusy(false);
      hushLater();
    } else if (text.includes('id="state"')) onView(event.detail.socketWrapper);
    else if (text.includes('id="look-again"')) lookAgain(true);
    else if (text.includes('id="presence-')) onPresence();
    keepFocus();
  });

  // What comes after the match: ratings and a rematch, loaded anew when there is news of it

  let there = ""; // who was there when it was last asked for

  function lookAgain(news) {
    const after = byId("after");
    const address = after?.getAttribute("hx-get");
    if (address) htmx.ajax("GET", news ? `${address}?news` : address, { target: after, source: after });
  }

  function onPresence() {
    const seen = [...document.querySelectorAll(".presence")].map((one) => one.classList.contains("here")).join();
    if (seen === there) return;
    if (there) lookAgain(false);
    there = seen;
  }

  // It is left as it is where nothing has changed but the token of its form: a finger may be on it.
  const said = (html) => html.replace(/name="csrfmiddlewaretoken" value="[^"]*"/g, "");
  let saidAfter = "";
  let wasAfter = false; // whether the focus was in it
  match.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target.id === "after") {
      const text = said(event.detail.serverResponse);
      if (text === saidAfter && byId("after").childElementCount) event.detail.shouldSwap = false;
      saidAfter = text;
    }
    wasAfter = event.detail.target.id === "after" && event.detail.target.contains(document.activeElement);
  });
  match.addEventListener("htmx:afterSettle", () => {
    if (!wasAfter || match.contains(document.activeElement)) return;
    (byId("after")?.querySelector("button, .btn") ?? match.querySelector(".stage")).focus({ preventScroll: true });
  });

  function onPong() {
    const pong = byId("pong").dataset;
    const trip = sinceLoad() - Number(pong.sent);
    heardAt = sinceLoad();
    learn(Number(pong.now) - (Number(pong.sent) + sinceLoad()) / 2, trip);
    tick();
  }

  let shown = Number(state().version);

  function onView(socket) {
    const figures = state();
    const missed = !("full" in figures) && Number(figures.from) > shown;
    shown = Number(figures.version);
    setBusy(false);
    byId("board").classList.toggle("moved", !("full" in figures));
    if (folded) document.querySelector("#panel details")?.removeAttribute("open");
    tidyLog();
    update();
    // A lost message shows as a gap: what the table is came whole, the log does not.
    if (missed) socket.reconnect();
  }

  function update() {
    const figures = state();
    match.dataset.phase = figures.phase;
    document.title = `${figures.title} · ${words.site}`;
    for (const form of document.querySelectorAll("#flag, #resign form")) form.elements.version.value = figures.version;
    if (figures.phase === "match_over") byId("resign")?.close();
    choose(figures.only || (chosen && tileOf(chosen) ? chosen : null));
    readClock();
  }

  function scrollLog() {
    const box = byId("log").parentElement;
    box.scrollTop = box.scrollHeight;
  }

  function tidyLog() {
    const log = byId("log");
    const known = new Set();
    for (const line of [...log.children]) {
      if (known.has(line.id)) line.remove();
      known.add(line.id);
    }
    scrollLog();
  }

  // The focus stays on what has the same name; where that is gone, close to where it was.
  function keepFocus() {
    if (!held || match.contains(document.activeElement)) return;
    const places = [focusId && byId(focusId), ...tiles().filter(usable), ...tiles(), match.querySelector(".stage")];
    places.find((place) => place && place.getClientRects().length)?.focus({ preventScroll: true });
  }

  // The connection

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
    ahead = null; // whatever was learnt before a sleep is no longer true
    readClock();
    setBusy(false);
    showLink("live");
    ping();
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
    // A connection that says nothing is dead, whatever the browser believes.
    if (words.link === "live" && sinceLoad() - heardAt > 16000) {
      showLink("reconnecting");
      wrapper.reconnect();
    } else ping();
  }, 5000);
  setInterval(tick, 200);

  window.addEventListener("online", () => {
    if (words.link === "reconnecting") wrapper?.reconnect();
  });
  window.addEventListener("pagehide", () => { leaving = true; });
  window.addEventListener("pageshow", (event) => {
    leaving = false;
    if (event.persisted) location.reload(); // kept by the back button: it may be long out of date
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") {
      tick();
      ping();
    }
  });

  scrollLog();
  update();
})();
