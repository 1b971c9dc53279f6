// The page of an address without a window: asks for a window at the address's place, and goes there.
//
// The key is in the fragment of the address that the program printed, which a browser sends to
// nobody; addresses of before have it as `?token=`. It opens a session, which later windows use.
import { headers, keepSession } from "./session.js";

// What follows the key is the route within the screen, as in any other address.
const [, inFragment, after] = /^#key=(\w*)(.*)$/.exec(location.hash) ?? [undefined, undefined, location.hash];
const rest = after.replace(/^%23/, "#");
const given = inFragment ?? new URLSearchParams(location.search).get("token") ?? undefined;
const place = location.pathname.startsWith("/at/") ? location.pathname.slice(4) : "";

// The key does not stay in the address, which is bookmarked and shown to others.
if (given !== undefined) history.replaceState(history.state, "", location.pathname + rest);

// Whoever enters the address with the key where this page is already.
addEventListener("hashchange", () => location.reload());

const pause = 3000;

enter(given);

/** @param {string} [key] */
async function enter(key) {
  let answer;
  try {
    answer = await fetch("/w", {
      method: "POST", headers: headers(key), body: JSON.stringify({ place, isLoaded: true, width: innerWidth }),
    });
  } catch {
    say("The program is away", "This page looks again every few seconds.");
    return void setTimeout(() => enter(key), pause);
  }
  if (answer.ok) {
    const { window: token, session, place: reached } = await answer.json();
    keepSession(session);
    return location.replace(`/w/${token}${reached ? `/at/${reached}` : ""}${rest}`);
  }
  if (answer.status === 503) {
    say("Too many windows are open", "Close one of them. This page looks again every few seconds.");
    return void setTimeout(() => enter(key), pause);
  }
  if (answer.status !== 403) return say("The window could not be opened", await answer.text());
  // A key of before, in a browser that has been let in since.
  if (key) return enter();
  if (given) return say("This is another key", "Open the address that the program printed when it started: it has the key in it.");
  return say("A key is needed", "Open the address that the program printed when it started: it has the key in it.");
}

function say(title, text) {
  document.title = title;
  document.querySelector("h1").textContent = title;
  document.querySelector("main .label").textContent = text;
}
