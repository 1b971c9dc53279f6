// What the user does goes to the server as events, one after the other, each with a number of this page:
// an event whose answer is lost is sent again, and the server does not do it twice. While the server is
// away, events wait.
//
// What waits is kept in the browser's memory. A page that is loaded anew goes on with it; when the window
// is gone that it was meant for, whoever listens takes it over.
import {
  doubt, noteWaiting, pageNumber, renew, whenLost, whenReached, whenRenewed, windowToken,
} from "./connection.js";
import { beginWork, showToast } from "./messages.js";

const storageKey = "events";
// More is not kept for a server that is away.
const most = 500;
// How long an answer may take before the event is sent once more; long texts take their time to the server.
const patienceFor = (body) => 20_000 + body.length / 20;
// A request that took too long to arrive is not sent for ever.
const mostLate = 3;

let entries = [];
let count = 0;
let isSending = false;
let attempt;
let takeOver = () => {};

// Sends an event after those before it. `trace` says in words of the page what was done, for when it can
// no longer be done; `answered` is called with whether it was done and whether its field is empty now,
// before the next event is sent.
//
// Resolves to true when it was carried out and to false when it was refused, which has been shown; to
// nothing when it could not be sent and was handed over.
export function post(event, { trace, answered } = {}) {
  // The page is being set up: what it holds is what the server has drawn.
  if (!windowToken()) return Promise.resolve(undefined);
  if (entries.length >= most) {
    showToast("Too much waits to be sent. What you did last was not done.");
    return Promise.resolve(false);
  }
  // Of the rows that a list wants only the latest are of interest.
  if (event.type === "range") drop(({ event: { type, id }, isTried }) => type === "range" && id === event.id && !isTried);
  // Numbered in place: a later answer may still change what it says.
  Object.assign(event, { page: pageNumber(), number: count += 1 });
  return new Promise((resolve) => {
    add([{ event, trace, answered, resolve, token: windowToken(), endWork: beginWork(), since: Date.now() }]);
  });
}

function add(list) {
  entries.push(...list);
  note();
  sendAll();
}

function drop(isOld) {
  for (const entry of entries.filter(isOld)) end(entry, undefined);
}

function end(entry, outcome) {
  entries = entries.filter((other) => other !== entry);
  entry.endWork?.();
  entry.resolve?.(outcome);
  note();
}

async function sendAll() {
  if (isSending) return;
  isSending = true;
  while (entries.length > 0) await send(entries[0]);
  isSending = false;
}

async function send(entry) {
  let late = 0;
  for (let tries = 0; entries.includes(entry); tries += 1) {
    await whenReached();
    if (!entries.includes(entry)) return;
    try {
      const answer = await request(entry);
      if (answer.ok) return finish(entry, true, answer.headers.get("Field") === "emptied");
      if (answer.status === 408) late += 1;
      if (answer.status === 404) await renew();
      // No answer of the window's own: there is no room just now, or somebody in between has none.
      else if (![408, 429, 502, 503, 504].includes(answer.status) || late === mostLate) {
        showToast(await answer.text());
        return finish(entry, false, false);
      }
    } catch {
      doubt();
    }
    await pause(tries);
  }
}

async function request(entry) {
  const body = JSON.stringify(entry.event);
  entry.isTried = true;
  attempt = new AbortController();
  const timer = setTimeout(() => attempt?.abort(), patienceFor(body));
  try {
    return await fetch(`/w/${entry.token}/events`, {
      method: "POST", headers: { "Content-Type": "application/json" }, body, signal: attempt.signal,
    });
  } finally {
    clearTimeout(timer);
    attempt = undefined;
  }
}

// What is under way on a connection that is lost gets no answer.
whenLost(() => attempt?.abort());

const pause = (tries) => new Promise((resolve) => {
  setTimeout(resolve, Math.min(2000, 100 * 1.6 ** tries) * (0.75 + Math.random() / 4));
});

function finish(entry, isDone, isEmptied) {
  if (!entries.includes(entry)) return;
  entry.answered?.(isDone, isEmptied);
  end(entry, isDone);
}

// MARK: What could not be sent

// Called with what was done and not sent, as it was, in its order: { trace, isTried }.
export function whenUnsent(act) { takeOver = act; }

// What is refused can be handed over too.
export function handOver(list) { takeOver(list.filter(({ trace }) => trace)); }

// What the user did with a window that is gone is not done to the one in its place, whose rows may be
// others.
whenRenewed(() => {
  const left = entries.filter(({ token }) => token !== windowToken());
  for (const entry of left) end(entry, undefined);
  handOver(left);
});

// MARK: In the browser's memory

const isOfInterest = ({ event: { type } }) => !["range", "type", "shown"].includes(type);

function note() {
  const kept = entries.filter(isOfInterest);
  noteWaiting(kept.length);
  try {
    const state = kept.map(({ event, trace, isTried, token }) => ({ event, trace, isTried, token }));
    if (kept.length > 0) sessionStorage.setItem(storageKey, JSON.stringify(state));
    else sessionStorage.removeItem(storageKey);
  } catch {
    // Without storage, or with too much for it, a page that is loaded anew begins anew.
  }
}

// Goes on with what a page before this one has left unsent.
export function goOn() {
  let kept = [];
  try {
    kept = JSON.parse(sessionStorage.getItem(storageKey)) ?? [];
  } catch {
    // Nothing that can be read.
  }
  add(kept.filter(({ token }) => token === windowToken()));
  handOver(kept.filter(({ token }) => token !== windowToken()));
}

// Whether there is something that would be lost with this tab; what has just left is as good as sent.
export const hasUnsent = () => entries.filter(isOfInterest)
  .some(({ isTried, since = 0 }) => !isTried || Date.now() - since > 500);
