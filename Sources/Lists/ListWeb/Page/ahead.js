// Before the answer: what the user has done is drawn while it is on its way. A row that was acted on
// looks so until the server has answered; so does a button that was pressed. A row that was moved or
// counted shows at once what becomes of it. New rows are in `coming.js`. On a quick line nothing of
// this is seen.
import { isSlow } from "./events.js";

// The time in milliseconds that an answer may take before anything is drawn for it.
const patience = 100;
// The time that the patch of an event may come after its answer: it is another connection.
const lateness = 500;

// Marks a row or a button until the answer to what was done with it; `isGoing` for a row that is to
// be deleted.
export async function markUntil(answer, element, isGoing = false) {
  const names = ["on-its-way", ...(isGoing ? ["going"] : [])];
  const timer = setTimeout(() => element.classList.add(...names), isSlow() ? 0 : patience);
  await answer;
  clearTimeout(timer);
  element.classList.remove(...names);
}

// Draws something before the answer, as `draw` does, which returns a function that takes it back.
// Without a patch that has replaced it, it is taken back after the answer.
export async function drawUntil(answer, draw) {
  /** @type {() => void} */
  let takeBack = () => {};
  const timer = setTimeout(() => { takeBack = draw() ?? takeBack; }, isSlow() ? 0 : patience);
  const isDone = await answer;
  clearTimeout(timer);
  if (isDone === false) takeBack();
  else setTimeout(takeBack, lateness);
}

// Adds to the number of a row. Returns a function that takes that back, unless the row was redrawn.
export function addTo(row, step) {
  const count = row.querySelector(".count");
  const before = count?.textContent ?? "";
  const after = sum(before, step);
  if (after === undefined) return undefined;
  count.textContent = after;
  return () => { if (count.textContent === after) count.textContent = before; };
}

// The sum of a number, as the reader's language writes it, and a step; undefined for other texts.
function sum(text, step) {
  const { format } = new Intl.NumberFormat(navigator.language);
  const number = Number(text.replace(/[^\d−-]/g, "").replace("−", "-"));
  const write = [String, format].find((one) => one(number) === text);
  return write?.(number + step);
}
