// Editing a title in place: the row's title becomes a text field until the user ends it.
import { markUntil } from "./ahead.js";
import { post } from "./events.js";
import { place } from "./places.js";
import { tableOf } from "./tables.js";

export const isEditing = (row) => row.classList.contains("editing");

const field = () => document.querySelector(":is(.row, .coming).editing input:not([type])");

/** @type {(edited: { id: string, row: string } | undefined) => void} */
let note = () => {};

// Sets the function that is told of the row whose title is being edited; undefined when that ends.
export function whenEditing(act) { note = act; }

// Opens the field of a row; false if the row cannot be edited. `text` is text typed earlier, to be
// restored; `began` is the title that the row had at that time.
export function editRow(row, text, began) {
  if (!row || row.dataset.editable === undefined || isEditing(row)) return false;
  const list = row.closest("[data-table]")?.dataset.table;
  const texts = row.querySelector(".texts");
  const title = texts.querySelector(".title");
  const input = document.createElement("input");
  const old = began ?? (title.querySelector(".placeholder") ? "" : title.textContent);
  input.value = text ?? old;
  input.began = old;
  input.dir = "auto";
  input.setAttribute("aria-label", "Title");
  row.classList.add("editing");
  const done = document.createElement("button");
  done.type = "button";
  done.textContent = "Done";
  // Keeps the button from taking the focus: the field's blur would save before the click.
  done.addEventListener("pointerdown", (event) => event.preventDefault());
  done.addEventListener("click", () => finish(true));
  texts.after(input, done);
  input.focus();
  if (text === undefined) input.select();
  // A row that is on its way is unknown to others.
  if (list) note({ id: list, row: row.dataset.row });
  let isOver = false;
  const finish = (isSaved) => {
    if (isOver) return;
    isOver = true;
    if (list) note(undefined);
    const typed = input.value;
    const hadFocus = document.activeElement === input;
    row.classList.remove("editing");
    input.remove();
    done.remove();
    const { waiting } = row;
    const shown = waiting ?? row;
    if (waiting) tableOf(row)?.redraw(row.dataset.row, waiting);
    if (hadFocus && shown.isConnected) shown.focus({ preventScroll: true });
    if (!isSaved || typed === old) return;
    if (!waiting) title.textContent = typed;
    (row.rename ?? rename)({ list, row: shown, title, old, text: typed });
  };
  input.addEventListener("keydown", (event) => {
    event.stopPropagation();
    // The browser would go on with what was typed into other fields before.
    const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !event.shiftKey;
    if (isUndo && input.value === old) event.preventDefault();
    // Tab goes to the row, too: the button that follows goes with the field.
    const isTab = event.key === "Tab" && !event.shiftKey;
    if (event.isComposing || (event.key !== "Enter" && event.key !== "Escape" && !isTab)) return;
    event.preventDefault();
    finish(event.key !== "Escape");
  });
  input.addEventListener("blur", () => { if (!input.isHeld) finish(true); });
  return true;
}

// Gives a row another title, as its field does.
export function renameRow(row, text) {
  const title = row.querySelector(".title");
  const old = title.textContent;
  title.textContent = text;
  rename({ list: row.closest("[data-table]").dataset.table, row, title, old, text });
}

// Shows the new title at once and sends it. If the server refuses it, the field opens again with
// the typed text.
async function rename({ list, row, title, old, text }) {
  const trace = { kind: "rename", old, text, place: place() };
  const name = row.dataset.row;
  const answer = post({ type: "edit", id: list, row: name, text, old }, { trace });
  markUntil(answer, row);
  if ((await answer) !== false) return;
  if (title.textContent === text) title.textContent = old;
  const now = document.querySelector(`[data-table="${CSS.escape(list)}"] [data-row="${CSS.escape(name)}"]`);
  editRow(now, text, old);
}

export function closeEditor() {
  const input = field();
  if (input && document.activeElement === input) input.blur();
}

// Holds the editor open while rows change places: moving its element blurs the field, which must
// not end the editing. Returns a function that restores focus and selection; that function returns
// false if the row is gone, and is undefined if no field is being edited.
export function holdEditor() {
  const input = field();
  if (!input || document.activeElement !== input) return undefined;
  const { selectionStart, selectionEnd } = input;
  input.isHeld = true;
  return () => {
    input.isHeld = false;
    if (!input.isConnected) {
      input.dispatchEvent(new Event("blur"));
      return false;
    }
    if (document.activeElement !== input) {
      input.focus({ preventScroll: true });
      input.setSelectionRange(selectionStart, selectionEnd);
    }
    return true;
  };
}

// Discards the field without sending its text, because its window is gone.
export function dropEditor() {
  const input = field();
  if (input) input.isHeld = true;
}
