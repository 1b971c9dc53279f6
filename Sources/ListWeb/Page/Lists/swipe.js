// The swipe: a row follows the finger, and what lies under it grows from the edge: its trailing
// actions for a pull to the left, its leading ones for a pull to the right. Let go beyond 40 pixels
// they stay; beyond most of the row's width the first one runs, and the row says so before.
import { markUntil } from "./ahead.js";
import { post } from "./events.js";
import { swallowClick } from "./drag.js";
import { nudge } from "./motion.js";
import { tableOf } from "./tables.js";

let swipe;
const least = 40;
const whole = 0.6;
const actionWidth = 88;

export function listenToSwipes() {
  document.addEventListener("pointerdown", begin);
  document.addEventListener("pointermove", follow);
  document.addEventListener("pointerup", () => end(true));
  document.addEventListener("pointercancel", () => end(false));
  // While actions are shown, a press anywhere else only hides them.
  document.addEventListener("click", (event) => {
    if (event.target.closest(".row.swiped .action") || !hide()) return;
    event.preventDefault();
    event.stopPropagation();
  }, true);
  document.addEventListener("scroll", () => hide(), { capture: true, passive: true });
  document.addEventListener("keydown", ({ key }) => { if (key === "Escape") hide(); });
}

// Hides the actions that are shown, but for those of a row. Returns whether there were any.
function hide(except) {
  const shown = [...document.querySelectorAll(".row.swiped")].filter((row) => row !== except);
  for (const row of shown) close(row);
  return shown.length > 0;
}

function begin(event) {
  const row = event.target.closest(".row");
  if (!row || event.button > 0 || event.pointerType === "mouse") return;
  if (event.target.closest(".grip, .action") || row.closest(".sideways")) return;
  swipe = { row, x: event.clientX, y: event.clientY, from: row.matches(".swiped") ? pulled(row) : 0 };
}

function follow(event) {
  if (!swipe) return;
  const { row, from, y } = swipe;
  const across = event.clientX - swipe.x;
  if (!swipe.isOn && Math.abs(event.clientY - y) > Math.abs(across)) return void (swipe = undefined);
  if (!swipe.isOn && Math.abs(across) < 10) return;
  if (!swipe.isOn) hide(row);
  swipe.isOn = true;
  pull(row, from + across);
}

function pull(row, wanted) {
  const side = wanted > 0 ? "leading" : "trailing";
  const first = firstAction(row, side);
  const distance = first ? wanted : 0;
  const isFull = first?.dataset.full !== undefined && Math.abs(distance) > whole * row.offsetWidth;
  if (isFull && !row.matches(".full")) nudge();
  row.classList.remove("swiped", "settling");
  row.classList.add("pulled");
  row.classList.toggle("full", isFull);
  row.dataset.pull = side;
  row.style.setProperty("--pull", `${distance}px`);
}

const pulled = (row) => parseFloat(row.style.getPropertyValue("--pull")) || 0;

// The first action of a side stands at the row's edge.
const actions = (row, side) => [...row.querySelectorAll(`.action[data-side=${side}]`)];
const firstAction = (row, side) => row.querySelector(`.action[data-side=${side}][data-index='0']`);

function end(isLetGo) {
  if (!swipe) return;
  const { row, isOn } = swipe;
  swipe = undefined;
  if (!isOn) return;
  swallowClick(row);
  const side = row.dataset.pull;
  if (!isLetGo || Math.abs(pulled(row)) < least) return close(row);
  if (row.matches(".full")) return run(row, side);
  row.classList.remove("pulled");
  row.classList.add("swiped", "settling");
  const width = actions(row, side).length * actionWidth;
  row.style.setProperty("--pull", `${side === "leading" ? width : -width}px`);
}

function run(row, side) {
  row.classList.add("settling");
  row.style.setProperty("--pull", side === "leading" ? "100%" : "-100%");
  const trace = { kind: "act", text: firstAction(row, side).ariaLabel };
  const { table } = tableOf(row).root.dataset;
  const answer = post({ type: "action", id: table, row: row.dataset.row, side, index: 0 }, { trace });
  markUntil(answer, row, firstAction(row, side).matches(".destructive"));
  // An action that asks first leaves its row.
  setTimeout(() => close(row), 400);
}

// Springs back. The actions are drawn until the row has arrived.
function close(row) {
  if (!row.matches(".pulled, .swiped")) return;
  row.classList.remove("swiped", "full");
  row.classList.add("pulled", "settling");
  row.style.setProperty("--pull", "0px");
  setTimeout(() => {
    if (pulled(row) !== 0) return;
    row.classList.remove("pulled", "settling");
    delete row.dataset.pull;
    row.style.removeProperty("--pull");
  }, 240);
}
