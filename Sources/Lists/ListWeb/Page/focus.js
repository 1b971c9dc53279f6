// Keyboard focus across redraws: an element is remembered by names that survive its replacement.
import { topScreen } from "./columns.js";
import { tables } from "./tables.js";

// A button's purpose: the event, press or tab that it sends.
export const keyOf = (element) => {
  const { event, press, tab } = element?.dataset ?? {};
  return event ?? press ?? tab;
};

export const buttonFor = (root, key) =>
  [...root.querySelectorAll("button")].find((element) => keyOf(element) === key && !element.disabled);

// Remembers the focused element. Returns a function that restores the focus to it or to its
// replacement; that function returns false if there is neither.
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
    // Does not scroll: the caller decides what is in sight.
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

// Focuses the list of the topmost screen, or its heading.
export function focusScreen() {
  const screen = topScreen();
  const list = tables.get(screen?.querySelector("[data-table]")?.dataset.table);
  if (!list?.focusCurrent()) screen?.querySelector("h1")?.focus({ preventScroll: true });
}

// Restores the earlier focus when the focused element of an area is removed.
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
