// Keys of every screen: the palette, the search, something new, and the list of keys.
//
// Single letters can be switched off (WCAG 2.1.4): who speaks to the machine, or has a hand that
// slips, presses them without meaning to.
import { entry, goTo, searchField } from "./acts.js";
import { nextColumn, topScreen } from "./columns.js";
import { elements } from "./elements.js";
import { openPalette } from "./palette.js";
import { tables } from "./tables.js";

const storageKey = "single-keys";
const hasSingleKeys = () => {
  try {
    return localStorage.getItem(storageKey) !== "off";
  } catch {
    return true;
  }
};

export function listenToKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || event.altKey || document.querySelector("dialog[open]")) return;
    if (act(event)) event.preventDefault();
  });
}

function act({ key, ctrlKey, metaKey, shiftKey, target }) {
  if (key === "F6") return visitColumn(shiftKey ? -1 : 1);
  const isCommand = ctrlKey || metaKey;
  const name = key.toLowerCase();
  // A command of the screen's own comes first.
  if (topScreen().dataset.keys.split(" ").includes(isCommand ? `command+${name}` : name)) return false;
  if (isCommand && name === "k") return openPalette();
  // A second press is the browser's own search.
  if (isCommand) return name === "f" && target !== searchField() && visit(searchField());
  // From its heading, where a screen begins, into its list.
  if (key === "ArrowDown" && target.matches?.("h1")) {
    return Boolean(tables.get(target.closest(".screen")?.querySelector("[data-table]")?.dataset.table)?.focusCurrent());
  }
  const typed = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]";
  if (target.closest?.(typed) || !hasSingleKeys()) return false;
  if (name === "?") return showKeys();
  return (name === "/" && visit(searchField())) || (name === "n" && visit(entry()));
}

function visit(element) {
  if (element) goTo(element);
  return Boolean(element);
}

// Gives the keyboard to the next column: to its current row, or its heading.
function visitColumn(step) {
  const screen = nextColumn(step);
  if (!screen) return false;
  const list = tables.get(screen.querySelector("[data-table]")?.dataset.table);
  if (!list?.focusCurrent()) screen.querySelector("h1, .bar button:enabled")?.focus({ preventScroll: true });
  return true;
}

// MARK: The list of keys

function keys() {
  const rows = topScreen().querySelector(".row");
  return [
    ["Ctrl-K", "Do or open anything by its name"],
    searchField() && ["/ or Ctrl-F", "Search"],
    entry() && ["N", entry().ariaLabel || entry().placeholder || entry().textContent.trim()],
    rows && ["↑ ↓, Home, End", "Another row"],
    rows && ["Return", "Open or choose the row"],
    topScreen().querySelector(".row[data-editable]") && ["F2", "Rename the row"],
    topScreen().querySelector(".row .action.destructive") && ["Delete", "Delete the row"],
    topScreen().querySelector(".row .grip") && ["Alt-↑, Alt-↓", "Move the row"],
    ["Ctrl-Z, Ctrl-Shift-Z", "Undo, redo"],
    ["Tab", "Another part of the screen"],
    nextColumn(1) && ["F6", "Another column"],
    topScreen().closest(".modal") && ["Escape", "Close"],
    ["?", "These keys"],
  ].filter(Boolean);
}

function showKeys() {
  const dialog = /** @type {HTMLDialogElement} */ (elements(`<dialog class="keys" aria-label="Keys"><h3>Keys</h3><dl></dl>
    <label><input type="checkbox"> Single keys (N, / and ?)</label>
    <menu><button type="button">Close</button></menu></dialog>`)[0]);
  const names = dialog.querySelector("dl");
  for (const [name, meaning] of keys()) {
    names.appendChild(document.createElement("dt")).textContent = name;
    names.appendChild(document.createElement("dd")).textContent = meaning;
  }
  const box = dialog.querySelector("input");
  box.checked = hasSingleKeys();
  box.addEventListener("change", () => {
    try {
      localStorage.setItem(storageKey, box.checked ? "on" : "off");
    } catch {
      // Without storage the keys stay as they are.
      box.checked = true;
    }
  });
  dialog.addEventListener("click", ({ target }) => { if (target === dialog || target.matches("button")) dialog.close(); });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return true;
}
