// The menu of a tile: its actions, for a finger, which scrolls a shelf instead of swiping its tiles.
import { elements } from "./elements.js";
import { rememberFocus } from "./focus.js";
import { nudge } from "./motion.js";

const buttons = (row) => [...row.querySelectorAll(".actions button")];

export const hasMenu = (row) => Boolean(row.closest(".grid")) && buttons(row).length > 0;

// The row, or the element that has been drawn in its place.
const now = (list, name) => list.querySelector(`[data-row="${CSS.escape(name)}"]`);

export function openMenu(row) {
  const list = row.closest("[data-table]");
  const name = row.dataset.row;
  const dialog = /** @type {HTMLDialogElement} */ (elements(
    `<dialog class="sheet actions-of-row"><h3 dir="auto"></h3><menu></menu></dialog>`)[0]);
  const [heading, menu] = dialog.children;
  heading.textContent = row.querySelector(".title").textContent;
  dialog.ariaLabel = heading.textContent;
  menu.append(...buttons(row).map((button, index) => entry(button, () => {
    dialog.close();
    const same = now(list, name);
    if (same) buttons(same)[index]?.click();
  })), entry(undefined, () => dialog.close()));
  const giveBack = rememberFocus(row);
  dialog.addEventListener("close", () => {
    dialog.remove();
    giveBack();
  });
  // The click that ends the long press is none in the menu.
  let isPressed = false;
  dialog.addEventListener("pointerdown", () => { isPressed = true; });
  dialog.addEventListener("click", (event) => {
    if (!isPressed && event.detail > 0) event.stopImmediatePropagation();
    else if (event.target === dialog) dialog.close();
  }, true);
  document.body.append(dialog);
  nudge();
  dialog.showModal();
}

function entry(action, act) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = !action ? "Cancel" : action.matches(".rename") ? "Rename" : action.textContent;
  button.classList.toggle("destructive", Boolean(action?.matches(".destructive")));
  if (!action) button.dataset.cancel = "";
  button.addEventListener("click", act);
  return button;
}
