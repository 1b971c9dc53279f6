// The line to the server: events go by POST, one after the other; changes come by server-sent
// events. Messages are numbered: one that was seen is ignored, and after a gap the server is asked
// for the whole state.
import { showToast } from "./patch.js";

const page = Number(document.body.dataset.page);
let token, last, apply, source;
let queue = Promise.resolve();
let failures = 0;

export function connect(windowToken, sequence, applyMessage) {
  token = windowToken;
  last = sequence;
  apply = applyMessage;
  open();
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      post({ type: "hidden", page }, true);
      // A hidden page frees its connection: a browser has six of them for a host.
      source?.close();
      source = undefined;
    } else {
      open();
    }
  });
  // Whoever doubts that the page is right can have it anew.
  addEventListener("resynchronize", () => {
    last = -1;
    open();
  });
  addEventListener("pagehide", () => post({ type: "closing", page }, true));
  addEventListener("pageshow", (event) => event.persisted && open());
}

function open() {
  source?.close();
  source = new EventSource(`/w/${token}/stream?after=${last}`);
  source.onopen = () => {
    failures = 0;
    showConnection("");
  };
  source.onmessage = (event) => receive(Number(event.lastEventId), JSON.parse(event.data));
  source.addEventListener("replaced", () => {
    source.close();
    showConnection("This window is open in another tab. Reload to use it here.");
  });
  source.onerror = () => {
    failures += 1;
    if (source.readyState !== EventSource.CLOSED) {
      if (failures > 1) showConnection("Connecting again…");
      return;
    }
    // The browser gave up: the window is gone, or the server is not there yet.
    showConnection("The connection is lost. Trying again…");
    setTimeout(reopen, Math.min(30000, 500 * 2 ** failures));
  };
}

async function reopen() {
  if (document.hidden) return;
  try {
    const answer = await fetch(`/w/${token}`, { method: "GET", redirect: "manual" });
    if (answer.ok) return open();
    if (answer.type === "opaqueredirect") {
      return showConnection("This window has expired. Reload the page to go on.");
    }
  } catch {
    // No answer: the server is still away.
  }
  failures += 1;
  setTimeout(reopen, Math.min(30000, 500 * 2 ** failures));
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
  apply(operations);
}

function showConnection(text) {
  const line = document.getElementById("connection");
  line.textContent = text;
  line.hidden = text === "";
  document.body.dataset.connected = text === "";
}

// Sends an event after those before it. Resolves to whether it was carried out; else the reason has
// been shown.
export function post(event, isLast = false) {
  const send = async () => {
    try {
      const answer = await fetch(`/w/${token}/events`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(event),
        keepalive: isLast,
      });
      if (answer.ok) return true;
      showToast(await answer.text());
    } catch {
      if (!isLast) showToast("The server cannot be reached. Nothing was changed.");
    }
    return false;
  };
  if (isLast) return send();
  queue = queue.then(send);
  return queue;
}
