// Where the keyboard is, in words that outlive that elements are drawn anew.
import { tables } from "./tables.js";

// What a button is for.
export const keyOf = (element) => {
  const { event, press, tab } = element?.dataset ?? {};
  return event ?? press ?? tab;
};

export const buttonFor = (root, key) =>
  [...root.querySelectorAll("button")].find((element) => keyOf(element) === key && !element.disabled);

// Remembers where the keyboard is. The function that it returns gives it back to there, or to what
// has come in its place; false when there is nothing.
export function rememberFocus(element = document.activeElement) {
  const row = element?.closest?.(".row");
  const name = row?.dataset.row;
  const table = row?.closest("[data-table]")?.dataset.table;
  const place = tables.get(table)?.placeOf(row);
  const field = element?.dataset?.field;
  return () => {
    if (isUsable(element)) return give(element);
    const twin = keyOf(element) && buttonFor(document.getElementById("app"), keyOf(element));
    if (twin) return give(twin);
    const input = field && document.querySelector(`[data-field="${CSS.escape(field)}"]`);
    if (input) return give(input);
    const list = tables.get(table);
    if (!list?.root.isConnected) return false;
    const same = list.element(name);
    if (same) return give(same);
    // Without scrolling: what is to be seen is for others to say.
    list.focusPlace(Math.min(place, list.total - 1), false);
    return true;
  };
}

const isUsable = (element) =>
  element?.isConnected && element !== document.body && !element.disabled && !element.closest("[inert]")
  && element.offsetParent !== null;

function give(element) {
  element.focus({ preventScroll: true });
  return document.activeElement === element;
}

// The list of the topmost screen has the keyboard, else its heading.
export function focusScreen() {
  const screen = document.getElementById("app").lastElementChild;
  const list = tables.get(screen?.querySelector("[data-table]")?.dataset.table);
  if (!list?.focusCurrent()) screen?.querySelector("h1")?.focus({ preventScroll: true });
}

// When what has the keyboard in an area goes away, the keyboard goes back to where it was before.
export function returnFocusFrom(area) {
  let goBack;
  area.addEventListener("focusin", ({ relatedTarget }) => {
    if (!relatedTarget || !area.contains(relatedTarget)) goBack = rememberFocus(relatedTarget);
  });
  new MutationObserver(() => {
    if (!goBack || document.activeElement !== document.body) return;
    if (!goBack()) focusScreen();
    goBack = undefined;
  }).observe(area, { childList: true });
}
