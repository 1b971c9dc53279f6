// Before the answer: what the user has done is drawn while it is on its way. What is typed into a
// field for something new stands below the list, and a row that was acted on looks so until the
// server has answered. On a quick line nothing of this is seen.
import { elements } from "./elements.js";
import { isSlow } from "./events.js";

// The time in milliseconds that an answer may take before anything is drawn for it.
const patience = 100;

/** @type {{ element: Element, timer: number | undefined }[]} */
let coming = [];

// Draws a text that becomes a row. Returns a function for the answer.
export function showComing(field, text) {
  const screen = field.closest(".screen");
  const list = [...screen?.querySelectorAll("[data-table]") ?? []].at(-1);
  if (!list || text.trim() === "") return () => {};
  const [element] = elements(`<li class="coming"><div class="texts"><div class="title" dir="auto"></div></div>
    <span class="wait" role="img" aria-label="On its way">…</span></li>`);
  element.querySelector(".title").textContent = text;
  const entry = { element, timer: undefined };
  const show = () => {
    let stack = list.nextElementSibling;
    if (!stack?.matches(".coming-rows")) {
      [stack] = elements(`<ul class="coming-rows" role="list" aria-label="On their way"></ul>`);
      list.after(stack);
    }
    stack.append(element);
    element.scrollIntoView({ block: "nearest" });
  };
  coming.push(entry);
  if (isSlow()) show(); else entry.timer = setTimeout(show, patience);
  return () => leave(entry);
}

// Takes away those whose rows have come; `htmls` are the new rows. A text that the server has
// changed stands until the answer.
export function noteInserted(htmls) {
  if (coming.length === 0) return;
  for (const html of htmls) {
    const title = elements(html)[0].querySelector(".title")?.textContent;
    const entry = coming.find(({ element }) => element.querySelector(".title").textContent === title);
    if (entry) leave(entry);
  }
}

function leave(entry) {
  clearTimeout(entry.timer);
  const stack = entry.element.parentElement;
  entry.element.remove();
  if (stack?.childElementCount === 0) stack.remove();
  coming = coming.filter((other) => other !== entry);
}

// Marks a row until the answer to what was done with it; `isGoing` for one that is to be deleted.
export async function markUntil(answer, row, isGoing) {
  const names = ["on-its-way", ...(isGoing ? ["going"] : [])];
  const timer = setTimeout(() => row.classList.add(...names), isSlow() ? 0 : patience);
  await answer;
  clearTimeout(timer);
  row.classList.remove(...names);
}
