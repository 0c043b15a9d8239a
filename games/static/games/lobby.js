// The lobby: what changes is put in place, whoever waits is kept waiting, and whose match has
// begun is led there. The server draws everything. Every word comes from the page.
"use strict";

(() => {
  const lobby = document.getElementById("lobby");
  const line = document.getElementById("lobby-line");
  if (!lobby || !line) return;
  const words = lobby.dataset;
  const byId = (id) => document.getElementById(id);
  const fill = (text, values) => text.replace(/%\((\w+)\)s|%%/g, (all, key) => key ? values[key] : "%");

  // Times: how long something waits, and how long it still stands, by the server's clock

  let ahead = Number(words.now) - Date.now();

  function spell(ms) {
    const seconds = Math.max(0, Math.floor(ms / 1000));
    if (seconds >= 3600) return fill(words.hours, { hours: Math.floor(seconds / 3600) });
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }

  function write(element, text) {
    if (element.textContent !== text) element.textContent = text;
  }

  function tick() {
    const now = Date.now() + ahead;
    for (const time of lobby.querySelectorAll(".time[data-since]")) write(time, spell(now - Number(time.dataset.since)));
    for (const time of lobby.querySelectorAll(".time[data-until]")) write(time, spell(Number(time.dataset.until) - now));
    for (const around of lobby.querySelectorAll("[data-around]")) {
      const { since, first, widening, limit, within, any } = around.dataset;
      const waited = Math.max(0, now - Number(since));
      const points = Number(first) + Number(widening) * Math.floor(waited / 1000);
      write(around, waited >= Number(limit) ? any : fill(within, { points }));
    }
  }

  // What the server sends: parts by their ids. A row that is there already stays, so that nothing
  // moves away under a finger and the focus stays where it is.

  const sources = new WeakMap(); // what an element was made of

  function adopt(element) {
    const source = element.outerHTML;
    sources.set(element, source);
    return source;
  }

  function renewList(list, fresh) {
    const rows = [...fresh.children].map((row) => {
      const source = adopt(row);
      const old = [...list.children].find((one) => one.id === row.id);
      return old && sources.get(old) === source ? old : row;
    });
    for (const row of [...list.children]) if (!rows.includes(row)) row.remove();
    rows.forEach((row, n) => {
      if (list.children[n] === row) return;
      list.insertBefore(row, list.children[n] ?? null);
      htmx.process(row);
    });
  }

  function renew(region, fresh) {
    const list = region.querySelector("ul");
    const freshList = fresh.querySelector("ul");
    if (list && freshList) {
      const others = [...fresh.children].filter((child) => !child.contains(freshList));
      renewList(list, freshList);
      for (const child of [...region.children]) if (!child.contains(list)) child.remove();
      region.append(...others);
    } else {
      if (freshList) for (const row of freshList.children) adopt(row);
      region.replaceChildren(...fresh.children);
      htmx.process(region);
    }
  }

  const answers = {
    "lobby-pong": (part) => {
      const trip = Date.now() - Number(part.dataset.sent);
      if (trip >= 0 && trip < 5000) ahead = Number(part.dataset.now) + trip / 2 - Date.now();
    },
    "lobby-beat": () => ping(),
    "lobby-go": (part) => location.assign(part.dataset.url),
    "lobby-refused": () => {},
  };

  // Puts every part in its place; gives what has none.
  function place(text) {
    const body = new DOMParser().parseFromString(text, "text/html").body;
    const focusId = lobby.contains(document.activeElement) ? document.activeElement.id : "";
    for (const part of [...body.children]) {
      const region = byId(part.id);
      if (part.id in answers) answers[part.id](part);
      else if (region?.classList.contains("region")) renew(region, part);
      else continue;
      part.remove();
    }
    tick();
    keepFocus(focusId);
    return body.innerHTML;
  }

  line.addEventListener("htmx:wsBeforeMessage", (event) => {
    event.preventDefault(); // htmx would swap whole regions
    heardAt = Date.now();
    heard = true;
    place(event.detail.message);
  });

  lobby.addEventListener("htmx:beforeSwap", (event) => {
    if (!event.detail.target.classList.contains("said-slot")) return;
    event.detail.serverResponse = place(event.detail.serverResponse);
  });

  // Where what had the focus is gone, its region has it.
  function keepFocus(focusId) {
    if (!focusId || lobby.contains(document.activeElement)) return;
    const place = byId(focusId) ?? byId("main");
    place.focus({ preventScroll: true });
  }

  // Forms

  lobby.addEventListener("htmx:afterRequest", (event) => {
    const form = event.detail.elt;
    const { status } = event.detail.xhr;
    if (status >= 200 && status < 400 && form.hasAttribute("data-reset")) form.reset();
    for (const slot of lobby.querySelectorAll(".said-slot")) {
      if (slot !== event.detail.target) slot.replaceChildren(); // said about something earlier
    }
    tick();
  });

  for (const kind of ["htmx:sendError", "htmx:responseError"]) {
    lobby.addEventListener(kind, (event) => {
      const slot = event.detail.target;
      if (!slot?.classList.contains("said-slot")) return;
      const told = document.createElement("p");
      told.className = "said-line bad";
      told.setAttribute("role", "alert");
      told.textContent = words.failed;
      slot.replaceChildren(told);
    });
  }

  // The connection

  byId("lobby-link").hidden = false; // a page whose scripts do not run has none
  htmx.config.wsReconnectDelay = (tries) => 200 + Math.random() * Math.min(10000, 1000 * 2 ** tries);

  let wrapper = null;
  let heardAt = Date.now();
  let leaving = false;
  let heard = false; // whether this page has been in the lobby at all

  function showLink(link, text, address) {
    words.link = link;
    const told = byId("lobby-link").querySelector("span");
    told.textContent = text;
    if (!address) return;
    const way = document.createElement("a");
    way.href = address;
    way.textContent = words.signInLabel;
    told.append(" ", way);
  }

  function ping() {
    if (words.link !== "live") return;
    byId("lobby-ping").elements.sent.value = Date.now();
    htmx.trigger("#lobby-ping", "tick");
  }

  line.addEventListener("htmx:wsConfigSend", (event) => { event.detail.headers = null; });

  line.addEventListener("htmx:wsOpen", (event) => {
    wrapper = event.detail.socketWrapper;
    heardAt = Date.now();
    showLink("live", words.live);
    ping();
  });

  line.addEventListener("htmx:wsClose", (event) => {
    const { code } = event.detail.event;
    if (leaving) return;
    if (code === 4403 && heard) location.reload(); // suspended: the page tells until when and why
    else if (code === 4401) showLink("closed", words.signedOut, words.signIn);
    else if (code === 4403 || code === 4404) showLink("closed", words.refused);
    else {
      showLink("reconnecting", words.reconnecting);
      // htmx comes back by itself after these; after any other close the page does.
      if (![1006, 1011, 1012, 1013].includes(code)) setTimeout(() => wrapper?.reconnect(), 2000);
    }
  });

  setInterval(() => {
    // A connection that says nothing is dead, whatever the browser believes.
    if (words.link === "live" && Date.now() - heardAt > 16000) {
      showLink("reconnecting", words.reconnecting);
      wrapper.reconnect();
    } else ping();
  }, 5000);
  setInterval(tick, 500);

  window.addEventListener("pagehide", () => { leaving = true; });
  window.addEventListener("pageshow", (event) => {
    leaving = false;
    if (event.persisted) location.reload(); // kept by the back button: it may be long out of date
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") ping();
  });

  tick();
})();
