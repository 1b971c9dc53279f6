// When somebody else has taken away what the keyboard was in, keys that are still on their way were meant
// for that: they do nothing until the person has chosen where to be, by Tab, a click or a touch.
let isHeld = false;

const modifiers = ["Shift", "Control", "Alt", "Meta"];

export function listenToHeldKeys() {
  addEventListener("keydown", (event) => {
    if (!isHeld || modifiers.includes(event.key)) return;
    if (event.key === "Tab") return void (isHeld = false);
    event.stopImmediatePropagation();
    // The browser's own keys stay the browser's.
    const isBrowsers = event.ctrlKey || event.metaKey || event.altKey || /^F\d+$/.test(event.key);
    if (!isBrowsers) event.preventDefault();
  }, true);
  addEventListener("pointerdown", letGo, true);
}

export function holdKeys() { isHeld = true; }

export function letGo() { isHeld = false; }
