// Who else is here: the other windows on the list of the top screen, a colour a window in its bar,
// and the rows that they edit. A user who does not want to see them hides them in the palette.
import { titledScreen, topScreens } from "./columns.js";
import { post } from "./events.js";

const storageKey = "others";
const mostDots = 3;

let count = 0;
/** @type {{ colour: number, row?: string }[]} */
let others = [];
/** @type {{ id: string, row: string } | undefined} */
let edited;

const isHidden = () => {
  try {
    return localStorage.getItem(storageKey) === "hidden";
  } catch {
    return false;
  }
};

export function setOthers(total, list) {
  const wereAlone = count === 0;
  [count, others] = [total, list ?? []];
  if (wereAlone && count > 0 && edited) tell();
}

// Notes the row whose title is being edited here; undefined for none. A window that is alone tells
// nobody.
export function noteEditing(row) {
  edited = row;
  if (count > 0) tell();
}

const tell = () => void post({ type: "editing", ...edited });

// Draws them again: the bar and the rows may have been redrawn.
export function showOthers() {
  const isShown = count > 0 && !isHidden();
  if (!isShown && !document.querySelector(".others, .row.edited")) return;
  drawDots(isShown);
  drawRows(isShown);
}

function drawDots(isShown) {
  const spring = titledScreen()?.querySelector(".bar .spring");
  for (const old of document.querySelectorAll(".others")) if (!isShown || old.previousElementSibling !== spring) old.remove();
  if (!isShown || !spring) return;
  let dots = spring.nextElementSibling;
  if (!dots?.matches(".others")) {
    dots = document.createElement("span");
    dots.className = "others";
    dots.setAttribute("role", "img");
    spring.after(dots);
  }
  dots.title = count === 1 ? "1 other window is here" : `${count} other windows are here`;
  dots.setAttribute("aria-label", dots.title);
  const seen = others.slice(0, mostDots);
  const parts = seen.map(({ colour }) => {
    const dot = document.createElement("i");
    dot.className = `colour-${colour}`;
    return dot;
  });
  dots.replaceChildren(...parts, count > seen.length ? `${seen.length > 0 ? "+" : ""}${count - seen.length}` : "");
}

function drawRows(isShown) {
  const wanted = new Map();
  for (const { colour, row } of isShown ? others : []) if (row) wanted.set(row, colour);
  for (const row of document.querySelectorAll(".row.edited")) if (!wanted.has(row.dataset.row)) unmark(row);
  for (const [name, colour] of wanted) {
    const css = `[data-row="${CSS.escape(name)}"]`;
    for (const row of topScreens().flatMap((screen) => [...screen?.querySelectorAll(css) ?? []])) mark(row, colour);
  }
}

function mark(row, colour) {
  if (row.dataset.colour === String(colour)) return;
  if (!row.matches(".edited")) row.dataset.described = row.getAttribute("aria-description") ?? "";
  row.classList.add("edited");
  row.dataset.colour = colour;
  row.setAttribute("aria-description", [row.dataset.described, "edited in another window"].filter(Boolean).join(", "));
}

function unmark(row) {
  row.classList.remove("edited");
  if (row.dataset.described) row.setAttribute("aria-description", row.dataset.described);
  else row.removeAttribute("aria-description");
  delete row.dataset.colour;
  delete row.dataset.described;
}

// The act of the palette that hides or shows them; undefined while there are none.
export function othersAct() {
  if (count === 0) return undefined;
  return isHidden() ? { name: "Show who else is here", run: () => keep(undefined) }
    : { name: "Hide who else is here", run: () => keep("hidden") };
}

function keep(value) {
  try {
    if (value) localStorage.setItem(storageKey, value);
    else localStorage.removeItem(storageKey);
  } catch {
    // Without storage they are shown.
  }
  showOthers();
}
