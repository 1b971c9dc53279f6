// The line to the server: events go by POST, one after the other; changes come by server-sent
// events. Messages are numbered: one that was seen is ignored, and after a gap the server is asked
// for the whole state.
//
// A window that the server no longer has, because it was started anew or nobody looked for long, is
// made again from its place.
import { beginWork, hideNotice, showNotice, showToast } from "./messages.js";

let page, token, last, source, options, retry;
let queue = Promise.resolve();
let failures = 0;

// `apply` carries out the operations of a message, `place` says what the address says, and `renew`
// takes over a window that was made again.
export function connect(started) {
  options = started;
  take(document.body.dataset);
  open();
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      post({ type: "hidden", page }, true);
      // A hidden page frees its connection: a browser has six of them for a host.
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
  addEventListener("online", again);
  addEventListener("pagehide", () => post({ type: "closing", page }, true));
  addEventListener("pageshow", (event) => event.persisted && again());
}

export const windowToken = () => token;

function take({ window, sequence, page: number }) {
  token = window;
  last = Number(sequence);
  page = Number(number);
  Object.assign(document.body.dataset, { window, sequence, page: number });
}

// MARK: Messages

function close() {
  clearTimeout(retry);
  source?.close();
  source = undefined;
}

function open() {
  close();
  const stream = new EventSource(`/w/${token}/stream?after=${last}`);
  source = stream;
  stream.onopen = () => {
    failures = 0;
    setConnected(true);
  };
  stream.onmessage = (event) => receive(Number(event.lastEventId), JSON.parse(event.data));
  stream.addEventListener("replaced", () => {
    close();
    setConnected(false);
    showNotice("This window is open in another tab.", "Use it here", open);
  });
  stream.onerror = () => {
    if (stream === source) lost();
  };
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

// Soon at first, then once in about two seconds, at moments of its own: all pages lose their server
// at the same time.
function lost() {
  close();
  setConnected(false);
  failures += 1;
  const wait = Math.min(2000, 150 * 1.6 ** failures) * (0.75 + Math.random() / 4);
  if (failures > 1) showNotice("Connecting again…", "Try now", again);
  retry = setTimeout(again, wait);
}

async function again() {
  clearTimeout(retry);
  if (document.hidden) return;
  try {
    const answer = await fetch(`/w/${token}/alive`);
    if (answer.ok) return open();
    if (answer.status === 404) return await renew();
  } catch {
    // No answer: the server is still away.
  }
  lost();
}

let renewal;

// Asks for a window at the place of this one; the page goes on with it.
function renew() {
  renewal ??= makeAnew().finally(() => { renewal = undefined; });
  return renewal;
}

async function makeAnew() {
  close();
  const answer = await fetch("/w", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ place: options.place() }),
  });
  if (answer.ok) {
    const fresh = await answer.json();
    take(fresh);
    options.renew(fresh.operations);
    return open();
  }
  setConnected(false);
  showNotice(await answer.text(), "Try again", again);
  if (answer.status === 503) retry = setTimeout(again, 3000);
}

function setConnected(isConnected) {
  document.body.dataset.connected = isConnected;
  if (isConnected) hideNotice();
}

// MARK: Events

// Sends an event after those before it. Resolves to whether it was carried out; else the reason has
// been shown.
export function post(event, isLast = false) {
  const endWork = isLast ? undefined : beginWork();
  // Names of rows and fields are those of one window.
  const window = token;
  const send = async () => {
    try {
      if (window !== token) return await expired(event);
      const answer = await fetch(`/w/${window}/events`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(event),
        keepalive: isLast,
      });
      if (answer.ok) return true;
      if (answer.status === 404 && !isLast) return await expired(event, window);
      showToast(await answer.text());
    } catch {
      if (!isLast) {
        showToast("The server cannot be reached. What you did last may be lost.");
        if (source) lost();
      }
    } finally {
      endWork?.();
    }
    return false;
  };
  if (isLast) return send();
  queue = queue.then(send);
  return queue;
}

// What the user did with a window that is gone is not done to the one in its place, whose rows may
// be others.
async function expired({ type }, window) {
  if (window === token) await renew();
  if (!["range", "type", "text", "date", "visit"].includes(type)) {
    showToast("This window was made anew. What you did last was not done.");
  }
  return false;
}
