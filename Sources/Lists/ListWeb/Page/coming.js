// Rows that are on their way: what is typed into a field for something new stands below the list
// until its row has come. It looks as the rows of the list do, and what is done with it is done with
// the row that comes of it.
import { editRow, isEditing, renameRow } from "./editor.js";
import { elements } from "./elements.js";
import { isSlow, lastRoundTrip } from "./events.js";
import { showToast } from "./messages.js";
import { tables } from "./tables.js";

// The time in milliseconds that an answer may take before anything is drawn for it.
const patience = 100;
// The time that the patch of an event may come after its answer, and as much as two of the last
// answers: it is another connection.
const lateness = 500;
const controls = "button, input";

// The oldest first: `acts` are carried out with the row, in their order.
/** @type {any[]} { text, list, element, acts, timer } */
let coming = [];

export function listenToComing() {
  document.addEventListener("click", click);
  document.addEventListener("dblclick", ({ target }) => editRow(target.closest?.(".title")?.closest(".coming")));
  document.addEventListener("keydown", keydown);
}

// Draws a text that becomes a row. Returns a function for the answer: whether it was carried out.
export function showComing(field, text) {
  const screen = field.closest(".screen");
  const list = [...screen?.querySelectorAll("[data-table]") ?? []].at(-1);
  if (!list || text.trim() === "") return () => {};
  /** @type {any[]} */
  const [element] = elements(`<li class="coming" role="listitem" tabindex="0"></li>`);
  const entry = { text: text.trim(), list: list.dataset.table, element, acts: [], timer: undefined };
  fill(entry, list);
  element.rename = ({ text: typed }) => entry.acts.push((row) => renameRow(row, typed));
  coming.push(entry);
  if (isSlow()) show(entry, list); else entry.timer = setTimeout(() => show(entry, list), patience);
  return (isDone) => {
    if (!isDone) return leave(entry);
    setTimeout(() => {
      if (!coming.includes(entry)) return;
      leave(entry);
      if (entry.acts.length > 0) showToast(`“${entry.text}” is not shown here: nothing else was done with it.`);
    }, lateness + 2 * lastRoundTrip());
  };
}

function show({ element }, list) {
  let stack = list.nextElementSibling;
  if (!stack?.matches(".coming-rows")) {
    [stack] = elements(`<ul class="coming-rows" role="list" aria-label="On their way"></ul>`);
    list.after(stack);
  }
  stack.append(element);
  element.scrollIntoView({ block: "nearest" });
}

// Draws the parts that a row of the list has, as far as there is one.
function fill({ text, element }, list) {
  const [plain] = elements(`<div><div class="texts"><div class="title" dir="auto"></div></div></div>`);
  const model = list.querySelector(".row:not(.editing)");
  element.isPlain = !model;
  element.replaceChildren(...(model?.cloneNode(true) ?? plain).childNodes);
  element.ariaLabel = text;
  if (model?.dataset.editable !== undefined) element.dataset.editable = "";
  for (const part of element.querySelectorAll(".detail, .count, .value, .check")) part.remove();
  for (const part of element.querySelectorAll("*")) {
    for (const name of ["data-value", "data-step", "data-view", "data-press", "href"]) part.removeAttribute(name);
  }
  for (const box of element.querySelectorAll("input")) box.checked = false;
  for (const button of element.querySelectorAll(".actions button")) {
    button.ariaLabel = `${button.matches(".rename") ? "Rename" : button.textContent} ${text}`;
  }
  element.querySelector(".title").textContent = text;
  element.append(...elements(`<span class="wait" role="img" aria-label="On its way"></span>`));
}

// MARK: The rows that come

// Takes away those whose rows have come. A text that the server has changed is the oldest one's,
// unless somebody else has added the row.
export function noteInserted({ id, inserted, byOthers }) {
  for (const { html, cause } of inserted) {
    if (cause !== "update" || coming.length === 0) continue;
    const [fresh] = elements(html);
    const title = fresh.querySelector(".title")?.textContent.trim();
    const here = coming.filter(({ list }) => list === id);
    const entry = here.find(({ text }) => text === title) ?? (byOthers ? undefined : here[0]);
    if (entry) become(entry, tables.get(id)?.element(fresh.dataset.row));
  }
  const list = tables.get(id)?.root;
  for (const entry of coming) if (entry.list === id && entry.element.isPlain && list) fill(entry, list);
}

function become(entry, row) {
  const { element, acts } = entry;
  const input = element.querySelector(":scope > input");
  const [hadFocus, isOpen] = [element.contains(document.activeElement), isEditing(element)];
  const { value, selectionStart, selectionEnd } = input ?? {};
  if (input) input.isHeld = true;
  leave(entry);
  if (!row) return;
  for (const act of acts) act(row);
  if (isOpen) {
    editRow(row, value, row.querySelector(".title").textContent);
    row.querySelector(":scope > input")?.setSelectionRange(selectionStart, selectionEnd);
  } else if (hadFocus) {
    row.focus({ preventScroll: true });
  }
}

function leave(entry) {
  clearTimeout(entry.timer);
  const stack = entry.element.parentElement;
  entry.element.remove();
  if (stack?.childElementCount === 0) stack.remove();
  coming = coming.filter((other) => other !== entry);
}

// MARK: What is done with them

const entryOf = (element) => coming.find((entry) => entry.element === element);

function click(event) {
  const element = event.target.closest?.(".coming");
  const entry = element && entryOf(element);
  if (!entry || isEditing(element)) return;
  const control = event.target.closest(controls);
  if (control?.matches(".rename")) return void editRow(element);
  const index = [...element.querySelectorAll(controls)].indexOf(control);
  const twin = (row) => (control ? row.querySelectorAll(controls)[index] : row);
  entry.acts.push((row) => twin(row)?.click());
  if (control?.matches(".destructive")) element.classList.add("going");
}

function keydown(event) {
  const { target, key, altKey } = event;
  const entry = entryOf(target);
  if (!entry || event.ctrlKey || event.metaKey) return;
  const isSelectable = tables.get(entry.list)?.state.selectable;
  const isMove = altKey && (key === "ArrowUp" || key === "ArrowDown");
  if (key === "F2" || (key === "Enter" && !isSelectable)) editRow(target);
  else if (!isMove && !["Enter", " ", "Delete", "Backspace"].includes(key)) return;
  else {
    entry.acts.push((row) => row.dispatchEvent(new KeyboardEvent("keydown", { key, altKey, bubbles: true, cancelable: true })));
    if (key === "Delete" || key === "Backspace") target.classList.add("going");
  }
  event.preventDefault();
}
