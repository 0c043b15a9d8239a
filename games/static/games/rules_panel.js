// The rules beside a running match: a sheet that blocks nothing. Clocks, table and incoming views
// go on as if it were not there; its text is loaded when it is first opened.

const panel = document.getElementById("rules-panel");
const text = document.getElementById("rules-text");
const title = document.getElementById("rules-title");
const clocks = panel.querySelector(".r-clocks");
const ADDRESS = new URL(text.getAttribute("hx-get"), location.href).pathname;

const LOW = matchMedia("(max-height: 480px)");

/** What a phase of the match is most likely looked up for. */
const SECTIONS = {
  new: "game",
  dealt: "deal",
  handover: "digital",
  auction: "auction",
  opening: "deal",
  play: "count",
  round_over: "ending",
  match_over: "ending",
};

let opener = null; // where the focus goes back to
let loaded = false;
let section = ""; // the section it was last opened at
let mirroring = 0;

function sought() {
  if (document.getElementById("draw")) return "drawing";
  return SECTIONS[document.getElementById("state").dataset.phase] ?? "game";
}

function go(id, focus) {
  const place = document.getElementById(id);
  if (!place) return;
  text.scrollTop += place.getBoundingClientRect().top - text.getBoundingClientRect().top - 8;
  if (focus) place.focus({ preventScroll: true });
}

/** Go to what the match is about now; whoever reads on about the same stays where they were. */
function follow() {
  const wanted = sought();
  if (!loaded || wanted === section) return;
  section = wanted;
  go(`rules-${wanted}`, false);
}

function name(clock) {
  const shown = clock.closest(".seat")?.querySelector(".name");
  return (shown?.querySelector(".player") ?? shown)?.textContent.trim() ?? "";
}

/** Where the sheet lies over the clocks of the page, it shows their figures itself. */
function mirror() {
  const seen = [...document.querySelectorAll("#match .clock")];
  while (clocks.childElementCount < seen.length) {
    const one = document.createElement("span");
    one.append(document.createElement("i"), document.createElement("b"), document.createElement("small"));
    clocks.append(one);
  }
  for (const [index, clock] of seen.entries()) {
    const one = clocks.children[index];
    const figures = [
      name(clock),
      clock.querySelector(".bank")?.textContent ?? "",
      clock.querySelector(".delay")?.textContent ?? "",
    ];
    for (const [at, figure] of figures.entries()) {
      if (one.children[at].textContent !== figure) one.children[at].textContent = figure;
    }
    one.className = ["me", "opp", "run", "low"].filter((name) => clock.classList.contains(name)).join(" ");
  }
}

function open(from) {
  opener = from;
  if (!panel.open) panel.show();
  mirror();
  clearInterval(mirroring);
  mirroring = setInterval(mirror, 250);
  // A low screen has no room for both: what is beside the sheet should be the match.
  if (LOW.matches) document.querySelector("#match .stage").scrollIntoView();
  title.focus({ preventScroll: true });
  if (loaded) follow();
  else htmx.trigger(text, "rules-wanted");
}

function close() {
  clearInterval(mirroring);
  panel.close();
  if (opener?.getClientRects().length) opener.focus();
  else document.querySelector("#match .stage").focus({ preventScroll: true });
}

text.addEventListener("htmx:afterSwap", () => {
  loaded = true;
  follow();
});
for (const failure of ["htmx:sendError", "htmx:responseError"]) {
  text.addEventListener(failure, () => {
    const wait = text.querySelector(".r-wait");
    if (wait) wait.firstElementChild.textContent = wait.dataset.failed;
  });
}

/** A link to the rules page, pressed in no way that asks for a tab of its own. */
function rulesLink(event) {
  const link = event.target.closest("a[href]");
  const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  return plain && link && !link.target && link.host === location.host && link.pathname === ADDRESS ? link : null;
}

document.addEventListener("click", (event) => {
  const from = event.target.closest("[data-rules]") ?? rulesLink(event);
  if (from) {
    event.preventDefault();
    open(from);
  } else if (event.target.closest("#rules-close")) close();
  else {
    const inside = event.target.closest('#rules-panel a[href^="#"]');
    if (!inside) return;
    event.preventDefault(); // the address stays that of the match
    go(inside.hash.slice(1), true);
  }
});

// A tile that is taken up is put back first, and a dialog on top closes first.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !panel.open || document.querySelector("dialog:modal")) return;
  const held = document.querySelector('.tile[aria-pressed="true"]');
  if (held && !panel.contains(document.activeElement)) return;
  event.stopPropagation();
  close();
}, true);
