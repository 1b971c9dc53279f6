// The message stream: one per browser, held by a shared worker, or one per page where shared
// workers do not exist. Both are watched: the server sends a beat every five seconds, and a stream
// that is silent for twelve counts as lost, even if the browser reports no error.
import { scriptAddress } from "./elements.js";

const longestSilence = 12_000;

let worker, key = 0;

// Opens the stream after the message number `after`; returns a function that closes it.
//
// Calls `opened`; `message` with a number and a text; `replaced` when another page has taken over
// the window; and `lost` once, after which no call follows.
export function openLine(token, after, listener) {
  // Wall clock, which goes on while the machine sleeps.
  let heard = Date.now();
  let isClosed = false;
  const end = (sharedWorker() ? openShared : openOwn)(token, after, (kind, number, text) => {
    if (isClosed) return;
    heard = Date.now();
    if (kind === "lost" || kind === "replaced" || kind === "gone") close();
    listener[kind === "gone" ? "lost" : kind]?.(number, text);
  });
  const watch = setInterval(() => {
    if (Date.now() - heard < longestSilence) return;
    close();
    listener.lost();
  }, 1000);
  function close() {
    if (isClosed) return;
    isClosed = true;
    clearInterval(watch);
    end();
  }
  return close;
}

function sharedWorker() {
  if (worker !== undefined) return worker;
  try {
    worker = new SharedWorker(scriptAddress("stream.js"), { name: "stream 1" });
    worker.port.start();
  } catch {
    // Shared workers do not exist here, or are not permitted.
    worker = null;
  }
  return worker;
}

function openShared(token, after, tell) {
  const { port } = worker;
  key += 1;
  const mine = key;
  const listen = ({ data }) => {
    if (data.key === mine) tell(data.kind, data.number, data.text);
  };
  const fail = () => {
    worker = null;
    tell("lost");
  };
  port.addEventListener("message", listen);
  worker.addEventListener("error", fail);
  const failing = worker;
  port.postMessage({ open: token, after, key: mine });
  const here = setInterval(() => port.postMessage({ here: token, key: mine }), 5000);
  return () => {
    clearInterval(here);
    port.removeEventListener("message", listen);
    failing.removeEventListener("error", fail);
    port.postMessage({ close: token, key: mine });
  };
}

function openOwn(token, after, tell) {
  const stream = new EventSource(`/w/${token}/stream?after=${after}`);
  stream.onopen = () => tell("opened");
  stream.onmessage = ({ lastEventId, data }) => tell("message", Number(lastEventId), data);
  stream.onerror = () => tell("lost");
  for (const kind of ["replaced", "gone", "beat"]) stream.addEventListener(kind, () => tell(kind));
  return () => stream.close();
}
