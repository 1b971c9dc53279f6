// Drafts: typed text that is not yet sent, the focus, and the scroll position of each screen. They
// survive a reload and a renewed window, in which the names of fields and rows differ.
import { scrollerOf } from "./columns.js";
import { dropEditor, editRow } from "./editor.js";
import { sendDate, sendTyped } from "./fields.js";
import { chosenIn, putChoice } from "./controls.js";
import { showTyped } from "./messages.js";
import { tableOf, tables } from "./tables.js";

const storageKey = "drafts";

// The screens of the page, with an alert last.
const layers = () => [
  ...document.querySelectorAll("#app .screen"), ...document.getElementById("alerts").children,
];
const inputsOf = (layer) => [...layer.querySelectorAll("input[data-field], input[data-date]")];
const screenOf = (layer) => layer.closest(".screen");
const listOf = (screen) => tables.get(screen?.querySelector("[data-table]")?.dataset.table);

export function takeDrafts() {
  return layers().map((layer) => ({
    screen: layer.dataset.screen,
    heading: headingOf(layer),
    texts: inputsOf(layer).flatMap(draftOf),
    choices: chosenIn(layer).map((choice) => ({ ...choice, isTyped: true })),
    title: draftOfTitle(layer),
    row: placeOfFocusedRow(layer),
    scroll: scrollOf(layer),
  }));
}

function draftOf(input, index) {
  const hasFocus = input === document.activeElement;
  const isTyped = input.value !== input.defaultValue;
  if (!isTyped && !hasFocus) return [];
  const [start, end] = input.dataset.field ? [input.selectionStart, input.selectionEnd] : [];
  const began = input.defaultValue;
  return [{ index, label: input.ariaLabel, text: input.value, began, isTyped, hasFocus, start, end }];
}

// The title of a screen; undefined for an alert.
function headingOf(layer) {
  return layer.closest("#alerts") ? undefined : layer.querySelector("h1")?.textContent;
}

// The draft of the title that is being edited.
function draftOfTitle(layer) {
  const row = layer.querySelector(".row.editing");
  if (!row) return undefined;
  const { value: text, began: old } = row.querySelector(":scope > input");
  return { old, text };
}

function placeOfFocusedRow(layer) {
  const row = document.activeElement?.closest?.(".row");
  return row && document.activeElement === row && layer.contains(row) ? tableOf(row)?.placeOf(row) : undefined;
}

function scrollOf(layer) {
  const screen = screenOf(layer);
  return screen && { top: scrollerOf(screen).scrollTop, shift: listOf(screen)?.shift ?? 0 };
}

// Restores drafts, each in the screen of its number, or of its name. Shows the typed texts whose field or row no longer exists, also where another
// screen has the place of theirs.
// A draft of before gives way to what has been typed since.
export function putDrafts(drafts, { isByName = false, keepsTyped = false } = {}) {
  const all = layers();
  const lost = [];
  for (const [place, draft] of drafts.entries()) {
    const layer = isByName ? all.find(({ dataset }) => dataset.screen === draft.screen) : all[place];
    if (layer && draft.scroll) putScroll(screenOf(layer), draft.scroll);
    const isOther = layer && draft.heading !== headingOf(layer);
    const hasPlace = (text) => layer && !(isOther && text.isTyped) && putText(layer, text, keepsTyped);
    lost.push(...draft.texts.filter((text) => !hasPlace(text)));
    lost.push(...(draft.choices ?? []).filter((choice) => isOther || !layer || !putChoice(layer, choice)));
    if (draft.title && !(layer && putTitle(layer, draft.title))) lost.push({ ...draft.title, isTyped: true });
    if (layer && draft.row !== undefined) listOf(screenOf(layer))?.focusPlace(draft.row);
  }
  const typed = lost.filter(({ isTyped, text }) => isTyped && text !== "").map(({ text }) => text);
  if (typed.length > 0) showTyped("What you were editing is no longer there.", typed);
}

function putText(layer, { index, label, text, began, isTyped, hasFocus, start, end }, keepsTyped) {
  const inputs = inputsOf(layer);
  const fits = (input) => input?.ariaLabel === label;
  const input = fits(inputs[index]) ? inputs[index] : inputs.find(fits);
  if (!input || input.disabled) return false;
  if (keepsTyped && ![input.defaultValue, text].includes(input.value)) return true;
  // The value under the typed one is another by now: the user decides.
  const now = input.defaultValue;
  if (isTyped && input.type !== "search" && ![began, text].includes(now)) {
    showTyped(`“${label}” was changed to “${now}” meanwhile.`, [text]);
  }
  if (input.value !== text) {
    input.value = text;
    if (input.dataset.date) sendDate(input);
    else if (input.matches("[data-live]")) sendTyped(input);
  }
  if (!hasFocus) return true;
  input.focus({ preventScroll: true });
  if (input.dataset.field) input.setSelectionRange(start, end);
  return true;
}

function putTitle(layer, { old, text }) {
  const row = [...layer.querySelectorAll(".row")].find((row) => row.querySelector(".title").textContent === old);
  return editRow(row, text);
}

function putScroll(screen, { top, shift }) {
  if (!screen) return;
  const list = listOf(screen);
  if (list && shift) {
    list.shift = shift;
    list.layout();
  }
  scrollerOf(screen).scrollTop = top;
  list?.request();
}

// Marks the text of all fields as sent: their window is gone and cannot receive it.
export function dropFields() {
  dropEditor();
  for (const layer of layers()) {
    for (const input of inputsOf(layer)) {
      input.sent = input.value;
      input.hasTyped = false;
    }
  }
}

// MARK: In session storage, across a reload

export function keepDrafts(place) {
  const save = () => {
    try {
      sessionStorage.setItem(storageKey, JSON.stringify({ place: place(), drafts: takeDrafts() }));
    } catch {
      // Without storage, or if it is full, a reload loses the drafts.
    }
  };
  document.addEventListener("input", save);
  addEventListener("pagehide", save);
}

// The drafts of the page before a reload, if it was at the same place.
export function keptDrafts(place) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(storageKey));
    return kept?.place === place ? kept.drafts : undefined;
  } catch {
    return undefined;
  }
}
