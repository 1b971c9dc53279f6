// Messages of the page: toasts, the status line for screen readers, the progress bar, and the
// notice while the server is away.

export function showToast(text, id, title) {
  const toast = makeToast(text.length > 2000 ? `${text.slice(0, 2000)}…` : text);
  if (id) {
    const button = addButton(toast, title);
    button.dataset.toast = id;
  }
  list(toast);
  // A toast stays while the pointer or the focus is on it.
  const leave = () => (toast.matches(":hover, :focus-within") ? wait() : toast.remove());
  const wait = () => setTimeout(leave, 7000);
  wait();
}

// Shows typed texts whose field is gone; the toast stays until the user closes it, and collects what
// is lost for the same reason.
export function showTyped(text, typed) {
  const toasts = [...document.getElementById("toasts").children];
  const given = toasts.flatMap(({ dataset }) => JSON.parse(dataset.typed ?? "[]"));
  // The page and the server may both find that the place of a text is gone.
  if (typed.every((one) => given.includes(one))) return;
  const known = toasts.find(({ dataset }) => dataset.kept === text);
  if (known) {
    known.firstChild.textContent += ` · ${typed.join(" · ")}`;
    known.dataset.typed = JSON.stringify([...JSON.parse(known.dataset.typed), ...typed]);
    return;
  }
  const toast = makeToast(`${text} You typed: ${typed.join(" · ")}`);
  toast.dataset.kept = text;
  toast.dataset.typed = JSON.stringify(typed);
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

// Shows a toast. At most two remain, besides those that the user must close.
function list(toast) {
  const toasts = document.getElementById("toasts");
  const text = toast.firstChild.textContent;
  // An equal message replaces the earlier one.
  for (const old of [...toasts.children]) if (old.firstChild.textContent === text) old.remove();
  toasts.append(toast);
  const passing = [...toasts.children].filter(({ dataset }) => dataset.kept === undefined);
  for (const old of passing.slice(0, -2)) old.remove();
}

// Moves the messages into an alert, whose backdrop would cover them and make them unusable;
// undefined moves them back.
export function keepAbove(dialog) {
  (dialog ?? document.body).append(
    document.getElementById("toasts"), document.getElementById("connection"));
}

// Announces a text to screen readers. A trailing no-break space makes them read an equal text
// again.
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

// Hides the connection notice, which has priority; a notice about work that all windows wait for
// comes back.
export function hideNotice() {
  document.getElementById("connection").hidden = true;
  if (waiting) showNotice(waiting);
}

let waiting;

// Sets the notice about the work that all windows wait for, such as another program's; undefined
// ends it.
export function setWaiting(text) {
  const isOver = waiting && !text;
  waiting = text;
  if (isOver || text) hideNotice();
}

// MARK: Work that goes on

// The time in milliseconds until the page shows that it waits.
const patience = 250;
const works = new Set();
let timer;

// Begins a piece of work; returns a function that ends it.
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

// Shows or ends the work that continues on the server after its answer.
export function setWorking(isWorking) {
  if (isWorking) endServersWork ??= beginWork();
  else endServersWork?.();
  if (!isWorking) endServersWork = undefined;
}

function showWork(isOn) {
  document.getElementById("progress").hidden = !isOn;
  document.getElementById("app").setAttribute("aria-busy", isOn);
}
