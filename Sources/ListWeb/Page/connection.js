// The window of this page, and the line to it. Messages are numbered: one that was seen is ignored, and
// after a gap the server is asked for the whole state.
//
// A window that the server no longer has, because it was started anew or nobody looked for long, is
// made again from its place.
import { openLine } from "./line.js";
import { hideNotice, showNotice } from "./messages.js";

let page, token, last, closeLine, options, retry;
let failures = 0;
// The server was not reached when it was last tried.
let isLost = false;
let waiting = 0;
const reached = [];
const losses = [];
const renewals = [];

// How long an answer to a question without work may take.
const patience = 5000;

// `apply` carries out the operations of a message, `place` says what the address says, and `renew`
// takes over a window that was made again.
export function connect(started) {
  options = started;
  take(document.body.dataset);
  open();
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      say("hidden");
      // A hidden page needs no messages: it gets them when it is seen again.
      close();
    } else {
      again();
    }
  });
  // Whoever doubts that the page is right can have it anew.
  addEventListener("resynchronize", () => {
    last = -1;
    open();
  });
  // What the browser says of its network is a reason to look: a server on this machine is there without
  // one.
  addEventListener("online", again);
  addEventListener("offline", again);
  addEventListener("pagehide", () => {
    say("closing");
    close();
  });
  addEventListener("pageshow", (event) => event.persisted && again());
}

export const windowToken = () => token;
// Counts the pages that have shown this window.
export const pageNumber = () => page;

function take({ window, sequence, page: number }) {
  token = window;
  last = Number(sequence);
  page = Number(number);
  Object.assign(document.body.dataset, { window, sequence, page: number });
}

// Of the page itself, which may end before an answer comes.
function say(type) {
  fetch(`/w/${token}/events`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ type, page }),
    keepalive: true,
    // The window saves by itself when its page is gone.
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

// An event was not answered. The line may be sound all the same; without one, that is to be seen.
export function doubt() {
  if (!closeLine) lost();
}

// Soon at first, then once in about two seconds, at moments of its own: all pages lose their server
// at the same time.
function lost() {
  close();
  setConnected(false);
  for (const act of losses) act();
  failures += 1;
  const wait = Math.min(2000, 150 * 1.6 ** failures) * (0.75 + Math.random() / 4);
  if (failures > 1 || !navigator.onLine) showState();
  retry = setTimeout(again, wait);
}

// How many events wait to be sent.
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

// Looks whether the window is there, and opens the line.
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

// Asks for a window at the place of this one; the page goes on with it.
export function renew() {
  renewal ??= makeAnew().finally(() => { renewal = undefined; });
  return renewal;
}

async function makeAnew() {
  close();
  const answer = await fetch("/w", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ place: options.place() }),
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

// Called when the server turns out to be away.
export function whenLost(act) { losses.push(act); }

// Called when a window was made again in the place of one that is gone.
export function whenRenewed(act) { renewals.push(act); }

// Resolves at once unless the server is away, else when it is back.
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
