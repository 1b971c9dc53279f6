// Presses: the page does not change while the pointer is down. If the pressed element were
// replaced, the browser would send no click, or another element would come under the pointer.

// The changes that wait for the release; undefined while nothing is pressed.
let waiting, timer, start;

// The longest wait in milliseconds, for a release that the page does not receive.
const longest = 3000;
const pressable = ".row, button, a, label, input";

export function listenToPresses() {
  tellTouches();
  document.addEventListener("pointerdown", (event) => {
    if (event.button > 0 || !event.target.closest?.(pressable)) return;
    start = event;
    waiting ??= [];
    clearTimeout(timer);
    timer = setTimeout(release, longest);
  }, true);
  document.addEventListener("pointermove", ({ clientX, clientY }) => {
    // The press has become a drag, which needs the changed rows.
    if (waiting && Math.hypot(clientX - start.clientX, clientY - start.clientY) > 8) release();
  });
  for (const type of ["pointercancel", "contextmenu", "dragstart"]) document.addEventListener(type, release);
  addEventListener("blur", release);
  // After the click, which the browser sends in the same turn.
  document.addEventListener("pointerup", () => {
    clearTimeout(timer);
    timer = setTimeout(release, 0);
  });
}

// Runs a change of the page now, or after the release.
export function whenReleased(change) {
  if (waiting) waiting.push(change);
  else change();
}

// Drops the waiting changes, which belong to a window that is gone.
export function forgetWaiting() {
  if (waiting) waiting = [];
}

function release() {
  clearTimeout(timer);
  const changes = waiting ?? [];
  waiting = undefined;
  // Each change runs as a microtask of its own: one that throws does not stop the others.
  for (const change of changes) queueMicrotask(change);
}

// Marks the page while it is used by touch, for the styles: devices with a mouse have fingers too.
function tellTouches() {
  const tell = ({ pointerType }) => {
    document.body.classList.toggle("by-touch", pointerType === "touch");
    document.body.classList.toggle("by-mouse", pointerType === "mouse");
  };
  document.addEventListener("pointerdown", tell, true);
  document.addEventListener("pointermove", tell, true);
  document.addEventListener("keydown", ({ key, target }) => {
    // The keyboard on the screen types into fields.
    if (key === "Tab" || !target.matches?.("input")) document.body.classList.remove("by-touch");
  }, true);
}
