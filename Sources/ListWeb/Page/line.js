// The line on which messages come: one for all pages of a browser, which a shared worker holds, or one of
// this page's own where there are no such workers. Either is watched: the server says something every
// five seconds, and a line that is silent for longer is lost, whatever the browser believes.
import { scriptAddress } from "./elements.js";

const longestSilence = 12_000;

let worker, key = 0;

// Opens the line from the message after a number on, and answers with a function that closes it. Calls
// `opened`, `message` with a number and a text, `replaced` when another page has the window now, and
// `lost` once, after which nothing more comes.
export function openLine(token, after, listener) {
  // A clock that goes on while the machine sleeps.
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
    // There are none here, or this page may have none.
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
