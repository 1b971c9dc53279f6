// Unsent texts and actions, whose window is gone. Texts are listed in their order at the place
// where they were typed, for the user to send or discard; other actions are named in a message.
import { editRow } from "./editor.js";
import { hasUnsent, whenUnsent } from "./events.js";
import { add } from "./fields.js";
import { showToast, showTyped } from "./messages.js";
import { place } from "./places.js";

const storageKey = "unsent";
const list = document.getElementById("unsent");

// The oldest first: { kind, text, old, label, place, isTried }.
let texts = [];

export function listenToUnsent() {
  texts = kept();
  whenUnsent(take);
  addEventListener("placechange", show);
  list.addEventListener("click", ({ target }) => {
    const { act, index } = target.closest("button")?.dataset ?? {};
    if (act) acts[act](Number(index));
  });
  // Closing the tab would lose unsent texts and events.
  addEventListener("beforeunload", (event) => {
    if (texts.length > 0 || hasUnsent()) event.preventDefault();
  });
  show();
}

function take(entries) {
  const fresh = entries.map(({ trace, isTried }) => ({ ...trace, isTried }));
  const isText = ({ kind }) => kind === "add" || kind === "rename";
  texts.push(...fresh.filter(isText));
  keep();
  show();
  const others = fresh.filter((one) => !isText(one));
  if (others.length > 0) showToast(`This window was made anew. ${sentence(others)}`);
  const elsewhere = texts.filter((one) => one.place !== place()).map(({ text }) => text);
  // The place may be gone by now: then this is where they can be read.
  if (elsewhere.length > 0) showTyped("Texts that were not sent wait where they were typed.", elsewhere);
}

// The message about unsent actions. An action that was sent but not answered may have been done.
function sentence(others) {
  const words = others.map(({ text }) => text).join(" · ");
  return others.some(({ isTried }) => isTried)
    ? `What you did last may not have been done: ${words}` : `What you did last was not done: ${words}`;
}

// MARK: The list

function show() {
  const here = texts.map((text, index) => [text, index]).filter(([text]) => text.place === place());
  list.hidden = here.length === 0;
  if (list.hidden) return void list.replaceChildren();
  const heading = document.createElement("p");
  heading.textContent = "Not sent";
  const items = document.createElement("ol");
  items.append(...here.map(([text, index]) => item(text, index)));
  list.replaceChildren(heading, items);
  if (here.filter(([text]) => isToAdd(text) && !text.isTried).length > 1) list.append(button("Add all", "addAll"));
}

const isToAdd = ({ kind, place: at }) => kind === "add" && at === place();

function item({ kind, text, old, isTried }, index) {
  const line = document.createElement("li");
  const words = document.createElement("span");
  words.className = "texts";
  words.dir = "auto";
  words.textContent = kind === "rename" ? `${old} → ${text}` : text;
  line.append(words);
  if (isTried) {
    const note = document.createElement("span");
    note.className = "note";
    note.textContent = "perhaps done";
    line.append(note);
  }
  const name = kind === "rename" ? "Rename" : "Add";
  line.append(button(name, kind, index, `${name} “${text}”`), button("Discard", "discard", index, `Discard “${text}”`));
  return line;
}

function button(title, act, index, label) {
  const element = document.createElement("button");
  element.type = "button";
  element.textContent = title;
  element.dataset.act = act;
  if (index !== undefined) element.dataset.index = index;
  if (label) element.setAttribute("aria-label", label);
  return element;
}

const acts = {
  add: (index) => send(index),
  // Adds all texts except those that may have been added already: the user decides about these.
  addAll: () => {
    for (const text of texts.filter((one) => isToAdd(one) && !one.isTried)) {
      if (!send(texts.indexOf(text))) return;
    }
  },
  rename: (index) => {
    const { old, text } = texts[index];
    const rows = [...document.querySelectorAll("#app > :last-child .row[data-editable]")];
    const row = rows.find((one) => one.querySelector(".title").textContent === old);
    if (!row) return showToast(`“${old}” is not here any more.`);
    remove(index);
    editRow(row, text);
    return undefined;
  },
  discard: (index) => remove(index),
};

// Adds a text by the field with its label; false if this screen has no such field.
function send(index) {
  const { label, text } = texts[index];
  const fields = [...document.querySelectorAll("#app > :last-child input[data-field]:enabled")];
  const field = fields.find(({ ariaLabel }) => ariaLabel === label);
  if (!field) {
    showToast(`There is no field “${label}” here.`);
    return false;
  }
  remove(index);
  add(field, text);
  return true;
}

function remove(index) {
  const hadFocus = list.contains(document.activeElement);
  texts.splice(index, 1);
  keep();
  show();
  if (hadFocus) (list.querySelector("button") ?? document.querySelector("#app > :last-child input[data-field]"))?.focus();
}

// MARK: In session storage

function keep() {
  try {
    if (texts.length > 0) sessionStorage.setItem(storageKey, JSON.stringify(texts));
    else sessionStorage.removeItem(storageKey);
  } catch {
    // Without storage, a reload loses the texts.
  }
}

function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey)) ?? [];
  } catch {
    return [];
  }
}
