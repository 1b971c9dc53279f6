// Text fields and date pickers: sends the text that the user types, and shows the server's text
// unless the user has typed since.
//
// A field's `sent` is the last text that went to the server or came from it; until then the text
// that the field was drawn with counts.
import { showComing } from "./coming.js";
import { handOver, post } from "./events.js";
import { focusScreen } from "./focus.js";
import { showToast } from "./messages.js";
import { place } from "./places.js";

const textFields = "input[data-field]";
const formFields = "input[data-field]:not([type=search], [data-clears]), input[data-date], input[type=radio]";
// The lines and the letters of an event that adds several lines.
const [most, mostLetters] = [500, 50_000];
const known = (field) => field.sent ?? field.defaultValue;

export function listenToFields() {
  document.addEventListener("keydown", pressReturn);
  document.addEventListener("paste", pasteLines);
  document.addEventListener("focusout", ({ target }) => {
    if (!target.closest?.("dialog") && target.isConnected) leave(target);
  });
  document.addEventListener("focusin", ({ target }) => {
    if (target.matches?.("input[data-date]")) noteDay(target);
  });
  document.addEventListener("input", ({ target }) => {
    if (target.matches?.("input[data-date][aria-invalid]") && isDay(target)) forgetProblem(target);
    // No store keeps NUL, which comes with pasted texts only.
    if (target.value?.includes("\0")) target.value = target.value.replaceAll("\0", "");
    if (target.matches?.("input[data-live]")) sendTyped(target);
  });
  document.addEventListener("change", ({ target }) => {
    if (target.matches?.("input[data-date]")) sendDate(target);
  });
}

// Ends the typing in a field.
function leave(field) {
  if (field.matches(textFields)) sendText(field);
  // A date picker never stays empty; a form that is saved by a button keeps what is no day until then.
  if (!field.matches("input[data-date]") || isDay(field)) return;
  if (saveButton(field)) return showProblem(field);
  showToast("That is no day: the one before stays");
  field.value = field.before ?? known(field);
  sendDate(field);
}

// Remembers the day before typing: each valid day on the way to another one is sent.
function noteDay(field) {
  if (field.value) field.before = field.value;
}

const saveButton = (field) => field.closest(".screen")?.querySelector(".bar .done");

// Whether a date beside a screen's emphasised button is no day: then the button does nothing, and the
// field says why.
export function holdsBadDay(button) {
  if (!button.matches(".bar .done")) return false;
  const dates = [...button.closest(".screen").querySelectorAll("input[data-date]:enabled")];
  const field = dates.find((date) => !isDay(date));
  if (!field) return false;
  showProblem(field);
  field.focus();
  return true;
}

// A field whose parts were emptied has no value, and one with impossible parts neither.
const isDay = (field) => field.value !== "";

const problemOf = (field) => document.getElementById(`problem-${field.dataset.date}`);

// Says at a field that its text is no day, until it is one.
function showProblem(field) {
  if (problemOf(field)) return;
  const text = document.createElement("p");
  text.id = `problem-${field.dataset.date}`;
  text.className = "footnote problem";
  text.setAttribute("role", "alert");
  field.ariaInvalid = "true";
  field.setAttribute("aria-describedby", text.id);
  (field.closest("section") ?? field.parentElement).append(text);
  text.textContent = `${field.ariaLabel}: that is no ${field.type === "time" ? "time" : "day"}.`;
}

function forgetProblem(field) {
  problemOf(field)?.remove();
  field.ariaInvalid = null;
  field.removeAttribute("aria-describedby");
}

function pressReturn(event) {
  if (event.isComposing || event.defaultPrevented) return;
  // Escape leaves a field that stands in a screen; its text stays.
  if (event.key === "Escape" && event.target.matches?.("input[data-clears]") && !event.target.closest(".modal, dialog")) {
    event.target.blur();
    return focusScreen();
  }
  if (event.key !== "Enter") return;
  // As in every form, Return in a field of a sheet is its emphasised button.
  const button = event.target.matches?.(formFields)
    && event.target.closest(".modal .screen")?.querySelector(".bar .done:enabled");
  if (button) {
    event.preventDefault();
    leave(event.target);
    return void button.click();
  }
  const field = event.target.closest?.(textFields);
  if (!field) return;
  event.preventDefault();
  const dialog = field.closest("dialog");
  if (dialog) dialog.querySelector("menu .default, menu button:last-child")?.click();
  else if (field.dataset.clears !== undefined) addTyped(field);
  else sendReturn(field);
}

// The trace of text to be added, for the case that it cannot be sent.
const traceOf = (field, text) => ({ kind: "add", label: field.ariaLabel, text, place: place() });

// Sends the text of a field that Return empties, and empties the field at once: the user may type
// on before the answer comes.
function addTyped(field) {
  const text = field.value;
  empty(field);
  return add(field, text);
}

function empty(field) {
  field.value = "";
  field.sent = "";
  field.hasTyped = false;
}

// Adds a text, or each line of one.
export async function add(field, text) {
  const trace = traceOf(field, text);
  const lines = text.split("\n");
  // More do not fit into a window.
  const ends = lines.slice(0, 20).map((line) => showComing(field, line));
  const texts = lines.length > 1 ? lines : undefined;
  const isDone = await post({ type: "return", id: field.dataset.field, text: lines[0], texts }, { trace });
  for (const end of ends) end(isDone);
  if (isDone !== false) return isDone;
  // Refused, and the reason was shown: the typed text returns to the field for correction. The
  // field's element may have been replaced.
  const now = field.isConnected ? field : document.querySelector("#app > :last-child input[data-clears]");
  if (now && now.value === "" && !texts) now.value = text;
  else handOver([{ trace }]);
  return false;
}

// Pasting several lines into a field that Return empties adds each line.
function pasteLines(event) {
  const field = event.target.closest?.("input[data-clears]");
  const text = event.clipboardData?.getData("text/plain") ?? "";
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== "");
  if (!field || lines.length < 2) return;
  event.preventDefault();
  field.setRangeText(lines[0], field.selectionStart, field.selectionEnd, "end");
  lines[0] = field.value;
  for (const part of parts(lines)) {
    empty(field);
    add(field, part);
  }
}

// Lines in texts that each fit into one event.
function parts(lines) {
  const texts = [];
  let count = most;
  for (const line of lines) {
    if (count === most || texts.at(-1).length + line.length > mostLetters) {
      texts.push(line);
      count = 1;
    } else {
      texts.push(`${texts.pop()}\n${line}`);
      count += 1;
    }
  }
  return texts;
}

// MARK: Return, before the page knows that it empties the field

// Sends Return with the field's text. If the answer says that the server emptied the field, later
// Returns keep only the text typed after the earlier one; the answer comes before the next event is
// sent.
function sendReturn(field) {
  const entry = { text: field.value, event: { type: "return", id: field.dataset.field, text: field.value } };
  const before = field.sent;
  field.sent = field.value;
  (field.returns ??= []).push(entry);
  post(entry.event, {
    trace: traceOf(field, field.value),
    answered: (isDone, isEmptied) => {
      if (isEmptied && field.returns.includes(entry)) wasEmptied(field);
      else field.returns = field.returns.filter((other) => other !== entry);
      if (!isDone) field.sent = before;
    },
  });
}

function wasEmptied(field) {
  const returns = field.returns ?? [];
  field.returns = [];
  field.dataset.clears = "";
  for (const [index, { event, text }] of returns.entries()) {
    if (index > 0) event.text = without(text, returns[index - 1].text);
  }
  const last = returns.at(-1);
  if (!last) return;
  field.value = without(field.value, last.text);
  field.sent = "";
}

const without = (text, beginning) => (text.startsWith(beginning) ? text.slice(beginning.length) : text);

// MARK: Text of fields

// Sends the text of a field that the user leaves, if it has changed.
export function sendText(field) {
  if (field.value !== known(field) || field.hasTyped) send("text", field);
  field.hasTyped = false;
}

function send(type, field) {
  const before = field.sent;
  field.sent = field.value;
  field.underway = (field.underway ?? 0) + 1;
  return post({ type, id: field.dataset.field, text: field.value }).then((isDone) => {
    field.underway -= 1;
    if (!isDone) field.sent = before;
    return isDone;
  });
}

// Sends typed text; while one is being sent, only the latest of the following texts is kept.
export async function sendTyped(field) {
  field.hasTyped = true;
  if (field.isOnItsWay) return;
  field.isOnItsWay = true;
  await send("type", field);
  field.isOnItsWay = false;
  if (field.isConnected && field.hasTyped && field.value !== field.sent) sendTyped(field);
}

export function sendDate(field) {
  if (!field.value || field.value === known(field)) return;
  field.sent = field.value;
  post({ type: "date", id: field.dataset.date, text: field.value });
}

// Shows the server's text. It replaces only text that the server already has; text typed since
// stays.
export function setText(field, text, clears) {
  if (clears && text === "" && field.returns?.length > 0) wasEmptied(field);
  if (clears) field.dataset.clears = "";
  // The answer to an earlier Return: what was typed after it is on its way.
  if (clears && text === "" && field.underway > 0) return;
  const before = known(field);
  field.defaultValue = text;
  if (document.activeElement !== field || field.value === before) field.value = text;
  else if (text === "" && field.value.startsWith(before)) field.value = field.value.slice(before.length);
  field.sent = text;
}

// Gives a control the keyboard: a field with its text selected in a sheet, whose fields are filled
// anew, else with the caret at the end.
export function focusField(field) {
  field?.focus();
  if (!field?.dataset.field) return;
  const start = field.closest(".modal") ? 0 : field.value.length;
  field.setSelectionRange(start, field.value.length);
}

// The typed and unsent texts of the fields in an element.
export function typedIn(element) {
  return [...element.querySelectorAll(textFields)]
    .filter((field) => field.value !== "" && field.value !== known(field)).map(({ value }) => value);
}

// Keeps typed text across a redraw. Returns a function that restores text, focus and caret of the
// fields of `old` in `fresh`; undefined if there is nothing to keep.
export function keepTyped(old) {
  const inputs = [...old.querySelectorAll("input[data-field], input[data-date]")];
  const focused = inputs.find((input) => input === document.activeElement);
  const isInAlert = Boolean(old.closest("dialog"));
  const dirty = inputs.filter((input) => isInAlert || input.isOnItsWay || input.value !== known(input));
  if (!focused && dirty.length === 0) return undefined;
  const twin = (input, fresh) => [...fresh.querySelectorAll("input")].find(
    ({ dataset }) => dataset.field === input.dataset.field && dataset.date === input.dataset.date);
  return (fresh) => {
    for (const input of dirty) {
      const other = twin(input, fresh);
      if (!other || other.value === input.value) continue;
      other.value = input.value;
      // Unsent text: the new field sends it.
      if (other.matches("[data-live]")) sendTyped(other);
    }
    const other = focused && twin(focused, fresh);
    other?.focus({ preventScroll: true });
    // A date picker has no caret.
    if (other?.dataset.field) other.setSelectionRange(focused.selectionStart, focused.selectionEnd);
  };
}
