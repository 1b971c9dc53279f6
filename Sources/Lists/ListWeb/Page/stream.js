// A shared worker: one connection for the messages of all pages of a browser. A browser allows six
// connections per server; six pages with one each would leave none for events.
//
// A page sends { open: token, after, key }, { close: token, key } and { here: token, key }; it
// receives { key, kind, number, text }, with the `key` of its opening.

// The pages by window token: port, key, number of the last message, and time of the last sign of
// life.
const pages = new Map();
let source, timer, due;

// A page that ended without closing is dropped after this number of milliseconds.
const longestSilence = 40_000;

onconnect = ({ ports: [port] }) => {
  port.onmessage = ({ data }) => take(port, data);
};

function take(port, { open, close, here, after, key }) {
  if (open) {
    const other = pages.get(open);
    if (other && other.port !== port) say(other, "replaced");
    pages.set(open, { port, key, after, heard: Date.now() });
    return restartWithin(20);
  }
  const token = close ?? here;
  const page = pages.get(token);
  if (page?.port !== port || page.key !== key) return undefined;
  page.heard = Date.now();
  if (close) leave(token);
  return undefined;
}

function say({ port, key }, kind, number, text) { port.postMessage({ key, kind, number, text }); }

function leave(token) {
  pages.delete(token);
  restartWithin(pages.size > 0 ? 1000 : 0);
}

// Reconnects within a time: several pages that come or go together share one reconnection.
function restartWithin(milliseconds) {
  const wanted = Date.now() + milliseconds;
  if (timer && due <= wanted) return;
  clearTimeout(timer);
  due = wanted;
  timer = setTimeout(restart, milliseconds);
}

function restart() {
  timer = undefined;
  const old = source;
  source = pages.size > 0 ? follow() : undefined;
  old?.close();
}

function follow() {
  const carried = new Map(pages);
  const list = [...carried].map(([token, { after }]) => `${token}.${after}`).join();
  const stream = new EventSource(`/stream?windows=${list}`);
  const isCurrent = () => stream === source;
  const tellAll = (kind) => {
    for (const page of pages.values()) if (isCurrent() && [...carried.values()].includes(page)) say(page, kind);
  };
  stream.onopen = () => tellAll("opened");
  stream.addEventListener("beat", () => tellAll("beat"));
  stream.onmessage = ({ lastEventId, data }) => {
    const [token, number] = lastEventId.split(".");
    const page = pages.get(token);
    if (!isCurrent() || !page) return;
    page.after = Number(number);
    say(page, "message", page.after, data);
  };
  for (const kind of ["replaced", "gone"]) {
    stream.addEventListener(kind, ({ data: token }) => {
      const page = pages.get(token);
      if (!isCurrent() || !page) return;
      pages.delete(token);
      say(page, kind);
    });
  }
  stream.onerror = () => {
    stream.close();
    if (!isCurrent()) return;
    source = undefined;
    // Each page opens again after a wait of its own.
    const lost = [...pages.values()];
    pages.clear();
    for (const page of lost) say(page, "lost");
  };
  return stream;
}

setInterval(() => {
  for (const [token, { heard }] of pages) if (Date.now() - heard > longestSilence) leave(token);
}, 10_000);
