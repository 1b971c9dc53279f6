// Animation: rows glide to their new places, new rows fade in, old ones fade out. Only transform
// and opacity are animated, only of rows in sight, and only if the user has not asked for reduced
// motion.
const still = matchMedia("(prefers-reduced-motion: reduce)");
const easing = { duration: 220, easing: "cubic-bezier(.2, .8, .2, 1)" };
const isSeen = (box) => box.bottom > -200 && box.top < innerHeight + 200;

// Records where rows are. Returns a function that animates them from there to where they are when
// it is called.
export function watch(rows) {
  if (still.matches || document.hidden) return () => {};
  // A carried row is hidden, and is not seen to move.
  const seen = [...rows].filter((row) => !row.matches(".origin"));
  const before = new Map(seen.map((row) => [row, row.getBoundingClientRect()]));
  return (after, entering) => {
    for (const row of after) {
      const box = row.getBoundingClientRect();
      if (!isSeen(box)) continue;
      const old = before.get(row);
      const [across, down] = old ? [old.left - box.left, old.top - box.top] : [0, 0];
      if (old && Math.abs(across) + Math.abs(down) > 0.5 && isSeen(old)) {
        row.animate([{ transform: `translate(${across}px, ${down}px)` }, { transform: "none" }], easing);
      } else if (!old && entering.has(row)) {
        row.animate([{ opacity: 0, transform: "translateY(-8px)" }, {}], easing);
      }
    }
  };
}

// Animates a copy of a row that is being removed.
export function leave(row) {
  if (still.matches || document.hidden || !row.isConnected) return;
  const box = row.getBoundingClientRect();
  if (!isSeen(box)) return;
  const ghost = row.cloneNode(true);
  ghost.removeAttribute("data-row");
  ghost.setAttribute("aria-hidden", "true");
  ghost.inert = true;
  ghost.classList.add("ghost");
  Object.assign(ghost.style, {
    top: `${box.top + scrollY}px`, left: `${box.left}px`, width: `${box.width}px`,
  });
  document.body.append(ghost);
  const play = ghost.animate([{}, { opacity: 0, transform: "translateX(-24px)" }], easing);
  play.onfinish = play.oncancel = () => ghost.remove();
}

export function slide(element, direction) {
  if (still.matches || !element) return;
  element.animate([{ opacity: 0, transform: `translateX(${direction * 24}px)` }, {}], easing);
}

// A touch that can be felt, where the device has it. Browsers refuse it before the first press.
export function nudge() {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(10);
}
