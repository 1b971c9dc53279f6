// The user's actions on rows by click, key and touch: open, rename in place, delete, and move by
// keys.
import { addTo, drawUntil, markUntil } from "./ahead.js";
import { post } from "./events.js";
import { editRow, isEditing } from "./editor.js";
import { nextLine } from "./grids.js";
import { hasMenu, openMenu } from "./menus.js";
import { tableOf } from "./tables.js";

const send = (row, type, more, doing, isGoing = false) => {
  const trace = doing && { kind: "act", text: `${doing} “${row.querySelector(".title")?.textContent ?? ""}”` };
  const answer = post({ type, id: row.closest("[data-table]").dataset.table, row: row.dataset.row, ...more }, { trace });
  markUntil(answer, row, isGoing);
  return answer;
};

// Activates a row, as a click on it does. Activating a row of a form focuses its control.
export function choose(row) {
  const control = row.querySelector("input:checked") ?? row.querySelector("input");
  if (control) return void control.focus();
  if (tableOf(row)?.state.selectable) select(row);
}

// Choosing a row may add to its number.
function select(row) {
  const answer = send(row, "select");
  const { adds } = row.dataset;
  if (adds) drawUntil(answer, () => addTo(row, Number(adds)));
}

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
  listenToLongPresses();
}

// A click with a browser meaning: open in a new tab or window, or download.
const isForBrowser = (event) =>
  event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;

// A row's name in the page. Clicks are compared by name, because an answer may replace the row's
// element between two clicks.
const nameOf = (row) => `${row.closest("[data-table]").dataset.table} ${row.dataset.row}`;
let clicked;

function click(event) {
  const row = event.target.closest(".row");
  if (!row) return;
  const link = event.target.closest("a");
  if (link && isForBrowser(event)) return;
  if (link) event.preventDefault();
  if (isEditing(row) || row.dataset.dragged) return;
  const button = event.target.closest("button");
  if (button?.matches(".rename")) return void editRow(row);
  if (button?.matches(".disclosure")) return void send(row, "toggle");
  if (button?.matches(".action")) {
    const { side, index } = button.dataset;
    return void send(row, "action", { side, index: Number(index) }, button.textContent, button.matches(".destructive"));
  }
  if (button || event.target.closest(".grip, input, .segments")) return;
  // Ignores the second click of a double click if another row came under the pointer in between.
  if (event.detail > 1 && nameOf(row) !== clicked) return;
  clicked = nameOf(row);
  choose(row);
}

// MARK: Touch

const longPress = 500;

// A long press opens the menu of a tile, for a finger, or renames an editable title.
function listenToLongPresses() {
  let timer, start;
  const stop = () => clearTimeout(timer);
  document.addEventListener("pointerdown", (event) => {
    stop();
    const row = event.target.closest?.(".row");
    if (event.button > 0 || !row || isEditing(row)) return;
    const act = longPressAct(event, row);
    if (!act) return;
    start = event;
    timer = setTimeout(() => {
      if (!row.isConnected || document.body.matches(".dragging")) return;
      act(row);
    }, longPress);
  });
  document.addEventListener("pointermove", (event) => {
    if (start && Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) > 8) stop();
  });
  for (const type of ["pointerup", "pointercancel"]) document.addEventListener(type, stop);
  // Suppresses the browser's context menu for a link that is pressed for long.
  document.addEventListener("contextmenu", (event) => {
    if (event.pointerType === "touch" && event.target.closest?.(".row")) event.preventDefault();
  });
}

// Buttons that a mouse or the focus shows on a tile are no obstacle for a finger.
function longPressAct({ target, pointerType }, row) {
  const isOnTile = !target.closest(".grip, input, button:not(.actions button)");
  if (pointerType === "touch" && isOnTile && hasMenu(row)) return openMenu;
  return target.closest(".title") && row.dataset.editable !== undefined ? renameByPress : undefined;
}

// The click that follows is ignored. None follows where the browser takes the finger for something
// else. (A menu lies above its row, which gets no click.)
function renameByPress(row) {
  row.dataset.dragged = "true";
  const end = () => setTimeout(() => delete row.dataset.dragged, 0);
  for (const type of ["pointerup", "pointercancel"]) addEventListener(type, end, { once: true });
  editRow(row);
}

// MARK: Keys

function keydown(event) {
  const holder = event.target.closest?.(".row, [data-table]");
  const isOnRow = event.target === holder;
  const table = holder && tableOf(holder);
  // A box in a row has the keys of its row but those that tick it.
  const isBox = event.target.matches?.("input[type=checkbox]");
  if (!table || !(isOnRow || isBox && ![" ", "Enter"].includes(event.key))) return;
  const row = holder.matches(".row") ? holder : undefined;
  if (event.altKey && row && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
    event.preventDefault();
    const index = event.key === "ArrowUp" ? -1 : 1;
    const answer = send(row, "step", { index }, "Move");
    // Rows that can be moved have a grip.
    if (row.querySelector(".grip")) table.step(row, index, answer);
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (row?.ariaLevel && inTree(table, row, event.key)) return void event.preventDefault();
  const place = destination(event.key, table);
  if (place !== undefined) {
    event.preventDefault();
    return table.focusPlace(place);
  }
  if (row && actOn(row, event.key)) event.preventDefault();
}

// In a tree, Right expands a row and then moves to its first child; Left collapses it and then
// moves to its parent.
function inTree(table, row, key) {
  if (key !== "ArrowRight" && key !== "ArrowLeft") return false;
  const isRight = key === "ArrowRight";
  const { ariaExpanded } = row;
  if (ariaExpanded === String(!isRight)) send(row, "toggle");
  else if (isRight && ariaExpanded) enter(table, row);
  else if (!isRight) leaveToParent(table, row);
  return true;
}

const levelOf = (row) => Number(row?.ariaLevel ?? 0);

function enter(table, row) {
  const next = table.rows[table.rows.indexOf(row) + 1];
  if (levelOf(next) > levelOf(row)) table.focusPlace(table.current + 1);
}

// Moves to the parent, or to the first held row if the parent is not held: another press goes on
// from there.
function leaveToParent(table, row) {
  if (levelOf(row) < 2) return;
  const index = table.rows.indexOf(row);
  const parent = table.rows.findLastIndex((other, at) => at < index && levelOf(other) < levelOf(row));
  table.focusPlace(table.first + Math.max(0, parent));
}

function destination(key, table) {
  const page = table.pageLength();
  const line = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (line && table.total > 0) return nextLine(table, Math.min(table.current, table.total - 1), line);
  const steps = { PageDown: page, PageUp: -page, ...(table.hasSides && { ArrowLeft: -1, ArrowRight: 1 }) };
  if (key in steps) return Math.max(0, Math.min(table.total - 1, table.current + steps[key]));
  return { Home: 0, End: table.total - 1 }[key];
}

function actOn(row, key) {
  const isSelectable = tableOf(row).state.selectable;
  const control = row.querySelector("input");
  if (control && (key === "Enter" || key === " ")) {
    if (key === " " && control.type === "checkbox") control.click(); else control.focus();
    return true;
  }
  if (key === "F2" || (key === "Enter" && !isSelectable)) return editRow(row);
  if (key === "Enter" || key === " ") {
    if (isSelectable) select(row);
    return true;
  }
  if (key === "Delete" || key === "Backspace") {
    const action = row.querySelector(".action.destructive");
    if (action) send(row, "action", { side: "trailing" }, action.textContent, true);
    return true;
  }
  return false;
}
