// The swipe: a row follows the finger, and what lies under it grows from the edge: its trailing
// actions for a pull to where lines begin, its leading ones for a pull to where they end. Let go
// beyond 40 pixels they stay; beyond most of the row's width the first one runs, and the row says
// so before.
import { markUntil } from "./ahead.js";
import { post } from "./events.js";
import { swallowClick } from "./drag.js";
import { nudge } from "./motion.js";
import { tableOf } from "./tables.js";

let swipe;
const least = 40;
const whole = 0.6;
const actionWidth = 88;
// The time in milliseconds after which a row has come to rest (page.css).
const settling = 240;

export function listenToSwipes() {
  document.addEventListener("pointerdown", begin);
  document.addEventListener("pointermove", follow);
  document.addEventListener("pointerup", (event) => end(event, true));
  document.addEventListener("pointercancel", (event) => end(event, false));
  // While actions are shown, a press anywhere else only hides them.
  document.addEventListener("click", (event) => {
    if (event.target.closest(".row.swiped .action") || !hide()) return;
    event.preventDefault();
    event.stopPropagation();
  }, true);
  document.addEventListener("scroll", () => hide(), { capture: true, passive: true });
  document.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    if (swipe?.isOn) close(swipe.row);
    swipe = undefined;
    hide();
  });
}

// Called when a row's element is replaced by another one: the row stays where it was pulled to.
export function keepSwipe(old, fresh) {
  if (swipe?.row === old) swipe.row = fresh;
  const { pull } = old.dataset;
  if (!pull || !firstAction(fresh, pull)) return;
  fresh.dataset.pull = pull;
  for (const name of ["--pull", "--under"]) fresh.style.setProperty(name, old.style.getPropertyValue(name));
  for (const name of ["pulled", "swiped", "full"]) fresh.classList.toggle(name, old.matches(`.${name}`));
  if (swipe?.row !== fresh && !fresh.matches(".swiped")) close(fresh);
}

// Hides the actions that are shown, but for those of a row. Returns whether there were any.
function hide(except) {
  const shown = [...document.querySelectorAll(".row.swiped")].filter((row) => row !== except);
  for (const row of shown) close(row);
  return shown.length > 0;
}

// The direction in which a row's leading actions are pulled into sight.
const forward = (row) => (getComputedStyle(row).direction === "rtl" ? -1 : 1);

function begin(event) {
  const row = event.target.closest(".row");
  // A second finger is not part of the swipe.
  if (swipe || !row || event.button > 0 || event.pointerType === "mouse") return;
  // Buttons that a mouse shows are no obstacle for a finger. Tiles have a menu (menus.js).
  if (event.target.closest(".grip, .swiped .action") || row.closest(".grid")) return;
  swipe = {
    row, finger: event.pointerId, x: event.clientX, y: event.clientY,
    from: row.matches(".swiped") ? pulled(row) : 0, forward: forward(row),
  };
}

function follow(event) {
  if (event.pointerId !== swipe?.finger) return;
  const { row, from, y } = swipe;
  const across = event.clientX - swipe.x;
  if (!swipe.isOn && Math.abs(event.clientY - y) > Math.abs(across)) return void (swipe = undefined);
  if (!swipe.isOn && Math.abs(across) < 10) return;
  if (!swipe.isOn) {
    hide(row);
    swipe.width = row.offsetWidth;
    swipe.isOn = true;
  }
  if (row.isConnected) pull(row, from + across);
}

function pull(row, wanted) {
  const side = wanted * swipe.forward > 0 ? "leading" : "trailing";
  const first = firstAction(row, side);
  const distance = first ? wanted : 0;
  const isFull = first?.dataset.full !== undefined && Math.abs(distance) > whole * swipe.width;
  if (isFull && !row.matches(".full")) nudge();
  row.classList.remove("swiped", "settling");
  row.classList.add("pulled");
  row.classList.toggle("full", isFull);
  row.dataset.pull = side;
  place(row, distance, Math.abs(distance));
}

// Draws a row so far aside, and its actions so wide. While a row moves by itself its actions are
// wide enough for the whole way, so that they reach the edge of the list all the time.
function place(row, distance, width) {
  row.style.setProperty("--pull", `${distance}px`);
  if (width !== undefined) row.style.setProperty("--under", `${width}px`);
}

const pulled = (row) => parseFloat(row.style.getPropertyValue("--pull")) || 0;

// The first action of a side stands at the row's edge.
const actions = (row, side) => [...row.querySelectorAll(`.action[data-side=${side}]`)];
const firstAction = (row, side) => row.querySelector(`.action[data-side=${side}][data-index='0']`);

function end(event, isLetGo) {
  if (event.pointerId !== swipe?.finger) return;
  const { row, isOn, forward } = swipe;
  swipe = undefined;
  // The row may have been deleted meanwhile.
  if (!isOn || !row.isConnected) return;
  swallowClick(row);
  const side = row.dataset.pull;
  if (!isLetGo || Math.abs(pulled(row)) < least) return close(row);
  const way = side === "leading" ? forward : -forward;
  if (row.matches(".full")) return run(row, side, way);
  row.classList.remove("pulled");
  row.classList.add("swiped", "settling");
  const width = actions(row, side).length * actionWidth;
  place(row, way * width, Math.max(width, Math.abs(pulled(row))));
  setTimeout(() => { if (row.matches(".swiped")) place(row, way * width, width); }, settling);
}

function run(row, side, way) {
  row.classList.add("settling");
  place(row, way * row.offsetWidth, row.offsetWidth);
  const trace = { kind: "act", text: firstAction(row, side).ariaLabel };
  const { table } = tableOf(row).root.dataset;
  const answer = post({ type: "action", id: table, row: row.dataset.row, side, index: 0 }, { trace });
  markUntil(answer, row, firstAction(row, side).matches(".destructive"));
  // An action that asks first, or that is refused, leaves its row.
  answer.then(() => setTimeout(() => close(row), 400));
}

// Springs back. The actions are drawn until the row has arrived.
function close(row) {
  if (!row.matches(".pulled, .swiped")) return;
  row.classList.remove("swiped", "full");
  row.classList.add("pulled", "settling");
  place(row, 0);
  setTimeout(() => {
    if (pulled(row) !== 0) return;
    row.classList.remove("pulled", "settling");
    delete row.dataset.pull;
    for (const name of ["--pull", "--under"]) row.style.removeProperty(name);
  }, settling);
}
