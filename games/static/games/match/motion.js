// Motion: short, off where it is not wanted, and never in the way of the next move.

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const running = new Set();

/** Whether nothing is to move. */
export const still = () => calm.matches || document.visibilityState === "hidden";

/** Let something glide, in ms; it is over at once where nothing is to move. `done` is called in
 *  any case, once. */
export function glide(element, frames, duration, { delay = 0, easing = "cubic-bezier(.2,.7,.3,1)", done } = {}) {
  if (still() || !element) {
    done?.();
    return null;
  }
  const animation = element.animate(frames, { duration, delay, easing, fill: "backwards" });
  running.add(animation);
  const over = () => {
    if (!running.delete(animation)) return;
    done?.();
  };
  animation.addEventListener("finish", over);
  animation.addEventListener("cancel", over);
  return animation;
}

/** Whatever still moves is where it goes. */
export function finishAll() {
  for (const animation of [...running]) animation.finish();
}

calm.addEventListener("change", () => { if (calm.matches) finishAll(); });
document.addEventListener("visibilitychange", () => { if (still()) finishAll(); });
