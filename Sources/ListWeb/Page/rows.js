// What the user does with rows by click, key and swipe: open, rename in place, delete, move by
// keys.
import { post } from "./connection.js";
import { tables } from "./patch.js";

export const tableOf = (element) => tables.get(element.closest("[data-table]")?.dataset.table);
const send = (row, type, more) =>
  post({ type, id: row.closest("[data-table]").dataset.table, row: row.dataset.row, ...more });

// A click on an editable title may be the first half of a double click: it waits for that long.
const doubleClick = 230;
let pending;

export function listenToRows() {
  document.addEventListener("click", click);
  document.addEventListener("keydown", keydown);
  document.addEventListener("focusin", (event) => {
    const row = event.target.closest?.(".row");
    const table = row && tableOf(row);
    if (!table) return;
    table.current = table.first + table.rows.indexOf(row);
    table.keepTabStop();
  });
}

function click(event) {
  const row = event.target.closest(".row");
  closeSwiped(row);
  if (!row || isEditing(row) || row.dataset.dragged) return;
  const button = event.target.closest("button");
  if (button?.matches(".rename")) return editRow(row);
  if (button?.matches(".action")) {
    return void send(row, "action", { side: button.dataset.side, index: Number(button.dataset.index) });
  }
  if (button || event.target.closest(".grip, input")) return;
  // A row of a form leads to what can be used in it.
  const control = row.querySelector("input");
  if (control) return control.focus();
  const isOnTitle = row.dataset.editable !== undefined && event.target.closest(".title");
  const isSecond = pending?.row === row;
  clearTimeout(pending?.timer);
  pending = undefined;
  if (isOnTitle && isSecond) return editRow(row);
  const open = () => {
    pending = undefined;
    if (tableOf(row)?.state.selectable) send(row, "select");
  };
  if (isOnTitle) pending = { row, timer: setTimeout(open, doubleClick) };
  else open();
}

function closeSwiped(except) {
  for (const row of document.querySelectorAll(".row.swiped")) {
    if (row !== except) row.classList.remove("swiped");
  }
}

// MARK: Keys

function keydown(event) {
  const holder = event.target.closest?.(".row, [data-table]");
  const isOnRow = event.target === holder;
  const table = holder && tableOf(holder);
  if (!table || !isOnRow) return;
  const row = holder.matches(".row") ? holder : undefined;
  if (event.altKey && row && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
    event.preventDefault();
    return void send(row, "step", { index: event.key === "ArrowUp" ? -1 : 1 });
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const place = destination(event.key, table);
  if (place !== undefined) {
    event.preventDefault();
    return table.focusPlace(place);
  }
  if (row && actOn(row, event.key)) event.preventDefault();
}

function destination(key, table) {
  const page = table.pageLength();
  const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
  if (key in steps) return Math.max(0, Math.min(table.total - 1, table.current + steps[key]));
  return { Home: 0, End: table.total - 1 }[key];
}

function actOn(row, key) {
  const isSelectable = tableOf(row).state.selectable;
  const control = row.querySelector("input");
  if (control && (key === "Enter" || key === " ")) {
    control.focus();
    return true;
  }
  if (key === "F2" || (key === "Enter" && !isSelectable)) return editRow(row);
  if (key === "Enter" || key === " ") {
    if (isSelectable) send(row, "select");
    return true;
  }
  if (key === "Delete" || key === "Backspace") {
    if (row.querySelector(".action.destructive")) send(row, "action", { side: "trailing" });
    return true;
  }
  return false;
}

// MARK: Renaming in place

export const isEditing = (row) => row.classList.contains("editing");

export function editRow(row) {
  if (!row || row.dataset.editable === undefined || isEditing(row)) return false;
  const texts = row.querySelector(".texts");
  const title = texts.querySelector(".title");
  const input = document.createElement("input");
  const old = title.querySelector(".placeholder") ? "" : title.textContent;
  input.value = old;
  input.setAttribute("aria-label", "Title");
  row.classList.add("editing");
  const done = document.createElement("button");
  done.type = "button";
  done.textContent = "Done";
  // Without the keyboard: the field's loss of it would save before the click.
  done.addEventListener("pointerdown", (event) => event.preventDefault());
  done.addEventListener("click", () => finish(true));
  texts.append(input, done);
  input.focus();
  input.select();
  let isOver = false;
  const finish = async (isSaved) => {
    if (isOver) return;
    isOver = true;
    const hadFocus = document.activeElement === input;
    if (isSaved && input.value !== old && !(await send(row, "edit", { text: input.value }))) {
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
  input.addEventListener("blur", () => finish(true));
  return true;
}

export function closeEditor() {
  const input = document.querySelector(".row.editing input");
  if (input && document.activeElement === input) input.blur();
}
