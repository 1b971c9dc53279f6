// Drag and drop of a row by its grip: a drop between rows moves the row, a drop onto a row puts it
// into that one.
//
// Also the swipe: pulling a row to the left shows its trailing actions, to the right its leading
// ones; pulling it across most of its width runs the first of them.
import { whenRenewed } from "./connection.js";
import { post } from "./events.js";
import { showToast } from "./messages.js";
import { tableOf } from "./tables.js";

let drag, swipe;

export function listenToDrags() {
  document.addEventListener("pointerdown", (event) => {
    const row = event.target.closest(".row");
    if (!row || event.button > 0) return;
    if (event.target.closest(".grip")) startDrag(event, row);
    else if (event.pointerType !== "mouse" && !row.closest(".sideways")) swipe = { row, x: event.clientX, y: event.clientY };
  });
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", (event) => finish(event, true));
  document.addEventListener("pointercancel", (event) => finish(event, false));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && drag) finish(event, false);
  });
  // A renewed window has other rows, even where their names are equal: the drag ends.
  whenRenewed(() => {
    if (!drag) return;
    const title = titleOf(drag.row);
    finish(undefined, false);
    showToast(`This window was made anew. “${title}” was not moved.`);
  });
}

const titleOf = (row) => row.querySelector(".title")?.textContent ?? "";

function startDrag(event, row) {
  event.preventDefault();
  drag = { row, table: tableOf(row), x: event.clientX, y: event.clientY, top: row.offsetTop, scroll: tableOf(row).scroller.scrollTop, timer: undefined };
  event.target.setPointerCapture(event.pointerId);
  row.classList.add("dragged");
  document.body.classList.add("dragging");
  drag.timer = setInterval(scrollAtEdge, 16);
}

function move(event) {
  if (drag) {
    drag.pointer = event.clientY;
    drag.across = event.clientX;
    followPointer();
  } else if (swipe) {
    followSwipe(event);
  }
}

function followPointer() {
  const { row, x, y, scroll, pointer, across } = drag;
  const down = pointer - y + drag.table.scroller.scrollTop - scroll;
  row.style.transform = `translate(${row.closest(".grid") ? across - x : 0}px, ${down}px)`;
  clearMarks();
  drag.goal = goal(across, pointer);
  if (!drag.goal) return;
  const { target, how } = drag.goal;
  target.classList.add({ before: "before-here", after: "after-here", into: "target" }[how]);
}

// The drop goal under the pointer: the middle half of a row means into it, where the table allows
// drops; its edges mean before and after. A grid is divided from left to right.
function goal(x, y) {
  for (const target of drag.table.rows) {
    if (target === drag.row) continue;
    const box = target.getBoundingClientRect();
    if (y < box.top || y >= box.bottom) continue;
    const isInGrid = Boolean(target.closest(".grid"));
    if (isInGrid && (x < box.left || x >= box.right)) continue;
    const part = isInGrid ? (x - box.left) / box.width : (y - box.top) / box.height;
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
  if (swipe && event) endSwipe();
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
  if (!row.isConnected || !goal.target.isConnected) {
    return void showToast(`“${titleOf(row)}” was not moved: the list has changed.`);
  }
  const names = { id: table.root.dataset.table, row: row.dataset.row, target: goal.target.dataset.row };
  const trace = { kind: "act", text: `Move “${titleOf(row)}”` };
  if (goal.how === "into") post({ type: "drop", ...names }, { trace });
  else post({ type: "move", ...names, after: goal.how === "after" }, { trace });
}

// Ignores the click that the browser sends after a drag.
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
  swipe.row.style.transform = firstAction(swipe.row, x) || x < 0 ? `translateX(${x}px)` : "";
}

function endSwipe() {
  const { row, isOn, distance } = swipe;
  swipe = undefined;
  row.style.transform = "";
  if (!isOn) return;
  swallowClick(row);
  const action = firstAction(row, distance);
  row.classList.remove("swiped", "leading");
  if (!action || Math.abs(distance) < 40) return;
  if (Math.abs(distance) > 0.6 * row.offsetWidth && action.dataset.full !== undefined) {
    const { side } = action.dataset;
    const trace = { kind: "act", text: action.ariaLabel };
    post({ type: "action", id: tableOf(row).root.dataset.table, row: row.dataset.row, side, index: 0 }, { trace });
  } else {
    row.classList.add("swiped");
    row.classList.toggle("leading", distance > 0);
  }
}

// The first action of the side that a pull over `distance` uncovers; it stands at the row's edge.
function firstAction(row, distance) {
  const side = distance > 0 ? "leading" : "trailing";
  return row.querySelector(`.action[data-side=${side}][data-index='0']`);
}
