// Starts the page: takes over what the server drew, and wires the user's doings to events.
import { connect, post } from "./connection.js";
import { applyPatch, adoptScreen, showAlert } from "./patch.js";
import { listenToRows } from "./rows.js";
import { listenToDrags } from "./drag.js";

const token = document.body.dataset.window;
// A reload finds this window again by its address.
history.replaceState(null, "", `/w/${token}`);
history.scrollRestoration = "manual";

adoptScreen("replace");
showAlert();
listenToRows();
listenToDrags();
connect(token, Number(document.body.dataset.sequence), applyPatch);

// Buttons of the bar, of views, of alerts and of messages.
document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const { event: name, press, choice, toast } = button.dataset;
  if (name) post({ type: name });
  else if (press) post({ type: "press", id: press });
  else if (choice) answer(button.closest("dialog"), choice);
  else if (toast) {
    post({ type: "toast", id: toast });
    button.closest(".toast").remove();
  }
});

function answer(dialog, choice) {
  const texts = [...dialog.querySelectorAll("input")].map((input) => input.value);
  post({ type: "answer", id: dialog.dataset.alert, choice, texts });
}

// Fields: Return is an event; so is leaving a field whose text has changed.
document.addEventListener("keydown", (event) => {
  const field = event.target.closest?.("input[data-field]");
  if (!field || event.key !== "Enter" || event.isComposing) return;
  event.preventDefault();
  const dialog = field.closest("dialog");
  if (dialog) dialog.querySelector("menu .default, menu button:last-child")?.click();
  else sendText("return", field);
});

document.addEventListener("focusout", (event) => {
  const field = event.target.closest?.("input[data-field]");
  if (!field || field.closest("dialog") || !field.isConnected) return;
  if (field.value !== (field.sent ?? field.defaultValue)) sendText("text", field);
});

function sendText(type, field) {
  field.sent = field.value;
  post({ type, id: field.dataset.field, text: field.value }).then((isDone) => {
    if (!isDone) field.sent = undefined;
  });
}

// Keys of the whole page. Inside a field the browser's own undo has them.
document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.target.closest?.("input, textarea, dialog")) return;
  const modifiers = [
    (event.ctrlKey || event.metaKey) && "command", event.shiftKey && "shift", event.altKey && "alternate",
  ].filter(Boolean);
  // Ctrl-Y is another name for redo.
  const isRedo = event.key === "y" && modifiers.join() === "command";
  const [text, flags] = isRedo ? ["z", ["command", "shift"]] : [event.key.toLowerCase(), modifiers];
  const keys = document.querySelector(".screen").dataset.keys.split(" ");
  if (keys.includes([...flags, text].join("+"))) {
    event.preventDefault();
    post({ type: "key", text, modifiers: flags });
  } else if (event.altKey && event.key === "ArrowLeft") {
    event.preventDefault();
    if (document.querySelector(".bar .back")) post({ type: "back" });
  }
});

document.addEventListener("cancel", (event) => {
  // Escape in an alert: the server decides what that means.
  event.preventDefault();
  if (event.target.matches("dialog")) post({ type: "answer", id: event.target.dataset.alert });
}, true);

