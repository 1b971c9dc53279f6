// What the page says by itself: short messages, a line for screen readers, that work goes on, and a
// notice while the server is away.

export function showToast(text, id, title) {
  const toast = makeToast(text.length > 2000 ? `${text.slice(0, 2000)}…` : text);
  if (id) {
    const button = addButton(toast, title);
    button.dataset.toast = id;
  }
  list(toast);
  // Nothing is taken away while it is read or about to be pressed.
  const leave = () => (toast.matches(":hover, :focus-within") ? wait() : toast.remove());
  const wait = () => setTimeout(leave, 7000);
  wait();
}

// What somebody typed and what it was meant for is gone: it stays until it is put away.
export function showTyped(text, typed) {
  const toast = makeToast(`${text} You typed: ${typed.join(" · ")}`);
  toast.dataset.kept = "";
  addButton(toast, "Close").addEventListener("click", () => toast.remove());
  list(toast);
}

function makeToast(text) {
  const toast = document.createElement("div");
  toast.className = "toast";
  const line = document.createElement("span");
  line.dir = "auto";
  line.textContent = text;
  toast.append(line);
  return toast;
}

function addButton(toast, title) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = title;
  toast.append(button);
  return button;
}

// Shows a message, and no more than two besides those that are kept.
function list(toast) {
  const toasts = document.getElementById("toasts");
  const text = toast.firstChild.textContent;
  // The same message again takes the place of the one before.
  for (const old of [...toasts.children]) if (old.firstChild.textContent === text) old.remove();
  toasts.append(toast);
  const passing = [...toasts.children].filter(({ dataset }) => dataset.kept === undefined);
  for (const old of passing.slice(0, -2)) old.remove();
}

// All else lies under the backdrop of an alert, and cannot be pressed: messages come along into it.
export function keepAbove(dialog) {
  (dialog ?? document.body).append(
    document.getElementById("toasts"), document.getElementById("connection"));
}

// The same words twice are read twice.
export function announce(text) {
  const line = document.getElementById("status");
  line.textContent = line.textContent === text ? `${text}\u00a0` : text;
}

// MARK: The notice

export function showNotice(text, button, act) {
  const notice = document.getElementById("connection");
  notice.querySelector("span").textContent = text;
  const action = notice.querySelector("button");
  action.textContent = button ?? "";
  action.hidden = !button;
  action.onclick = act ?? null;
  notice.hidden = false;
}

// What is said of the connection comes first; what everything waits for is said again after it.
export function hideNotice() {
  document.getElementById("connection").hidden = true;
  if (waiting) showNotice(waiting);
}

let waiting;

// What everything waits for, such as another program; nothing when it has ended.
export function setWaiting(text) {
  const isOver = waiting && !text;
  waiting = text;
  if (isOver || text) hideNotice();
}

// MARK: Work that goes on

// How long an answer may take before the page shows that it is waited for.
const patience = 250;
const works = new Set();
let timer;

// Work begins; the function that it returns ends it.
export function beginWork() {
  const work = {};
  works.add(work);
  timer ??= setTimeout(() => showWork(works.size > 0), patience);
  return () => {
    works.delete(work);
    if (works.size > 0) return;
    clearTimeout(timer);
    timer = undefined;
    showWork(false);
  };
}

let endServersWork;

// What goes on at the server after it has answered.
export function setWorking(isWorking) {
  if (isWorking) endServersWork ??= beginWork();
  else endServersWork?.();
  if (!isWorking) endServersWork = undefined;
}

function showWork(isOn) {
  document.getElementById("progress").hidden = !isOn;
  document.getElementById("app").setAttribute("aria-busy", isOn);
}
