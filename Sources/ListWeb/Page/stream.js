// A shared worker: one connection for the messages of all pages that a browser shows. With one for each
// page, six of them would take all the connections that a browser has for a server, and events none.
//
// A page says { open: token, after, key }, { close: token, key }, { here: token, key }; it hears
// { key, kind, number, text }, where `key` is that of its opening.

// By the tokens of their windows: port, key, the last message, when they were heard of.
const pages = new Map();
let source, timer, due;

// A page that ended without a word is heard of no more.
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

// Pages come and go in numbers: the connection is opened anew once for several of them.
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
    // They open again, each in its own time.
    const lost = [...pages.values()];
    pages.clear();
    for (const page of lost) say(page, "lost");
  };
  return stream;
}

setInterval(() => {
  for (const [token, { heard }] of pages) if (Date.now() - heard > longestSilence) leave(token);
}, 10_000);
