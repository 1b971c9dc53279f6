// Applies the operations of a message to the page. Markup comes from the server, which escapes
// every text in it.
import { Table } from "./table.js";
import { closeEditor, editRow } from "./rows.js";
import { focusAtEnd, keepTyped, setText } from "./fields.js";
import { slide } from "./motion.js";

const markup = window.trustedTypes
  ? trustedTypes.createPolicy("page", { createHTML: (text) => text })
  : { createHTML: (text) => text };

const app = document.getElementById("app");
const places = new Map();
export const tables = new Map();

export function elements(html) {
  const template = document.createElement("template");
  template.innerHTML = markup.createHTML(html);
  return [...template.content.children];
}

const byData = (name, value) => app.querySelector(`[data-${name}="${CSS.escape(value)}"]`);

const operations = {
  screen: ({ html, how, first }) => showScreen(html, how, first),
  dismiss: ({ first }) => dismiss(first),
  sync: ({ html, alert }) => {
    showScreen(html, "replace", 0);
    operations.alert({ html: alert });
  },
  bar: ({ id, html }) => replaceKeepingFocus(byData("screen", id)?.querySelector(".bar"), html),
  heading: ({ id, text }) => {
    const heading = byData("screen", id)?.querySelector("h1");
    if (heading) heading.textContent = text;
  },
  view: ({ id, html }) => {
    const old = byData("view", id);
    if (old) replaceKeepingFocus(old, html);
  },
  field: ({ id, text, title, enabled }) => {
    const field = document.querySelector(`[data-field="${CSS.escape(id)}"], [data-date="${CSS.escape(id)}"]`);
    if (!field) return;
    setText(field, text);
    if (field.dataset.field) field.placeholder = title ?? "";
    field.disabled = !enabled;
  },
  table: ({ id, html }) => tables.get(id)?.replace(elements(html)[0]),
  rows: (operation) => tables.get(operation.id)?.apply(operation, elements),
  row: ({ id, row, html }) => tables.get(id)?.redraw(row, elements(html)[0]),
  select: ({ id, rows }) => tables.get(id)?.select(rows),
  scroll: ({ id, first, how }) => tables.get(id)?.scrollTo(first, how),
  alert: ({ html }) => {
    const alerts = document.getElementById("alerts");
    const old = alerts.firstElementChild;
    const [fresh] = html ? elements(html) : [];
    // What was typed into an alert stays when the alert is drawn anew.
    const typed = old && old.dataset.alert === fresh?.dataset.alert ? keepTyped(old) : undefined;
    alerts.replaceChildren(...(fresh ? [fresh] : []));
    showAlert();
    typed?.(alerts);
  },
  toast: ({ text, id, title }) => showToast(text, id, title),
  status: ({ text }) => { document.getElementById("status").textContent = text; },
  focus: ({ id, row }) => {
    if (row) editRow(tables.get(id)?.element(row));
    else focusAtEnd(byData("field", id));
  },
};

export function applyPatch(list) {
  for (const operation of list) operations[operation.op]?.(operation);
}

// MARK: Screens

// The layers lie over each other: the one that fills the window, and sheets. Only the topmost can be
// used.
export const topScreen = () => app.lastElementChild?.closest(".screen") ?? app.lastElementChild?.querySelector(".screen");

function showScreen(html, how, first) {
  const layers = [...app.children].slice(first);
  const typed = how === "replace" ? keepTyped(app) : undefined;
  for (const layer of layers) remember(layer);
  closeEditor();
  const hadFocus = app.contains(document.activeElement) || document.activeElement === document.body;
  const focused = document.activeElement;
  for (const layer of layers) layer.remove();
  app.append(...elements(html));
  if (how === "present") {
    focusBefore.set(first, focused);
    app.lastElementChild.classList.add("rising");
  }
  adoptScreens(how);
  typed?.(app);
  // The same button has the keyboard on the new screen, such as the tab that was chosen.
  if (how === "replace") return void (key(focused) && button(app, key(focused))?.focus({ preventScroll: true }));
  if (how !== "present") slide(topScreen().querySelector("main"), how === "push" ? 1 : -1);
  if (hadFocus) focusScreen(how);
}

// Takes the layers from one on away; the keyboard goes back to where it was before they came.
function dismiss(first) {
  closeEditor();
  for (const layer of [...app.children].slice(first)) layer.remove();
  adoptScreens("dismiss");
  const old = focusBefore.get(first);
  if (old?.isConnected && old !== document.body) old.focus({ preventScroll: true });
  else focusScreen("pop");
}

// Where the keyboard was when a layer came, by its place.
const focusBefore = new Map();

function remember(layer) {
  const screen = layer.closest(".screen") ?? layer.querySelector(".screen");
  const table = tables.get(screen.querySelector("[data-table]")?.dataset.table);
  places.set(screen.dataset.screen, { top: scrollerOf(screen).scrollTop, shift: table?.shift ?? 0 });
}

const scrollerOf = (screen) => (screen.closest(".modal") ? screen : document.scrollingElement);

// Takes over what is in the page: the tables that came begin to live, and the place of the last
// visit comes back.
export function adoptScreens(how) {
  for (const [name, table] of tables) {
    if (table.root.isConnected) continue;
    table.stop();
    tables.delete(name);
  }
  for (const [index, layer] of [...app.children].entries()) layer.inert = index < app.children.length - 1;
  document.body.classList.toggle("has-modal", app.children.length > 1);
  for (const screen of app.querySelectorAll(".screen")) if (!adopted.has(screen)) adoptScreen(screen, how);
  const title = topScreen()?.querySelector("h1")?.textContent;
  if (title) document.title = title;
}

const adopted = new WeakSet();

function adoptScreen(screen, how) {
  adopted.add(screen);
  const start = { top: 0, shift: 0 };
  const place = how === "push" || how === "present" ? start : places.get(screen.dataset.screen);
  const fresh = [...screen.querySelectorAll("[data-table]")].map((root) => new Table(root));
  for (const table of fresh) {
    tables.set(table.root.dataset.table, table);
    // What scrolls must be as high as it was to be scrolled as far.
    table.shift = place?.shift ?? 0;
    table.layout();
  }
  // A screen that was never seen here, such as that of another tab, begins at its start.
  if (place || places.size > 0) scrollerOf(screen).scrollTop = (place ?? start).top;
  for (const table of fresh) table.start(!place);
}

// After a push the keyboard is on the new screen; after a pop on the row that was left.
function focusScreen(how) {
  const screen = topScreen();
  const table = tables.get(screen.querySelector("[data-table]")?.dataset.table);
  if (how === "pop" && table?.focusCurrent()) return;
  screen.querySelector("h1")?.focus({ preventScroll: true });
}

function replaceKeepingFocus(old, html) {
  const [fresh] = elements(html);
  if (!old || !fresh || old.contains(document.activeElement) && old.querySelector("input:focus")) return;
  const focused = old.contains(document.activeElement) ? key(document.activeElement) : undefined;
  old.replaceWith(fresh);
  if (focused) button(fresh, focused)?.focus();
}

const key = ({ dataset }) => dataset.event ?? dataset.press ?? dataset.tab;
const button = (root, name) =>
  [...root.querySelectorAll("button")].find((element) => key(element) === name);

// MARK: Alerts and messages

export function showAlert() {
  const dialog = document.querySelector("#alerts dialog");
  if (dialog && !dialog.open) dialog.showModal();
}

export function showToast(text, id, title) {
  const toast = document.createElement("div");
  toast.className = "toast";
  const line = document.createElement("span");
  line.textContent = text.length > 2000 ? `${text.slice(0, 2000)}…` : text;
  toast.append(line);
  if (id) {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.toast = id;
    button.textContent = title;
    toast.append(button);
  }
  const list = document.getElementById("toasts");
  // The same message again takes the place of the one before.
  for (const old of [...list.children]) if (old.firstChild.textContent === line.textContent) old.remove();
  list.append(toast);
  while (list.children.length > 2) list.firstElementChild.remove();
  // Nothing is taken away while it is read or about to be pressed.
  const leave = () => (toast.matches(":hover, :focus-within") ? wait() : toast.remove());
  const wait = () => setTimeout(leave, 7000);
  wait();
}
