// The palette: every act of the screen and every row that the page holds, by name. A combobox over
// a list, after the ARIA Authoring Practices.
import { acts, matching, searchField } from "./acts.js";
import { elements } from "./elements.js";

const most = 50;
let dialog, field, list, empty;
let shown = [];
let chosen = 0;

export function openPalette() {
  if (!dialog) make();
  field.value = "";
  document.body.append(dialog);
  dialog.showModal();
  show();
  return true;
}

function make() {
  [dialog] = elements(`<dialog class="palette" aria-label="Do or open">
    <input type="text" role="combobox" aria-label="Do or open" placeholder="Do or open…" aria-autocomplete="list"
      aria-expanded="true" aria-controls="palette-list" autocomplete="off" spellcheck="false" dir="auto">
    <ul id="palette-list" role="listbox" aria-label="What can be done"></ul><p role="status"></p></dialog>`);
  [field, list, empty] = dialog.children;
  field.addEventListener("input", show);
  field.addEventListener("keydown", press);
  // The event comes late: the palette may be open again.
  dialog.addEventListener("close", () => { if (!dialog.open) dialog.remove(); });
  dialog.addEventListener("click", (event) => {
    const option = event.target.closest("li");
    if (option) run([...list.children].indexOf(option));
    else if (event.target === dialog) dialog.close();
  });
}

function show() {
  const text = field.value.trim();
  shown = matching(text, acts()).slice(0, most);
  if (text && searchField()) shown.push({ name: `Search for “${text}”`, kind: "act", keys: "", run: () => search(text) });
  chosen = 0;
  list.replaceChildren(...shown.map(option));
  empty.textContent = shown.length > 0 ? "" : `Nothing here is called “${text}”.`;
  mark();
}

function option({ name, kind, keys }, index) {
  const item = document.createElement("li");
  item.id = `palette-${index}`;
  item.setAttribute("role", "option");
  const title = item.appendChild(document.createElement("span"));
  title.dir = "auto";
  title.textContent = name;
  item.classList.toggle("row-name", kind === "row");
  if (keys) item.appendChild(document.createElement("kbd")).textContent = keys;
  return item;
}

function mark() {
  for (const [index, item] of [...list.children].entries()) item.ariaSelected = String(index === chosen);
  const item = list.children[chosen];
  if (item) field.setAttribute("aria-activedescendant", item.id);
  else field.removeAttribute("aria-activedescendant");
  item?.scrollIntoView({ block: "nearest" });
}

function press(event) {
  if (event.isComposing) return;
  const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
  if (step && shown.length > 0) {
    chosen = Math.abs(step) === 1
      ? (chosen + step + shown.length) % shown.length
      : Math.max(0, Math.min(shown.length - 1, chosen + step));
    mark();
  } else if (event.key === "Enter") run(chosen);
  else return;
  event.preventDefault();
}

function run(index) {
  const act = shown[index];
  if (!act) return;
  dialog.close();
  act.run();
}

function search(text) {
  const input = searchField();
  if (!input) return;
  input.focus();
  input.value = text;
  input.dispatchEvent(new InputEvent("input", { bubbles: true, data: text }));
}
