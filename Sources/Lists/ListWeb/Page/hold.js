// Held keys: if the focused element was removed, but not by this user, key presses still under way
// were meant for it. They are ignored until the user chooses a focus by Tab, click or touch.
let isHeld = false;

const modifiers = ["Shift", "Control", "Alt", "Meta"];

export function listenToHeldKeys() {
  addEventListener("keydown", (event) => {
    if (!isHeld || modifiers.includes(event.key)) return;
    if (event.key === "Tab") return void (isHeld = false);
    event.stopImmediatePropagation();
    // Browser shortcuts keep working.
    const isBrowsers = event.ctrlKey || event.metaKey || event.altKey || /^F\d+$/.test(event.key);
    if (!isBrowsers) event.preventDefault();
  }, true);
  addEventListener("pointerdown", letGo, true);
}

export function holdKeys() { isHeld = true; }

export function letGo() { isHeld = false; }
