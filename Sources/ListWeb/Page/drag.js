// Dragging a row by its grip: between rows it changes the order, onto a row it goes into that one.
// Also the swipe: a row pulled to the left shows its actions, pulled across it does the first of
// them.
import { post } from "./connection.js";
import { tableOf } from "./rows.js";

let drag, swipe;

export function listenToDrags() {
  document.addEventListener("pointerdown", (event) => {
    const row = event.target.closest(".row");
    if (!row || event.button > 0) return;
    if (event.target.closest(".grip")) startDrag(event, row);
    else if (event.pointerType !== "mouse") swipe = { row, x: event.clientX, y: event.clientY };
  });
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", (event) => finish(event, true));
  document.addEventListener("pointercancel", (event) => finish(event, false));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && drag) finish(event, false);
  });
}

function startDrag(event, row) {
  event.preventDefault();
  drag = { row, table: tableOf(row), y: event.clientY, top: row.offsetTop, scroll: tableOf(row).scroller.scrollTop };
  event.target.setPointerCapture(event.pointerId);
  row.classList.add("dragged");
  document.body.classList.add("dragging");
  drag.timer = setInterval(scrollAtEdge, 16);
}

function move(event) {
  if (drag) {
    drag.pointer = event.clientY;
    followPointer();
  } else if (swipe) {
    followSwipe(event);
  }
}

function followPointer() {
  const { row, y, scroll, pointer } = drag;
  row.style.transform = `translateY(${pointer - y + drag.table.scroller.scrollTop - scroll}px)`;
  clearMarks();
  drag.goal = goal(pointer);
  if (!drag.goal) return;
  const { target, how } = drag.goal;
  target.classList.add({ before: "before-here", after: "after-here", into: "target" }[how]);
}

// The middle half of a row takes what is dropped, where the table allows that; its edges mean
// before and after.
function goal(y) {
  for (const target of drag.table.rows) {
    if (target === drag.row) continue;
    const box = target.getBoundingClientRect();
    if (y < box.top || y >= box.bottom) continue;
    const part = (y - box.top) / box.height;
    if (drag.table.state.droppable && part > 0.25 && part < 0.75) return { target, how: "into" };
    return { target, how: part < 0.5 ? "before" : "after" };
  }
  return undefined;
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

function finish(event, isDone) {
  if (swipe) endSwipe(event);
  if (!drag) return;
  const { row, goal, timer, table } = drag;
  clearInterval(timer);
  clearMarks();
  drag = undefined;
  row.classList.remove("dragged");
  row.style.transform = "";
  document.body.classList.remove("dragging");
  swallowClick(row);
  if (!isDone || !goal) return;
  const names = { id: table.root.dataset.table, row: row.dataset.row, target: goal.target.dataset.row };
  if (goal.how === "into") post({ type: "drop", ...names });
  else post({ type: "move", ...names, after: goal.how === "after" });
}

// The click that follows a drag means nothing.
function swallowClick(row) {
  row.dataset.dragged = "true";
  setTimeout(() => delete row.dataset.dragged, 0);
}

// MARK: Swipe

function followSwipe(event) {
  const x = event.clientX - swipe.x;
  const y = event.clientY - swipe.y;
  if (!swipe.isOn && Math.abs(y) > Math.abs(x)) return void (swipe = undefined);
  if (!swipe.isOn && Math.abs(x) < 10) return;
  swipe.isOn = true;
  swipe.distance = x;
  swipe.row.style.transform = `translateX(${Math.min(0, x)}px)`;
}

function endSwipe() {
  const { row, isOn, distance } = swipe;
  swipe = undefined;
  row.style.transform = "";
  if (!isOn) return;
  swallowClick(row);
  const action = row.querySelector(".action[data-side=trailing]");
  if (!action || distance > -40) return row.classList.remove("swiped");
  if (distance < -0.6 * row.offsetWidth) {
    post({
      type: "action", id: tableOf(row).root.dataset.table, row: row.dataset.row, side: "trailing",
      index: Number(action.dataset.index),
    });
  } else {
    row.classList.add("swiped");
  }
}
