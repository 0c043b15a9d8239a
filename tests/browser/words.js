// What is wrong with the words of the page as it stands, a line for each fault: those that lie over
// each other, beside the page, or beyond what holds them.
() => {
  const pieces = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const modal = document.querySelector("dialog:modal");
  const faults = [];
  const short = (text) => `“${text.trim().replace(/\s+/g, " ").slice(0, 40)}”`;

  // What holds these words and cuts off or scrolls what is wider, if anything does.
  function holder(element) {
    for (let up = element; up && up !== document.body; up = up.parentElement) {
      if (getComputedStyle(up).overflowX !== "visible") return up;
    }
    return null;
  }

  // The sheet, menu or bar these words are on, which may lie over others with a ground of its own.
  function layer(element) {
    for (let up = element; up && up !== document.body; up = up.parentElement) {
      const style = getComputedStyle(up);
      const lifted = style.position !== "static" && (style.position !== "relative" || style.zIndex !== "auto");
      if (lifted && !/^rgba\(.*, 0\)$|^transparent$/.test(style.backgroundColor)) return up;
    }
    return null;
  }

  while (walker.nextNode()) {
    const node = walker.currentNode;
    const element = node.parentElement;
    if (!node.data.trim() || element.closest("svg, script, style, select, .skip")) continue;
    if (modal && !modal.contains(element)) continue;
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const held = holder(element);
    const hold = held?.getBoundingClientRect();
    if (hold && (hold.width < 3 || hold.height < 3)) continue; // for those who listen
    if (getComputedStyle(element).textIndent !== "0px") continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      if (box.width < 2 || box.height < 2) continue;
      const way = held && getComputedStyle(held);
      // Of a long name its beginning is enough.
      const name = way && way.textOverflow === "ellipsis" && !/\s/.test(node.data.trim());
      const scrolls = way && (["auto", "scroll"].includes(way.overflowX) || name);
      if (!scrolls && (box.right > innerWidth + 1 || box.left < -1)) faults.push(`beside the page: ${short(node.data)}`);
      if (hold && !scrolls && (box.right > hold.right + 1 || box.left < hold.left - 1)) {
        faults.push(`cut off: ${short(node.data)} by ${Math.round(Math.max(box.right - hold.right, hold.left - box.left))}px`);
      }
      const top = held ? Math.max(box.top, hold.top) : box.top;
      const bottom = held ? Math.min(box.bottom, hold.bottom) : box.bottom;
      const left = held ? Math.max(box.left, hold.left) : box.left;
      const right = held ? Math.min(box.right, hold.right) : box.right;
      if (bottom - top > 2) pieces.push({ node, on: layer(element), left, right, top, bottom });
    }
  }
  for (const [n, a] of pieces.entries()) {
    for (const b of pieces.slice(n + 1)) {
      if (a.node === b.node || a.on !== b.on) continue;
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      const lower = Math.min(a.bottom - a.top, b.bottom - b.top);
      if (across > 2 && down > lower / 3) faults.push(`overlap: ${short(a.node.data)} and ${short(b.node.data)}`);
    }
  }
  return faults;
}
