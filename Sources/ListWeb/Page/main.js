// Starts the page: takes over what the server drew, and wires the user's doings to events.
import { connect } from "./connection.js";
import { listenToDrags } from "./drag.js";
import { keepDrafts, keptDrafts, putDrafts } from "./drafts.js";
import { goOn, post } from "./events.js";
import { listenToFields, sendText } from "./fields.js";
import { returnFocusFrom } from "./focus.js";
import { listenToHeadings } from "./headings.js";
import { listenToHeldKeys } from "./hold.js";
import { setWaiting, setWorking } from "./messages.js";
import { applyPatch, renew } from "./patch.js";
import { place, startPlaces } from "./places.js";
import { listenToPopovers } from "./popovers.js";
import { listenToPresses } from "./presses.js";
import { listenToRows } from "./rows.js";
import { adoptScreens, openAlert, topScreen } from "./screens.js";
import { listenToSearch } from "./search.js";
import { listenToTabs } from "./tabs.js";
import { listenToControls } from "./controls.js";
import { listenToRoutes } from "./routes.js";
import { listenToUnsent } from "./unsent.js";

listenToHeldKeys();
adoptScreens("replace");
openAlert();
listenToPresses();
listenToFields();
listenToHeadings();
listenToPopovers();
listenToRows();
listenToDrags();
listenToSearch();
listenToTabs();
listenToControls();
setWorking(document.body.dataset.working !== undefined);
setWaiting(document.body.dataset.waiting);
returnFocusFrom(document.getElementById("toasts"));
connect({ apply: applyPatch, renew, place });
startPlaces(document.body.dataset.place);
const drafts = keptDrafts(place());
if (drafts) putDrafts(drafts);
keepDrafts(place);
listenToUnsent();
goOn();
listenToRoutes();

// Buttons of the bar, of views, of alerts and of messages.
document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  // Beside a sheet.
  if (event.target.matches(".modal") && !event.target.inert) return void post({ type: "cancel" });
  if (!button) return;
  const { event: name, press, choice, toast } = button.dataset;
  const trace = { kind: "act", text: button.ariaLabel ?? button.textContent };
  if (name) post({ type: name }, { trace });
  else if (press) post({ type: "press", id: press }, { trace });
  else if (choice) answer(button.closest("dialog"), choice, button.textContent);
  else if (toast) {
    post({ type: "toast", id: toast }, { trace });
    button.closest(".toast").remove();
  }
});

// Once: while the answer is on its way the question still stands there.
async function answer(dialog, choice, title) {
  if (dialog.isAnswered) return;
  dialog.isAnswered = true;
  const inputs = [...dialog.querySelectorAll("input")];
  const texts = inputs.map((input) => input.value);
  // What would be typed now is not in the answer.
  for (const input of inputs) input.readOnly = true;
  const question = dialog.querySelector("h3").textContent;
  const text = [`${question}: ${title}`, ...texts.filter((one) => one !== "")].join(", ");
  await post({ type: "answer", id: dialog.dataset.alert, choice, texts }, { trace: { kind: "act", text } });
  dialog.isAnswered = false;
  for (const input of inputs) input.readOnly = false;
}

// Escape in a sheet: the server decides what that means.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
  if (event.target.closest?.("dialog") || !topScreen()?.closest(".modal")) return;
  event.preventDefault();
  if (event.target.matches("input[data-field]")) sendText(event.target);
  post({ type: "cancel" });
});

// Keys of the whole page. Inside a field the browser's own undo has them, while there is a text.
document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.target.closest?.("dialog")) return;
  const field = event.target.closest?.("input, textarea");
  if (field && (field.value !== "" || field.dataset.date)) return;
  const modifiers = [
    (event.ctrlKey || event.metaKey) && "command", event.shiftKey && "shift", event.altKey && "alternate",
  ].filter(Boolean);
  // Without a modifier a key is a letter that is typed.
  if (field && !modifiers.includes("command")) return;
  // Ctrl-Y is another name for redo.
  const isRedo = event.key === "y" && modifiers.join() === "command";
  const [text, flags] = isRedo ? ["z", ["command", "shift"]] : [event.key.toLowerCase(), modifiers];
  const keys = topScreen().dataset.keys.split(" ");
  if (!keys.includes([...flags, text].join("+"))) return;
  event.preventDefault();
  post({ type: "key", text, modifiers: flags }, { trace: { kind: "act", text: [...flags, text].join("-") } });
});

document.addEventListener("cancel", (event) => {
  // Escape in an alert: the server decides what that means.
  event.preventDefault();
  if (event.target.matches("dialog")) post({ type: "answer", id: event.target.dataset.alert });
}, true);
