// What is wrong with the page as it stands, a line for each fault. Called with the name of the
// size and whether it is somebody's turn.
async ([size, turn]) => {
  // What follows the size by script has had its turn.
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const faults = [];
  const fault = (what, element, more = "") => faults.push(`${size}: ${what}: ${named(element)} ${more}`.trim());

  function named(element) {
    if (element.id) return `#${element.id}`;
    const up = element.parentElement?.closest("[id]");
    const classes = [...element.classList].map((name) => `.${name}`).join("");
    const text = (element.textContent || element.getAttribute("aria-label") || "").trim().slice(0, 24);
    return `${up ? `#${up.id} ` : ""}${element.localName}${classes} “${text}”`;
  }

  const modal = document.querySelector("dialog:modal");
  const slack = 0.6; // px that rounding may cost
  const least = 44;

  function shown(element) {
    const box = element.getBoundingClientRect();
    return element.checkVisibility({ visibilityProperty: true }) && box.width > 1 && box.height > 1;
  }

  // Part of a box that no ancestor cuts off and the viewport shows.
  function visible(element) {
    let { left, top, right, bottom } = element.getBoundingClientRect();
    for (let up = element.parentElement; up && up !== document.body; up = up.parentElement) {
      const style = getComputedStyle(up);
      if (style.overflowX === "visible" && style.overflowY === "visible") continue;
      const box = up.getBoundingClientRect();
      [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
      [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
    }
    return {
      left: Math.max(left, 0), top: Math.max(top, 0),
      right: Math.min(right, innerWidth), bottom: Math.min(bottom, innerHeight),
    };
  }

  // A link inside a sentence is as high as its line (WCAG 2.5.8).
  function inSentence(element) {
    if (element.localName !== "a" || getComputedStyle(element).display !== "inline") return false;
    const block = element.closest("p, li, td, th, dd, figcaption, div, h1, h2, h3");
    return block.textContent.trim().length > element.textContent.trim().length;
  }

  function target(element) {
    const style = getComputedStyle(element);
    if (style.vectorEffect === "non-scaling-stroke" && style.pointerEvents === "all") {
      const box = element.getBoundingClientRect(); // its outline is hit, too
      return { width: box.width + parseFloat(style.strokeWidth), height: box.height + parseFloat(style.strokeWidth) };
    }
    const boxes = [element, ...(element.labels || [])].map((one) => one.getBoundingClientRect());
    return { width: Math.max(...boxes.map((b) => b.width)), height: Math.max(...boxes.map((b) => b.height)) };
  }

  const interactive =
    "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0'], [role=button], .target.on .touch";
  const targets = [...document.querySelectorAll(interactive)].filter(
    (one) => shown(one) && !one.closest(".skip") && (!modal || modal.contains(one)),
  );
  for (const one of targets) {
    if (inSentence(one)) continue;
    const { width, height } = target(one);
    if (width < least - slack || height < least - slack) {
      fault("too small", one, `${Math.round(width)}x${Math.round(height)}`);
    }
  }

  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) {
    const wide = [...document.body.querySelectorAll("*")].filter(
      (one) => shown(one) && visible(one).right >= innerWidth - slack && one.getBoundingClientRect().right > root.clientWidth + slack,
    );
    faults.push(`${size}: scrolls sideways: ${root.scrollWidth}px: ${wide.slice(0, 3).map(named).join(", ")}`);
  }

  // Words that are cut off.
  const whole = "button, .btn, summary, .badge, .todo, .bank, .delay, .count b, .bone, .amount, .points b, [role=status]";
  for (const one of document.querySelectorAll(whole)) {
    // What is drawn as a picture may have its words outside it.
    if (!shown(one) || one.closest(".account") || getComputedStyle(one).textIndent !== "0px") continue;
    if (one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== "inline") {
      fault("cut off", one, `${one.scrollWidth}px in ${one.clientWidth}px`);
    }
  }

  // What is to be done is told in full.
  for (const one of document.querySelectorAll("#status")) {
    const { overflowY } = getComputedStyle(one);
    if (shown(one) && overflowY !== "visible" && one.scrollHeight > one.clientHeight + 1) {
      fault("cut off", one, `${one.scrollHeight}px in ${one.clientHeight}px`);
    }
  }

  if (!turn || modal) return faults;

  // What a turn needs is on the screen.
  const needed =
    "#hand, #hand > *, .board, .clock, #points, #status, #act button, #panel button, #panel .due, .count, .bone";
  for (const one of document.querySelectorAll(needed)) {
    if (!shown(one)) continue;
    const all = one.getBoundingClientRect();
    const seen = visible(one);
    const hidden = [seen.left - all.left, seen.top - all.top, all.right - seen.right, all.bottom - seen.bottom];
    if (Math.max(...hidden) > 1) fault("out of sight", one, `by ${Math.round(Math.max(...hidden))}px`);
  }

  // Nothing lies over what can be pressed.
  for (const one of targets) {
    if (!one.closest("#match") || one.closest("svg, .side")) continue;
    const box = visible(one);
    if (box.right - box.left < 2 || box.bottom - box.top < 2) continue;
    const top = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
    if (top && !one.contains(top) && !top.contains(one)) fault("covered", one, `by ${named(top)}`);
  }

  // Pieces of the match do not lie over each other.
  const pieces = [
    ...document.querySelectorAll(
      ".seat .name, .seat .presence, .seat .held, .clock, #status, #act button, #points, .count, .bone, #hand > *",
    ),
  ].filter(shown);
  for (const [n, one] of pieces.entries()) {
    const a = visible(one);
    for (const other of pieces.slice(n + 1)) {
      if (one.contains(other) || other.contains(one)) continue;
      const b = visible(other);
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (across > 1 && down > 1) fault("overlaps", one, named(other));
    }
  }
  return faults;
}
