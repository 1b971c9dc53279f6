// Starts the page: adopts the server's markup and connects the user's actions to events.
import { markUntil } from "./ahead.js";
import { listenToComing } from "./coming.js";
import { listenToColumns, topScreen } from "./columns.js";
import { connect } from "./connection.js";
import { listenToDrags } from "./drag.js";
import { keepDrafts, keptDrafts, putDrafts } from "./drafts.js";
import { whenEditing } from "./editor.js";
import { goOn, post } from "./events.js";
import { holdsBadDay, listenToFields, sendText } from "./fields.js";
import { returnFocusFrom } from "./focus.js";
import { listenToHeadings } from "./headings.js";
import { listenToHeldKeys } from "./hold.js";
import { listenToKeys } from "./keys.js";
import { setWaiting, setWorking } from "./messages.js";
import { noteEditing } from "./others.js";
import { applyPatch, renew } from "./patch.js";
import { place, startPlaces } from "./places.js";
import { listenToPopovers } from "./popovers.js";
import { listenToPresses } from "./presses.js";
import { listenToRows } from "./rows.js";
import { adoptScreens, openAlert } from "./screens.js";
import { listenToSearch } from "./search.js";
import { listenToSwipes } from "./swipe.js";
import { listenToTabs } from "./tabs.js";
import { listenToControls } from "./controls.js";
import { listenToRoutes } from "./routes.js";
import { listenToUnsent } from "./unsent.js";
import { listenToWidth } from "./width.js";

listenToHeldKeys();
listenToColumns();
adoptScreens("replace");
openAlert();
listenToPresses();
listenToFields();
listenToHeadings();
listenToPopovers();
listenToRows();
listenToComing();
listenToDrags();
listenToSwipes();
listenToSearch();
listenToTabs();
listenToControls();
setWorking(document.body.dataset.working !== undefined);
setWaiting(document.body.dataset.waiting);
returnFocusFrom(document.getElementById("toasts"));
connect({ apply: applyPatch, renew, place });
startPlaces(document.body.dataset.place);
const drafts = keptDrafts(place());
if (drafts) putDrafts(drafts, { keepsTyped: true });
keepDrafts(place);
listenToUnsent();
goOn();
listenToRoutes();
listenToKeys();
whenEditing(noteEditing);
listenToWidth();

// Buttons in the bar, in views, in alerts and in messages.
document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  // A click beside a sheet.
  if (event.target.matches(".modal") && !event.target.inert) return void post({ type: "cancel" });
  if (!button) return;
  const { event: name, press, choice, toast } = button.dataset;
  const trace = { kind: "act", text: button.ariaLabel ?? button.textContent };
  if (holdsBadDay(button)) return;
  if (name) markUntil(post({ type: name }, { trace }), button);
  else if (press) markUntil(post({ type: "press", id: press }, { trace }), button);
  else if (choice) markUntil(answer(button.closest("dialog"), choice, button.textContent), button);
  else if (toast) {
    post({ type: "toast", id: toast }, { trace });
    button.closest(".toast").remove();
  }
});

// Sends the answer to an alert, once: the alert stays open until the server removes it.
async function answer(dialog, choice, title) {
  if (dialog.isAnswered) return;
  dialog.isAnswered = true;
  dialog.hasAnswer = true;
  const inputs = [...dialog.querySelectorAll("input")];
  const texts = inputs.map((input) => input.value);
  // Text typed from now on would not be in the answer.
  for (const input of inputs) input.readOnly = true;
  const question = dialog.querySelector("h3").textContent;
  const text = [`${question}: ${title}`, ...texts.filter((one) => one !== "")].join(", ");
  await post({ type: "answer", id: dialog.dataset.alert, choice, texts }, { trace: { kind: "act", text } });
  dialog.isAnswered = false;
  for (const input of inputs) input.readOnly = false;
}

// Escape in a sheet: the server decides its meaning.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
  if (event.target.closest?.("dialog") || !topScreen()?.closest(".modal")) return;
  event.preventDefault();
  if (event.target.matches("input[data-field]")) sendText(event.target);
  post({ type: "cancel" });
});

// Key commands of the screen. A field that has text keeps them for the browser's own undo.
document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.target.closest?.("dialog")) return;
  const field = event.target.closest?.("input:not([type=checkbox], [type=radio]), textarea");
  if (field && (field.value !== "" || field.dataset.date)) return;
  const modifiers = [
    (event.ctrlKey || event.metaKey) && "command", event.shiftKey && "shift", event.altKey && "alternate",
  ].filter(Boolean);
  // A key without the command modifier types a letter.
  if (field && !modifiers.includes("command")) return;
  // Ctrl-Y is a second shortcut for redo.
  const isRedo = event.key === "y" && modifiers.join() === "command";
  const [text, flags] = isRedo ? ["z", ["command", "shift"]] : [event.key.toLowerCase(), modifiers];
  const keys = topScreen().dataset.keys.split(" ");
  if (!keys.includes([...flags, text].join("+"))) return;
  event.preventDefault();
  post({ type: "key", text, modifiers: flags }, { trace: { kind: "act", text: [...flags, text].join("-") } });
});

document.addEventListener("cancel", (event) => {
  // Escape in an alert: the server decides its meaning.
  if (!event.target.closest?.("#alerts")) return;
  event.preventDefault();
  event.target.hasAnswer = true;
  if (event.target.matches("dialog")) post({ type: "answer", id: event.target.dataset.alert });
}, true);

// What was pressed before all this was here.
window.carryOutEarlyActs?.();
