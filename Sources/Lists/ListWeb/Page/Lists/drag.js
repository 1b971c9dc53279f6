// Drag and drop of a row by its grip. In a list the row is carried: its place closes, and the other
// rows make room where it would land (`carrying.js`). In a grid a mark shows the place. Half a
// second of rest on the middle of a row means into that row, where the table allows drops.
import { Carrying, cellGoal } from "./carrying.js";
import { whenRenewed } from "./connection.js";
import { post } from "./events.js";
import { showToast } from "./messages.js";
import { mostHeld, tableOf } from "./tables.js";

// The drag, and the last one, which shows the row in its new place until the server has answered.
let drag, settling;
// The longest time in milliseconds from the answer to the rows that it changes.
const longestChange = 1500;

export function listenToDrags() {
  document.addEventListener("pointerdown", (event) => {
    const row = event.target.closest(".row");
    // A second finger is not part of the drag.
    if (!drag && row && event.button <= 0 && event.target.closest(".grip")) start(event, row);
  });
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", ({ pointerId }) => { if (pointerId === drag?.hand) finish(true); });
  document.addEventListener("pointercancel", ({ pointerId }) => { if (pointerId === drag?.hand) finish(false); });
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

// The rows that a table wants, as their first place and their number: a row that is carried stays
// among them, as long as they are not too many.
export function withCarried(table, first, count) {
  const place = placeOfCarried(table);
  if (place === undefined) return [first, count];
  const low = Math.min(first, place);
  return [low, Math.min(mostHeld, Math.max(first + count, place + 1) - low)];
}

function placeOfCarried(table) {
  const index = drag?.table === table ? table.rows.findIndex((one) => one.dataset.row === drag.row) : -1;
  return index < 0 ? undefined : table.first + index;
}

// Whether scrolling on would leave so many rows between the carried one and those in sight that the
// page cannot hold all of them.
function isTooFar(table, way) {
  const away = table.placeAt(Math.max(0, table.offset)) - (placeOfCarried(table) ?? 0);
  return Math.sign(away) === Math.sign(way) && Math.abs(away) > mostHeld * 0.8;
}

// Called when a table has arranged its rows.
export function keepDrag(table) {
  if (settling?.table === table && hasLanded(settling)) settle();
  for (const one of [drag, settling]) if (one?.table === table) one.carrying?.keep();
}

// Whether the server's rows are as the user has left them.
function hasLanded({ row, table, goal: { target, how } }) {
  const place = table.rows.findIndex((one) => one.dataset.row === row);
  if (how === "into" || place < 0) return how === "into" && place < 0;
  const beside = table.rows[place + (how === "before" ? 1 : -1)];
  return beside?.dataset.row === target;
}

// Called when an element of a row is replaced by another one.
export function redrawDrag(old, fresh) {
  for (const one of [drag, settling]) one?.carrying?.replace(old, fresh);
}

function start(event, row) {
  event.preventDefault();
  settle();
  const table = tableOf(row);
  drag = {
    row: row.dataset.row, element: row, table, hand: event.pointerId, x: event.clientX, y: event.clientY,
    title: row.querySelector(".title")?.textContent ?? "", scroll: table.scroller.scrollTop,
    carrying: row.closest(".grid") ? undefined : new Carrying(table, row),
    frame: requestAnimationFrame(scrollAtEdge),
  };
  event.target.setPointerCapture(event.pointerId);
  document.body.classList.add("dragging");
  if (!drag.carrying) row.classList.add("dragged");
}

function move(event) {
  if (event.pointerId !== drag?.hand) return;
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

// Scrolls at the edges of the list, faster the nearer the pointer is, as long as the drag lasts.
function scrollAtEdge(time) {
  if (!drag) return;
  const elapsed = Math.min(100, time - (drag.time ?? time));
  drag.time = time;
  drag.frame = requestAnimationFrame(scrollAtEdge);
  if (drag.pointer === undefined) return;
  const edge = 70;
  const { scroller, viewTop, viewHeight, barHeight } = drag.table;
  const above = edge - (drag.pointer - viewTop - barHeight);
  const below = edge - (viewTop + viewHeight - drag.pointer);
  const by = above > 0 ? -above : Math.max(0, below);
  if (by === 0 || isTooFar(drag.table, by)) return;
  scroller.scrollBy(0, by * elapsed / 100);
  followPointer();
}

function clearMarks() {
  for (const row of drag.table.rows) row.classList.remove("before-here", "after-here", "target");
}

function finish(isDone) {
  if (!drag) return;
  const ended = drag;
  const { element, table, title, carrying, frame } = ended;
  cancelAnimationFrame(frame);
  clearMarks();
  drag = undefined;
  document.body.classList.remove("dragging");
  element.classList.remove("dragged");
  element.style.transform = "";
  swallowClick(element);
  if (isDone) carrying?.letGo();
  const goal = carrying ? carrying.goal : ended.goal;
  if (!isDone || !goal) return carrying?.end();
  if (!table.element(ended.row) || !goal.target.isConnected) {
    carrying?.end();
    return void showToast(`“${title}” was not moved: the list has changed.`);
  }
  const answer = send(ended, goal);
  if (!carrying) return;
  carrying.land();
  settling = { ...ended, goal: { ...goal, target: goal.target.dataset.row } };
  const mine = settling;
  answer.then(() => setTimeout(() => { if (settling === mine) settle(); }, longestChange));
}

// The carried row's own element takes its place.
function settle() {
  settling?.carrying.end();
  settling = undefined;
}

function send({ row, table, title }, { target, how }) {
  const names = { id: table.root.dataset.table, row, target: target.dataset.row };
  const trace = { kind: "act", text: `Move “${title}”` };
  if (how === "into") return post({ type: "drop", ...names }, { trace });
  return post({ type: "move", ...names, after: how === "after" }, { trace });
}

// Ignores the click that the browser sends after a drag.
export function swallowClick(row) {
  row.dataset.dragged = "true";
  setTimeout(() => delete row.dataset.dragged, 0);
}
