// The page's window on the server, and the connection that brings its messages. Messages are
// numbered: the page ignores one that it already has, and after a gap requests the whole state.
//
// A window that the server no longer has, because the server was restarted or the window expired,
// is renewed: the server makes another one at the same place.
import { openLine } from "./line.js";
import { hideNotice, showNotice } from "./messages.js";
import { headers, useSession } from "./session.js";

let page, token, last, closeLine, options, retry;
let failures = 0;
// True from a failed attempt to reach the server until the next success.
let isLost = false;
let waiting = 0;
const reached = [];
const losses = [];
const renewals = [];

// The longest wait in milliseconds for the answer to a request that needs no work.
const patience = 5000;

// Connects the page. `started.apply` carries out the operations of a message, `started.place`
// returns the place that the address names, and `started.renew` adopts a renewed window.
export function connect(started) {
  options = started;
  take(document.body.dataset);
  open();
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      say("hidden");
      // A hidden page does not listen: the messages come when it is shown again.
      close();
    } else {
      again();
    }
  });
  // A script that suspects the page to be wrong dispatches this event to get the whole state.
  addEventListener("resynchronize", () => {
    last = -1;
    open();
  });
  // The browser's network events are only a reason to try: a server on this machine needs no
  // network.
  addEventListener("online", again);
  addEventListener("offline", again);
  addEventListener("pagehide", () => {
    say("closing");
    close();
  });
  addEventListener("pageshow", (event) => event.persisted && again());
  useSession();
}

// True while the server is not reached.
export const isAway = () => isLost;
export const windowToken = () => token;
// The number of this page among those that have shown the window.
export const pageNumber = () => page;

/** @param {{ window?: string, sequence?: string | number, page?: string | number }} opened */
function take({ window, sequence, page: number }) {
  token = window;
  last = Number(sequence);
  page = Number(number);
  Object.assign(document.body.dataset, { window, sequence, page: number });
}

// Sends a notice about the page itself, which may end before an answer comes.
function say(type) {
  fetch(`/w/${token}/events`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ type, page }),
    keepalive: true,
    // Ignored: the window saves by itself when its page is gone.
  }).catch(() => {});
}

// MARK: Messages

function close() {
  clearTimeout(retry);
  closeLine?.();
  closeLine = undefined;
}

function open() {
  close();
  closeLine = openLine(token, last, {
    opened: () => {
      failures = 0;
      setConnected(true);
    },
    message: (number, text) => receive(number, JSON.parse(text)),
    replaced: () => {
      close();
      setConnected(false);
      showNotice("This window is open in another tab.", "Use it here", open);
    },
    lost,
  });
}

function receive(sequence, operations) {
  const isWhole = operations[0]?.op === "sync";
  if (!isWhole && sequence <= last) return;
  if (!isWhole && sequence !== last + 1) {
    last = -1;
    return open();
  }
  last = sequence;
  document.body.dataset.sequence = sequence;
  options.apply(operations);
}

// MARK: Coming back

// Reports that an event got no answer. The connection may be sound all the same; if there is none,
// it is lost.
export function doubt() {
  if (!closeLine) lost();
}

// Reports the loss and schedules the next attempt: soon at first, then about every two seconds,
// with a random part, because all pages lose the server at the same moment.
function lost() {
  close();
  setConnected(false);
  for (const act of losses) act();
  failures += 1;
  const wait = Math.min(2000, 150 * 1.6 ** failures) * (0.75 + Math.random() / 4);
  if (failures > 1 || !navigator.onLine) showState();
  retry = setTimeout(again, wait);
}

// Sets the number of events that wait to be sent.
export function noteWaiting(count) {
  waiting = count;
  if (isLost && failures > 1) showState();
}

function showState() {
  const state = navigator.onLine ? "Connecting again…" : "You are offline.";
  const things = waiting === 1 ? "1 thing that you did waits" : `${waiting} things that you did wait`;
  showNotice(waiting > 0 ? `${state} ${things} to be sent.` : state, "Try now", again);
}

let looking;

// Checks that the window exists and connects; only one check runs at a time.
function again() {
  looking ??= look().finally(() => { looking = undefined; });
  return looking;
}

async function look() {
  clearTimeout(retry);
  if (document.hidden) return;
  try {
    const answer = await fetch(`/w/${token}/alive`, { signal: AbortSignal.timeout(patience) });
    if (answer.ok) return open();
    if (answer.status === 404) return await renew();
  } catch {
    // No answer: the server is still away.
  }
  lost();
}

let renewal;

// Requests a new window at the place of this one; the page continues with it.
export function renew() {
  renewal ??= makeAnew().finally(() => { renewal = undefined; });
  return renewal;
}

async function makeAnew() {
  close();
  const answer = await fetch("/w", {
    method: "POST",
    headers: headers(),
    body: JSON.stringify({ place: options.place(), width: innerWidth }),
    signal: AbortSignal.timeout(4 * patience),
  });
  if (answer.ok) {
    const fresh = await answer.json();
    take(fresh);
    options.renew(fresh.operations);
    for (const act of renewals) act();
    return open();
  }
  setConnected(false);
  showNotice(await answer.text(), "Try again", again);
  if (answer.status === 503) retry = setTimeout(again, 3000);
}

// Adds a function to call when the server is found to be away.
export function whenLost(act) { losses.push(act); }

// Adds a function to call when a new window has replaced one that is gone.
export function whenRenewed(act) { renewals.push(act); }

// Resolves at once if the server is there, otherwise when it is reached again.
export function whenReached() {
  return isLost ? new Promise((resolve) => { reached.push(resolve); }) : Promise.resolve();
}

function setConnected(isConnected) {
  document.body.dataset.connected = isConnected;
  isLost = !isConnected;
  if (!isConnected) return;
  hideNotice();
  for (const resolve of reached.splice(0)) resolve();
}
