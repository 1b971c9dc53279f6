// Applies the operations of a message to the page. Markup comes from the server, which escapes
// every text in it.
import { Table } from "./table.js";
import { closeEditor, editRow } from "./rows.js";
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
  screen: ({ html, how }) => showScreen(html, how),
  sync: ({ html, alert }) => {
    showScreen(html, "replace");
    operations.alert({ html: alert });
  },
  bar: ({ html }) => replaceKeepingFocus(app.querySelector(".bar"), html),
  heading: ({ text }) => { app.querySelector("h1").textContent = text; },
  view: ({ id, html }) => {
    const old = byData("view", id);
    if (old) replaceKeepingFocus(old, html);
  },
  field: ({ id, text, title, enabled }) => {
    const field = byData("field", id);
    if (!field) return;
    setText(field, text);
    field.placeholder = title ?? "";
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
    alerts.replaceChildren(...(html ? elements(html) : []));
    keepAnswers(old, alerts.firstElementChild);
    showAlert();
  },
  toast: ({ text, id, title }) => showToast(text, id, title),
  status: ({ text }) => { document.getElementById("status").textContent = text; },
  focus: ({ id, row }) => {
    if (row) editRow(tables.get(id)?.element(row));
    else byData("field", id)?.focus();
  },
};

export function applyPatch(list) {
  for (const operation of list) operations[operation.op]?.(operation);
}

// MARK: Screens

function showScreen(html, how) {
  const old = app.querySelector(".screen");
  const typed = how === "replace" ? keepTyped(old) : undefined;
  if (old) places.set(old.dataset.screen, scrollY);
  closeEditor();
  const hadFocus = app.contains(document.activeElement);
  app.replaceChildren(...elements(html));
  adoptScreen(how);
  typed?.();
  if (how !== "replace") {
    slide(app.querySelector("main"), how === "push" ? 1 : -1);
    if (hadFocus || document.activeElement === document.body) focusScreen(how);
  }
}

// Takes over what is in the page: its tables begin to live, and the place of the last visit comes
// back.
export function adoptScreen(how) {
  const screen = app.querySelector(".screen");
  for (const table of tables.values()) table.stop();
  tables.clear();
  const top = how === "push" ? 0 : places.get(screen?.dataset.screen);
  for (const root of app.querySelectorAll("[data-table]")) {
    tables.set(root.dataset.table, new Table(root));
  }
  if (top !== undefined) scrollTo(0, top);
  for (const table of tables.values()) table.start(top === undefined);
  const title = app.querySelector("h1")?.textContent;
  if (title) document.title = title;
}

// After a push the keyboard is on the new screen; after a pop on the row that was left.
function focusScreen(how) {
  const [table] = tables.values();
  if (how === "pop" && table?.focusCurrent()) return;
  app.querySelector("h1")?.focus({ preventScroll: true });
}

// A field that the user is typing in survives the replacement of its screen, with caret and text.
function keepTyped(old) {
  const field = old?.querySelector("input[data-field]:focus");
  const dirty = [...(old?.querySelectorAll("input[data-field]") ?? [])]
    .filter((input) => input.value !== (input.sent ?? input.defaultValue));
  if (!field && dirty.length === 0) return undefined;
  return () => {
    for (const input of dirty) {
      const twin = byData("field", input.dataset.field);
      if (twin) twin.value = input.value;
    }
    const twin = field && byData("field", field.dataset.field);
    twin?.focus({ preventScroll: true });
    twin?.setSelectionRange(field.selectionStart, field.selectionEnd);
  };
}

function replaceKeepingFocus(old, html) {
  const [fresh] = elements(html);
  if (!old || !fresh || old.contains(document.activeElement) && old.querySelector("input:focus")) return;
  const focused = old.contains(document.activeElement) ? key(document.activeElement) : undefined;
  old.replaceWith(fresh);
  if (focused) {
    const twin = [...fresh.querySelectorAll("button")].find((button) => key(button) === focused);
    twin?.focus();
  }
}

const key = (element) => element.dataset.event ?? element.dataset.press;

// The server's text wins only over what it has been told: what was typed since stays.
function setText(field, text) {
  const known = field.sent ?? field.defaultValue;
  field.defaultValue = text;
  if (document.activeElement !== field || field.value === known) field.value = text;
  else if (text === "" && field.value.startsWith(known)) field.value = field.value.slice(known.length);
  field.sent = text;
}

// MARK: Alerts and messages

// What was typed into an alert stays when the alert is drawn anew.
function keepAnswers(old, fresh) {
  if (!old || old.dataset.alert !== fresh?.dataset.alert) return;
  const inputs = [...fresh.querySelectorAll("input")];
  [...old.querySelectorAll("input")].forEach((input, index) => {
    if (inputs[index]) inputs[index].value = input.value;
  });
}

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
