// Renaming in place: a row's title becomes a field for a while.
import { post } from "./connection.js";
import { tableOf } from "./tables.js";

export const isEditing = (row) => row.classList.contains("editing");

const field = () => document.querySelector(".row.editing input");

export function editRow(row, text) {
  if (!row || row.dataset.editable === undefined || isEditing(row)) return false;
  const list = row.closest("[data-table]").dataset.table;
  const texts = row.querySelector(".texts");
  const title = texts.querySelector(".title");
  const input = document.createElement("input");
  const old = title.querySelector(".placeholder") ? "" : title.textContent;
  input.value = text ?? old;
  input.dir = "auto";
  input.setAttribute("aria-label", "Title");
  row.classList.add("editing");
  const done = document.createElement("button");
  done.type = "button";
  done.textContent = "Done";
  // Without the keyboard: the field's loss of it would save before the click.
  done.addEventListener("pointerdown", (event) => event.preventDefault());
  done.addEventListener("click", () => finish(true));
  texts.after(input, done);
  input.focus();
  if (text === undefined) input.select();
  let isOver = false;
  const finish = async (isSaved) => {
    if (isOver) return;
    isOver = true;
    const hadFocus = document.activeElement === input;
    const change = { type: "edit", id: list, row: row.dataset.row, text: input.value, former: old };
    if (isSaved && input.value !== old && !(await post(change))) {
      // Refused, and said so: what was typed stays to be mended.
      isOver = false;
      return void input.focus();
    }
    if (isSaved) title.textContent = input.value;
    row.classList.remove("editing");
    input.remove();
    done.remove();
    if (row.waiting) {
      const fresh = row.waiting;
      tableOf(row)?.redraw(row.dataset.row, fresh);
      if (hadFocus) fresh.focus({ preventScroll: true });
      return;
    }
    if (hadFocus && row.isConnected) row.focus({ preventScroll: true });
  };
  input.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
    event.preventDefault();
    finish(event.key === "Enter");
  });
  input.addEventListener("blur", () => { if (!input.isHeld) finish(true); });
  return true;
}

export function closeEditor() {
  const input = field();
  if (input && document.activeElement === input) input.blur();
}

// While rows change places the one that is typed in loses the keyboard, which is not the user's
// doing. The function that it returns gives it back; false when the row is gone.
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

// What is typed is not told: the window that it was meant for is gone.
export function dropEditor() {
  const input = field();
  if (input) input.isHeld = true;
}
