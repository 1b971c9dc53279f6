// Applies the operations of a message to the page.
import { noteInserted } from "./coming.js";
import { closeEditor, editRow } from "./editor.js";
import { elements } from "./elements.js";
import { dropFields, putDrafts, takeDrafts } from "./drafts.js";
import { focusField, setText } from "./fields.js";
import { buttonFor, focusScreen, keyOf } from "./focus.js";
import { updateHeadings } from "./headings.js";
import { announce, setWaiting, setWorking, showToast, showTyped } from "./messages.js";
import { redrawInPlace } from "./parts.js";
import { moveTo, renamePlace } from "./places.js";
import { setOthers, showOthers } from "./others.js";
import { placePopovers } from "./popovers.js";
import { forgetWaiting, whenReleased } from "./presses.js";
import { forgetScreens, dismiss, showAlert, showColumn, showColumns, showScreen, updateTitle } from "./screens.js";
import { tables } from "./tables.js";

const app = document.getElementById("app");
const byData = (name, value) => app.querySelector(`[data-${name}="${CSS.escape(value)}"]`);

// The element of a control that can have the keyboard.
const controlOf = (id) => {
  const names = ["field", "date", "value", "press"].map((name) => `[data-${name}="${CSS.escape(id)}"]`);
  const all = [...app.querySelectorAll(names.join())];
  return all.find(({ checked }) => checked) ?? all[0];
};

const operations = {
  screen: ({ html, how, first, byOthers }) => showScreen(html, how, first, byOthers),
  column: ({ html, how, first, byOthers }) => showColumn(html, how, first, byOthers),
  columns: ({ html }) => showColumns(html),
  dismiss: ({ first, byOthers }) => dismiss(first, byOthers),
  sync: ({ html, alert, how }) => {
    showScreen(html, how ?? "replace", 0);
    showAlert(alert);
  },
  place: ({ text, how }) => moveTo(text, how),
  bar: ({ id, html }) => {
    replaceKeepingFocus(byData("screen", id)?.querySelector(".bar"), html);
    updateHeadings();
  },
  heading: ({ id, text }) => {
    const screen = byData("screen", id);
    const heading = screen?.querySelector("h1");
    if (heading) heading.textContent = text;
    heading?.classList.remove("whole");
    if (screen?.matches("section")) screen.ariaLabel = text;
    updateHeadings();
    updateTitle();
  },
  view: ({ id, html }) => {
    const old = byData("view", id);
    if (old) replaceKeepingFocus(old, html);
  },
  control: ({ id, html }) => {
    const old = byData("view", id);
    const [fresh] = elements(html);
    if (old && fresh) redrawInPlace(old, fresh);
  },
  hidden: ({ id, enabled }) => {
    const view = byData("view", id);
    if (view) view.hidden = !enabled;
    if (!enabled && view?.contains(document.activeElement)) focusScreen();
    // Tables in a hidden view could not be measured.
    dispatchEvent(new Event("resize"));
  },
  field: ({ id, text, title, enabled, clears }) => {
    const field = document.querySelector(`[data-field="${CSS.escape(id)}"], [data-date="${CSS.escape(id)}"]`);
    if (!field) return;
    setText(field, text, clears);
    if (field.dataset.field) field.placeholder = title ?? "";
    field.disabled = !enabled;
  },
  table: ({ id, html, byOthers }) => tables.get(id)?.replace(elements(html)[0], byOthers),
  rows: (operation) => {
    tables.get(operation.id)?.apply(operation, elements);
    noteInserted(operation);
  },
  row: ({ id, row, html }) => tables.get(id)?.redraw(row, elements(html)[0]),
  select: ({ id, rows }) => tables.get(id)?.select(rows),
  scroll: ({ id, first, how }) => tables.get(id)?.scrollTo(first, how),
  alert: ({ html }) => showAlert(html),
  toast: ({ text, id, title, typed }) => (typed ? showTyped(text, [typed]) : showToast(text, id, title)),
  working: ({ enabled }) => setWorking(enabled),
  waiting: ({ text }) => setWaiting(text),
  others: ({ first, others }) => setOthers(first, others),
  status: ({ text }) => announce(text),
  focus: ({ id, row }) => {
    if (!row) return focusField(controlOf(id));
    closeEditor();
    return editRow(tables.get(id)?.element(row));
  },
};

export function applyPatch(list) {
  whenReleased(() => carryOut(list));
}

function carryOut(list) {
  for (const operation of list) operations[operation.op]?.(operation);
  // The sources of popovers may have moved or changed size.
  placePopovers();
  showOthers();
}

// Adopts the window that replaces one that is gone; typed text and scroll positions stay.
export function renew(list) {
  const drafts = takeDrafts();
  forgetWaiting();
  dropFields();
  forgetScreens();
  renamePlace();
  carryOut(list);
  putDrafts(drafts);
  // The new window needs the part of the screen that the address names.
  if (location.hash) dispatchEvent(new Event("hashchange"));
}

function replaceKeepingFocus(old, html) {
  const [fresh] = elements(html);
  if (!old || !fresh || old.contains(document.activeElement) && old.querySelector("input:focus")) return;
  const focused = old.contains(document.activeElement) ? keyOf(document.activeElement) : undefined;
  old.replaceWith(fresh);
  if (!focused) return;
  const button = buttonFor(fresh, focused);
  if (button) button.focus(); else focusScreen();
}
