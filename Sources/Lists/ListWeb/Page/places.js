// Places: the address holds the window's place as the restoration identifiers on the way there.
// Pushing a screen pushes an entry onto the browser's history; going back or forward asks the
// server for the entry's place.
//
// `trail` has the places of the entries up to the current one; each entry stores its own trail.
import { windowToken } from "./connection.js";
import { post } from "./events.js";

let trail = [];
let arrival;
let moves = Promise.resolve();

export const place = () => trail.at(-1) ?? "";

const address = (to) => `/w/${windowToken()}${to ? `/at/${to}` : ""}`;

export function startPlaces(to) {
  const old = history.state?.trail;
  trail = old?.at(-1) === to ? old : [to];
  note();
  history.scrollRestoration = "manual";
  addEventListener("popstate", arrive);
}

// Writes the current entry: its place, with the current token of the window.
function note() {
  history.replaceState({ trail }, "", address(place()) + location.hash);
  dispatchEvent(new Event("placechange"));
}

// Rewrites the address after the window was renewed.
export function renamePlace() { note(); }

// Follows the server to another place. Moves run one after the other, because going back is
// asynchronous.
export function moveTo(to, how) {
  moves = moves.then(() => move(to, how));
}

function move(to, how) {
  if (to === place()) return undefined;
  if (how === "push") {
    trail = [...trail, to];
    history.pushState({ trail }, "", address(to));
    return void dispatchEvent(new Event("placechange"));
  }
  const before = how === "pop" ? trail.lastIndexOf(to) : -1;
  if (before >= 0) return goBack(trail.length - 1 - before);
  trail = [...trail.slice(0, -1), to];
  return note();
}

function goBack(steps) {
  return new Promise((resolve) => {
    arrival = resolve;
    history.go(-steps);
    // A browser may refuse; the address then stays behind.
    setTimeout(resolve, 1000);
  });
}

function arrive({ state }) {
  const resolve = arrival;
  arrival = undefined;
  // A link within this screen: its part is in the address, and routes.js sends it.
  const isHere = !state || state.trail?.at(-1) === place();
  trail = state?.trail ?? trail;
  note();
  if (resolve) return resolve();
  if (isHere) return undefined;
  return void post({ type: "visit", text: place() });
}
