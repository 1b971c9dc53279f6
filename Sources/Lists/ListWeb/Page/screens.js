// The screens of the page: layers above each other, the one that fills the window, which may have
// columns, and the sheets, and above them an alert. Only the topmost can be used.
import { screenOf, screensOf, scrollerOf, titledScreen, topScreen } from "./columns.js";
import { putDrafts, takeDrafts } from "./drafts.js";
import { closeEditor, dropEditor } from "./editor.js";
import { elements } from "./elements.js";
import { keepTyped, sendText, typedIn } from "./fields.js";
import { buttonFor, focusScreen, keyOf, rememberFocus } from "./focus.js";
import { updateHeadings } from "./headings.js";
import { holdKeys } from "./hold.js";
import { announce, keepAbove, showTyped } from "./messages.js";
import { slide } from "./motion.js";
import { placePopovers } from "./popovers.js";
import { Table } from "./table.js";
import { tables } from "./tables.js";

const app = document.getElementById("app");
const alerts = document.getElementById("alerts");
// The scroll positions of the screens shown so far, by screen name.
const places = new Map();
// For each presented layer, by its index, a function that restores the focus from before.
const focusBefore = new Map();
const adopted = new WeakSet();

const titleOf = (screen) => screen?.querySelector("h1")?.textContent ?? "";
const listOf = (screen) => tables.get(screen.querySelector("[data-table]")?.dataset.table);

// Shows a screen from the layer `first` on. `how` is push, pop, replace, present, or renew for a
// renewed window. `byOthers` is true if the layers so far are removed by something other than this
// user.
export function showScreen(html, how, first, byOthers) {
  const layers = [...app.children].slice(first);
  const giveWay = byOthers ? takenFrom(layers) : undefined;
  const typed = how === "replace" ? keepTyped(app) : undefined;
  if (how !== "renew") {
    for (const screen of layers.flatMap(screensOf)) remember(screen);
    closeEditor();
  }
  const hadFocus = app.contains(document.activeElement) || document.activeElement === document.body;
  const focused = document.activeElement;
  if (how === "present") focusBefore.set(first, rememberFocus());
  // Made while the former focus is known: a field that wants it must not take it from the user.
  const fresh = elements(html);
  for (const layer of layers) layer.remove();
  app.append(...fresh);
  if (how === "present") app.lastElementChild.classList.add("rising");
  adoptScreens(how);
  typed?.(app);
  if (how === "renew") return;
  if (giveWay?.()) return;
  // The button with the same purpose gets the focus on the new screen, such as the chosen tab.
  if (how === "replace") return void (keyOf(focused) && buttonFor(app, keyOf(focused))?.focus({ preventScroll: true }));
  if (how !== "present") slide(topScreen().querySelector("main"), how === "push" ? 1 : -1);
  if (!hadFocus) return;
  if (how === "pop") focusScreen();
  else topScreen().querySelector("h1")?.focus({ preventScroll: true });
}

// Shows the screen of a column. The keyboard stays where it is, unless it was in this column.
export function showColumn(html, how, index, byOthers) {
  const old = screensOf(app.firstElementChild)[index];
  if (!old) return;
  const giveWay = byOthers ? takenFrom([old]) : undefined;
  const hadFocus = old.contains(document.activeElement);
  remember(old);
  if (hadFocus) closeEditor();
  const [fresh] = elements(html);
  old.replaceWith(fresh);
  adoptScreens(how);
  if (giveWay?.()) return;
  if (how !== "replace") slide(fresh.querySelector("main, .main"), how === "push" ? 1 : -1);
  if (!hadFocus) {
    if (titleOf(fresh)) announce(`“${titleOf(fresh)}” is shown`);
  } else if (how !== "pop" || !listOf(fresh)?.focusCurrent()) {
    fresh.querySelector("h1")?.focus({ preventScroll: true });
  }
}

// Shows the lowest layer with other columns, or in another width. What is typed in a screen that
// stays is kept; what is typed in one that goes is sent.
export function showColumns(html) {
  const old = app.firstElementChild;
  const fresh = elements(html);
  const stays = new Set(fresh.flatMap(screensOf).map(({ dataset }) => dataset.screen));
  for (const screen of screensOf(old)) {
    remember(screen);
    if (!stays.has(screen.dataset.screen)) leaveScreen(screen);
  }
  const drafts = takeDrafts().filter(({ screen }) => !screen || stays.has(screen));
  const giveBack = rememberFocus();
  dropEditor();
  if (old) old.replaceWith(...fresh); else app.append(...fresh);
  adoptScreens("replace");
  putDrafts(drafts, { isByName: true });
  if (document.activeElement === document.body) giveBack();
}

function leaveScreen(screen) {
  if (screen.contains(document.activeElement)) closeEditor();
  for (const field of screen.querySelectorAll("input[data-field]")) sendText(field);
}

// Removes the layers from `first` on and restores the focus from before they came.
export function dismiss(first, byOthers) {
  const layers = [...app.children].slice(first);
  const giveWay = byOthers ? takenFrom(layers) : undefined;
  closeEditor();
  for (const layer of layers) layer.remove();
  adoptScreens("dismiss");
  const giveBack = focusBefore.get(first);
  focusBefore.delete(first);
  if (giveWay?.()) return;
  if (!giveBack?.()) focusScreen();
}

// Prepares for the removal of layers by others: shows the typed texts that are lost. Returns a
// function that holds the keys back from the next screen if the layers had the focus; it returns
// true if so.
function takenFrom(layers) {
  const typed = layers.flatMap(typedIn);
  const title = titleOf(screenOf(layers.at(-1)));
  const hadFocus = layers.some((layer) => layer.contains(document.activeElement));
  if (typed.length > 0) showTyped(`“${title}” is no longer shown.`, typed);
  return () => {
    if (!hadFocus) return false;
    holdKeys();
    topScreen()?.querySelector("h1")?.focus({ preventScroll: true });
    return true;
  };
}

// Forgets scroll positions and focus, whose names are not valid in another window.
export function forgetScreens() {
  places.clear();
  focusBefore.clear();
}

function remember(screen) {
  const { shift = 0, sideways } = listOf(screen) ?? {};
  places.set(screen.dataset.screen, { top: scrollerOf(screen).scrollTop, shift, sideways });
}

// Adopts the screens in the page: stops the tables that are gone, starts those that came, and
// restores scroll positions.
export function adoptScreens(how) {
  for (const [name, table] of tables) {
    if (table.root.isConnected) continue;
    table.stop();
    tables.delete(name);
  }
  for (const [index, layer] of [...app.children].entries()) layer.inert = index < app.children.length - 1;
  document.body.classList.toggle("has-modal", app.children.length > 1);
  for (const screen of app.querySelectorAll(".screen")) if (!adopted.has(screen)) adoptScreen(screen, how);
  placePopovers();
  updateTitle();
  updateHeadings();
}

// Gives the window the title of the top screen.
export function updateTitle() {
  const title = titleOf(titledScreen());
  if (title) document.title = title;
}

function adoptScreen(screen, how) {
  adopted.add(screen);
  const start = { top: 0, shift: 0 };
  const place = how === "push" || how === "present" ? start : places.get(screen.dataset.screen);
  const fresh = [...screen.querySelectorAll("[data-table]")].map((root) => new Table(root));
  for (const table of fresh) {
    tables.set(table.root.dataset.table, table);
    // The height must be as before for the scroll position to fit.
    table.shift = place?.shift ?? 0;
    table.sideways = new Map(place?.sideways);
    table.layout();
  }
  // A screen not shown here before, such as that of another tab, begins at its start.
  if (place || places.size > 0) scrollerOf(screen).scrollTop = (place ?? start).top;
  for (const table of fresh) table.start(!place);
}

// MARK: Alerts

let focusBeforeAlert;

// Shows an alert; without markup, removes the current one.
export function showAlert(html) {
  const old = alerts.firstElementChild;
  const [fresh] = html ? elements(html) : [];
  const isSame = old && old.dataset.alert === fresh?.dataset.alert;
  // Text typed into an alert survives a redraw.
  const typed = isSame ? keepTyped(old) : undefined;
  // Another user has taken away what it asks about.
  const lost = old && !isSame && !old.hasAnswer ? typedIn(old) : [];
  if (lost.length > 0) showTyped("What you were editing is no longer there.", lost);
  if (!old) focusBeforeAlert = rememberFocus();
  keepAbove(undefined);
  alerts.replaceChildren(...(fresh ? [fresh] : []));
  if (fresh) openAlert();
  typed?.(alerts);
  if (fresh || !old) return;
  // A screen that replaced the alert already has the focus.
  if (document.activeElement === document.body && !focusBeforeAlert?.()) focusScreen();
  focusBeforeAlert = undefined;
}

// Opens the alert in the page. The text of its first field is selected, for replacement.
export function openAlert() {
  const dialog = alerts.firstElementChild;
  if (!dialog || dialog.open) return;
  dialog.showModal();
  keepAbove(dialog);
  const field = dialog.querySelector("input[data-field]:enabled");
  field?.focus();
  if (field?.value) field.select();
  // Return must not throw anything away.
  if (dialog.querySelector("menu button")?.matches(".destructive:focus")) dialog.querySelector("[data-cancel]")?.focus();
}
