// Drag and drop of a row by its grip. In a list the row is carried: its place closes, and the other
// rows make room where it would land (`carrying.js`). In a grid a mark shows the place. Half a
// second of rest on the middle of a row means into that row, where the table allows drops.
import { Carrying, cellGoal } from "./carrying.js";
import { whenRenewed } from "./connection.js";
import { post } from "./events.js";
import { showToast } from "./messages.js";
import { tableOf } from "./tables.js";

// The drag, and the last one, which shows the row in its new place until the server has answered.
let drag, settling;
const longestAnswer = 1500;

export function listenToDrags() {
  document.addEventListener("pointerdown", (event) => {
    const row = event.target.closest(".row");
    if (row && event.button <= 0 && event.target.closest(".grip")) start(event, row);
  });
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", () => finish(true));
  document.addEventListener("pointercancel", () => finish(false));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && drag) finish(false);
  });
  // A renewed window has other rows, even where their names are equal: the drag ends.
  whenRenewed(() => {
    if (!drag) return;
    const { title } = drag;
    finish(false);
    showToast(`This window was made anew. “${title}” was not moved.`);
  });
}

// Called when a table has arranged its rows.
export function keepDrag(table) {
  if (settling?.table === table) settle();
  if (drag?.table === table) drag.carrying?.keep();
}

function start(event, row) {
  event.preventDefault();
  settle();
  const table = tableOf(row);
  drag = {
    row: row.dataset.row, element: row, table, x: event.clientX, y: event.clientY,
    title: row.querySelector(".title")?.textContent ?? "", scroll: table.scroller.scrollTop,
    carrying: row.closest(".grid") ? undefined : new Carrying(table, row),
    timer: setInterval(scrollAtEdge, 16),
  };
  event.target.setPointerCapture(event.pointerId);
  document.body.classList.add("dragging");
  if (!drag.carrying) row.classList.add("dragged");
}

function move(event) {
  if (!drag) return;
  drag.pointer = event.clientY;
  drag.across = event.clientX;
  followPointer();
}

function followPointer() {
  const { carrying, table, element, x, y, scroll, pointer, across } = drag;
  if (carrying) return carrying.follow(pointer, pointer - y);
  const down = pointer - y + table.scroller.scrollTop - scroll;
  element.style.transform = `translate(${across - x}px, ${down}px)`;
  clearMarks();
  drag.goal = cellGoal(table, element, across, pointer);
  if (!drag.goal) return;
  const { target, how } = drag.goal;
  target.classList.add({ before: "before-here", after: "after-here", into: "target" }[how]);
}

function scrollAtEdge() {
  if (drag?.pointer === undefined) return;
  const edge = 70;
  const { scroller, viewTop, viewHeight, barHeight } = drag.table;
  const above = edge - (drag.pointer - viewTop - barHeight);
  const below = edge - (viewTop + viewHeight - drag.pointer);
  if (above > 0) scroller.scrollBy(0, -above / 6);
  else if (below > 0) scroller.scrollBy(0, below / 6);
  if (above > 0 || below > 0) followPointer();
}

function clearMarks() {
  for (const row of drag.table.rows) row.classList.remove("before-here", "after-here", "target");
}

function finish(isDone) {
  if (!drag) return;
  const ended = drag;
  const { element, table, title, carrying, timer } = ended;
  clearInterval(timer);
  clearMarks();
  drag = undefined;
  document.body.classList.remove("dragging");
  element.classList.remove("dragged");
  element.style.transform = "";
  swallowClick(element);
  const goal = carrying ? carrying.goal : ended.goal;
  if (!isDone || !goal) return carrying?.end();
  if (!table.element(ended.row) || !goal.target.isConnected) {
    carrying?.end();
    return void showToast(`“${title}” was not moved: the list has changed.`);
  }
  send(ended, goal);
  if (!carrying) return;
  carrying.land();
  settling = ended;
  settling.timer = setTimeout(settle, longestAnswer);
}

// The carried row's own element takes its place.
function settle() {
  clearTimeout(settling?.timer);
  settling?.carrying.end();
  settling = undefined;
}

function send({ row, table, title }, { target, how }) {
  const names = { id: table.root.dataset.table, row, target: target.dataset.row };
  const trace = { kind: "act", text: `Move “${title}”` };
  if (how === "into") post({ type: "drop", ...names }, { trace });
  else post({ type: "move", ...names, after: how === "after" }, { trace });
}

// Ignores the click that the browser sends after a drag.
export function swallowClick(row) {
  row.dataset.dragged = "true";
  setTimeout(() => delete row.dataset.dragged, 0);
}
