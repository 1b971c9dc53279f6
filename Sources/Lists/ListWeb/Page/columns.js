// Columns beside each other in the lowest layer of a wide window. Each scrolls by itself, and one
// has the user's attention: the one that was used last. Keys and events are meant for that one.
const app = document.getElementById("app");
let used;

export function listenToColumns() {
  for (const type of ["focusin", "pointerdown"]) document.addEventListener(type, note, true);
}

function note({ target }) {
  const screen = target.closest?.(".columns > .screen");
  if (screen) used = screen.dataset.screen;
}

// The screens of a layer: those of its columns, or the only one.
export function screensOf(layer) {
  if (!layer) return [];
  return layer.matches(".screen") ? [layer] : [...layer.querySelectorAll(":scope > .screen")];
}

// The screen of a layer that has the user's attention.
export function screenOf(layer) {
  const screens = screensOf(layer);
  return screens.find(({ dataset }) => dataset.screen === used) ?? screens[0];
}

export const topScreen = () => screenOf(app.lastElementChild);

// The screens that can be used, first the one that has the user's attention.
export function topScreens() {
  const top = topScreen();
  return [top, ...screensOf(app.lastElementChild).filter((screen) => screen !== top)];
}

// The screen whose title is that of the window and of its place: of several columns the last with a
// title.
export const titledScreen = () =>
  screensOf(app.lastElementChild).filter((screen) => screen.querySelector("h1")?.textContent).at(-1);

// The name of the column that has the user's attention; undefined without columns.
export function usedColumn() {
  return app.lastElementChild?.matches(".columns") ? topScreen().dataset.screen : undefined;
}

// What scrolls a screen: a sheet and a column by themselves, any other screen with the page.
export const scrollerOf = (screen) => (screen.closest(".modal, .columns") ? screen : document.scrollingElement);

// The screen after the one that has the user's attention; undefined without columns.
export function nextColumn(step) {
  const screens = screensOf(app.lastElementChild);
  if (screens.length < 2) return undefined;
  return screens[(screens.indexOf(topScreen()) + step + screens.length) % screens.length];
}
