// Switches, steppers, sliders and segmented controls: sends the values that the user sets.
import { markUntil } from "./ahead.js";
import { post } from "./events.js";

export function listenToControls() {
  document.addEventListener("change", ({ target }) => {
    const id = target.dataset?.value;
    if (!id) return;
    if (target.type === "radio") return void choose(target);
    const text = target.type === "checkbox" ? String(target.checked) : target.value;
    const trace = { kind: "act", text: `${target.ariaLabel ?? target.closest("label")?.textContent ?? ""}: ${text}` };
    const answer = post({ type: "value", id, text }, { trace });
    markUntil(answer, target.closest(".row") ?? target);
    answer.then((isDone) => {
      if (!isDone && target.type === "checkbox") target.checked = !target.checked;
    });
  });
  document.addEventListener("input", ({ target }) => {
    if (target.matches?.("input[type=range][data-continuous]")) slide(target);
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("button[data-step]");
    const trace = { kind: "act", text: button?.ariaLabel ?? button?.textContent };
    if (!button) return;
    const answer = post({ type: "value", id: button.dataset.value, text: button.dataset.step }, { trace });
    markUntil(answer, button.closest(".row") ?? button);
  });
  document.addEventListener("dblclick", editTitle);
  // Gives the editor's field the class names of the text field that it represents.
  document.addEventListener("focusin", ({ target }) => {
    const names = target.closest?.(".row.editing")?.dataset.editor;
    if (names && target.matches("input:not([type])")) target.classList.add(...names.split(" "));
  });
}

// MARK: Radio buttons

// The choices that the user has made, by the name of their group. A group that is redrawn shows them
// already; in a window that is made anew they must be made again.
const chosen = new Set();
const radiosOf = (layer) => [...layer.querySelectorAll("[role=radiogroup] input")];
const nameOf = (radio) => ({
  label: radio.closest("[role=radiogroup]").ariaLabel ?? "", text: radio.closest("label").textContent,
});

function choose(radio) {
  chosen.add(radio.name);
  const { label, text } = nameOf(radio);
  return post({ type: "value", id: radio.dataset.value, text: radio.value }, { trace: { kind: "act", text: `${label}: ${text}` } });
}

// The labels and texts of the choices that the user has made in an element.
export const chosenIn = (layer) =>
  radiosOf(layer).filter((radio) => radio.checked && chosen.has(radio.name)).map(nameOf);

// Makes a choice again. False if there is none of its name.
export function putChoice(layer, choice) {
  const isIt = (radio) => nameOf(radio).label === choice.label && nameOf(radio).text === choice.text;
  const radio = radiosOf(layer).find(isIt);
  if (!radio || radio.disabled) return false;
  if (radio.checked) return true;
  radio.checked = true;
  choose(radio);
  return true;
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
