// Events: sends the user's actions to the server one after the other, numbered per page. An event
// without an answer is sent again; the number keeps the server from doing it twice. While the
// server is away, events wait.
//
// Waiting events are kept in session storage, so a reload continues with them. Events of a window
// that is gone go to the function set by `whenUnsent`.
import { usedColumn } from "./columns.js";
import {
  doubt, isAway, noteWaiting, pageNumber, renew, whenLost, whenReached, whenRenewed, windowToken,
} from "./connection.js";
import { beginWork, showToast } from "./messages.js";

const storageKey = "events";
// The largest number of events that wait for a server that is away.
const most = 500;
// The longest wait in milliseconds for an answer before the event is sent again; long texts get
// more.
const patienceFor = (body) => 20_000 + body.length / 20;
// The number of times that a request may be answered as too late (408) before the event counts as
// refused.
const mostLate = 3;

let entries = [];
let count = 0;
let isSending = false;
let attempt;
// The time in milliseconds that the last answer took.
let roundTrip = 0;
/** @type {(left: object[]) => void} */
let takeOver = () => {};

// Sends an event after those before it. `trace` describes the action for the user, for the case
// that it cannot be done. `answered(isDone, isEmptied)` is called before the next event is sent:
// was the event carried out, and is its field empty now?
//
// Resolves to true if the event was carried out; to false if it was refused, which has been shown
// to the user; to undefined if it could not be sent and was handed over.
export function post(event, { trace = undefined, answered = undefined } = {}) {
  // No window yet: the page is being set up and holds exactly what the server has drawn.
  if (!windowToken()) return Promise.resolve(undefined);
  if (entries.length >= most) {
    showToast("Too much waits to be sent. What you did last was not done.");
    return Promise.resolve(false);
  }
  // Only the latest request for the rows of a list matters.
  if (event.type === "width") drop(({ event: { type }, isTried }) => type === "width" && !isTried);
  if (event.type === "range") drop(({ event: { type, id }, isTried }) => type === "range" && id === event.id && !isTried);
  // Numbers the object itself, so that a later answer can still change the event's text.
  Object.assign(event, { screen: usedColumn(), page: pageNumber(), number: count += 1 });
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
      const begin = performance.now();
      const answer = await request(entry);
      roundTrip = performance.now() - begin;
      if (answer.ok) return finish(entry, true, answer.headers.get("Field") === "emptied");
      if (answer.status === 408) late += 1;
      if (answer.status === 404) await renew();
      // Not the window's answer: the server is at a limit, or a proxy in between is.
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

// A request on a lost connection gets no answer.
whenLost(() => attempt?.abort());

const pause = (tries) => new Promise((resolve) => {
  setTimeout(resolve, Math.min(2000, 100 * 1.6 ** tries) * (0.75 + Math.random() / 4));
});

function finish(entry, isDone, isEmptied) {
  if (!entries.includes(entry)) return;
  entry.answered?.(isDone, isEmptied);
  end(entry, isDone);
}

// The time in milliseconds that the last answer took.
export const lastRoundTrip = () => roundTrip;

// True if the last answer took so long that a user notices, or if the server is away.
export const isSlow = () => roundTrip > 100 || isAway();

// MARK: Unsent events

// Sets the function that receives unsent events in their order, as { trace, isTried }.
export function whenUnsent(act) { takeOver = act; }

// Hands over events that have a trace; also used for refused ones.
export function handOver(list) { takeOver(list.filter(({ trace }) => trace)); }

// An event for a window that is gone is not sent to the new window, where the row may be another
// one.
whenRenewed(() => {
  const left = entries.filter(({ token }) => token !== windowToken());
  for (const entry of left) end(entry, undefined);
  handOverUndone(left);
});

// Hands over what the server does not know to be carried out.
async function handOverUndone(left) {
  const done = await Promise.all(left.map(wasDone));
  handOver(left.filter((_, index) => !done[index]));
}

// True for an event that was carried out, and whose answer was lost.
async function wasDone({ event: { page, number }, token, isTried }) {
  if (!isTried) return false;
  try {
    return (await fetch(`/w/${token}/events/${page}/${number}`)).status === 204;
  } catch {
    return false;
  }
}

// MARK: In session storage

const isOfInterest = ({ event: { type } }) => !["range", "type", "shown", "editing", "width"].includes(type);

function note() {
  const kept = entries.filter(isOfInterest);
  noteWaiting(kept.length);
  try {
    const state = kept.map(({ event, trace, isTried, token }) => ({ event, trace, isTried, token }));
    if (kept.length > 0) sessionStorage.setItem(storageKey, JSON.stringify(state));
    else sessionStorage.removeItem(storageKey);
  } catch {
    // Without storage, or if it is full, a reload loses the events.
  }
}

// Continues with the unsent events of the page before a reload.
export function goOn() {
  let kept = [];
  try {
    kept = JSON.parse(sessionStorage.getItem(storageKey)) ?? [];
  } catch {
    // Unreadable: there is nothing to continue with.
  }
  add(kept.filter(({ token }) => token === windowToken()));
  handOverUndone(kept.filter(({ token }) => token !== windowToken()));
}

// True if closing this tab would lose events. An event that was tried and is at most 500 ms old
// counts as sent.
export const hasUnsent = () => entries.filter(isOfInterest)
  .some(({ isTried, since = 0 }) => !isTried || Date.now() - since > 500);
