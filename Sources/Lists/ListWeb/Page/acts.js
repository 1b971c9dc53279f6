// What can be done on the visible screen, by name: its buttons, its fields, and the rows that the
// page holds. Offered by the palette and by keys.
import { topScreens } from "./columns.js";
import { othersAct } from "./others.js";
import { choose } from "./rows.js";

const isUsable = (element) => !element.disabled && element.offsetParent !== null;
// Buttons of rows belong to their row, letters of an index to its list.
const own = (screen, selector) => [...screen.querySelectorAll(selector)]
  .filter((element) => !element.closest(".row, .index") && isUsable(element));

export const searchField = () => topScreens().flatMap((screen) => own(screen, ".search input"))[0];

// The field for something new, or the button that asks for it.
export function entry() {
  return topScreens().flatMap((screen) => [
    ...own(screen, ":is(main, .main) input[data-field]:not([type=search])"), ...own(screen, "button[data-adds]"),
  ])[0];
}

export function goTo(element) {
  if (element.matches("button")) return void element.click();
  element.focus();
  element.select();
  element.scrollIntoView({ block: "nearest" });
}

const spoken = (element) => (element.ariaLabel ?? element.textContent).trim();
// A button that is drawn as a sign has its keys in its tip: "Undo (Ctrl-Z)".
const keysOf = (element) => element.title.match(/\((.+)\)$/)?.[1] ?? "";

// What can be done, as { name, keys, kind, run }. A name that was taken from the page by somebody
// else does nothing.
export function acts() {
  const screens = topScreens();
  const found = [];
  const add = (element, kind, name, keys, run) => {
    if (name) found.push({ name, kind, keys, run: () => { if (element.isConnected) run(element); } });
  };
  const newest = entry();
  for (const button of screens.flatMap((screen) => own(screen, "button:not(.clear)"))) {
    add(button, "act", spoken(button), button === newest ? "N" : keysOf(button), goTo);
  }
  for (const field of screens.flatMap((screen) => own(screen, "input[data-field]"))) {
    const keys = field === newest ? "N" : field === searchField() ? "/" : "";
    add(field, "act", field.ariaLabel || field.placeholder, keys, goTo);
  }
  const hiding = othersAct();
  if (hiding) found.push({ kind: "act", keys: "", ...hiding });
  for (const row of screens.flatMap((screen) => [...screen.querySelectorAll(".row")])) {
    add(row, "row", row.querySelector(".title")?.textContent.trim(), "", (chosen) => {
      chosen.focus();
      choose(chosen);
    });
  }
  return found;
}

// Text without accents and in small letters, for comparison.
const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

// Those whose name holds every word of the text; first those that begin with it, then those with a
// word that does.
export function matching(text, list) {
  const words = folded(text).split(/\s+/).filter(Boolean);
  const rank = (name) => {
    if (name.startsWith(words[0])) return 0;
    return words.every((word) => ` ${name}`.includes(` ${word}`)) ? 1 : 2;
  };
  return list.map((act) => ({ act, name: folded(act.name) }))
    .filter(({ name }) => words.every((word) => name.includes(word)))
    .map((one, index) => ({ ...one, index, rank: words.length > 0 ? rank(one.name) : 0 }))
    .sort((one, other) => one.rank - other.rank || one.index - other.index)
    .map(({ act }) => act);
}
