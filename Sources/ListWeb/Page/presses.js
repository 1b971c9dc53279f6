// While something is pressed the page stands still: of an element that is replaced between press and
// release the browser sends no click, and another one could come under the pointer meanwhile.

// What waits for the release; nothing waits while nothing is pressed.
let waiting, timer, start;

// For a release that the page does not hear of.
const longest = 3000;
const pressable = ".row, button, a, label, input";

export function listenToPresses() {
  document.addEventListener("pointerdown", (event) => {
    if (event.button > 0 || !event.target.closest?.(pressable)) return;
    start = event;
    waiting ??= [];
    clearTimeout(timer);
    timer = setTimeout(release, longest);
  }, true);
  document.addEventListener("pointermove", ({ clientX, clientY }) => {
    // A drag, which needs the rows that it comes by.
    if (waiting && Math.hypot(clientX - start.clientX, clientY - start.clientY) > 8) release();
  });
  for (const type of ["pointercancel", "contextmenu", "dragstart"]) document.addEventListener(type, release);
  addEventListener("blur", release);
  // After the click, which is sent in the same turn.
  document.addEventListener("pointerup", () => {
    clearTimeout(timer);
    timer = setTimeout(release, 0);
  });
}

// Changes the page now, or once what is pressed has been released.
export function whenReleased(change) {
  if (waiting) waiting.push(change);
  else change();
}

// The changes that wait are those of a window that is gone.
export function forgetWaiting() {
  if (waiting) waiting = [];
}

function release() {
  clearTimeout(timer);
  const changes = waiting ?? [];
  waiting = undefined;
  // One after the other, each by itself: one that fails takes no other along.
  for (const change of changes) queueMicrotask(change);
}
