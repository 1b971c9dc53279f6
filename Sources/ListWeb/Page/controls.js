// Switches, steppers, sliders and segmented controls: sends the values that the user sets.
import { post } from "./events.js";

export function listenToControls() {
  document.addEventListener("change", ({ target }) => {
    const id = target.dataset?.value;
    if (!id) return;
    const text = target.type === "checkbox" ? String(target.checked) : target.value;
    const trace = { kind: "act", text: `${target.ariaLabel ?? target.closest("label")?.textContent ?? ""}: ${text}` };
    post({ type: "value", id, text }, { trace }).then((isDone) => {
      if (!isDone && target.type === "checkbox") target.checked = !target.checked;
    });
  });
  document.addEventListener("input", ({ target }) => {
    if (target.matches?.("input[type=range][data-continuous]")) slide(target);
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("button[data-step]");
    const trace = { kind: "act", text: button?.ariaLabel ?? button?.textContent };
    if (button) post({ type: "value", id: button.dataset.value, text: button.dataset.step }, { trace });
  });
  document.addEventListener("dblclick", editTitle);
  // Gives the editor's field the class names of the text field that it represents.
  document.addEventListener("focusin", ({ target }) => {
    const names = target.closest?.(".row.editing")?.dataset.editor;
    if (names && target.matches("input:not([type])")) target.classList.add(...names.split(" "));
  });
}

// Sends a slider's value; while one is being sent, only the latest of the following values is kept.
async function slide(range) {
  range.waiting = range.value;
  if (range.isOnItsWay) return;
  range.isOnItsWay = true;
  while (range.waiting !== undefined) {
    const text = range.waiting;
    range.waiting = undefined;
    await post({ type: "slide", id: range.dataset.value, text });
  }
  range.isOnItsWay = false;
}

// A double click on an editable title of a row that cannot be selected edits it.
function editTitle(event) {
  const row = event.target.closest?.(".title") && event.target.closest(".row[data-editable]");
  if (!row || row.closest(".selectable")) return;
  row.dispatchEvent(new KeyboardEvent("keydown", { key: "F2", bubbles: true }));
}
