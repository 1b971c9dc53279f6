// The place of the window is in the address, as the restoration identifiers on the way there: a
// screen that is pushed is pushed onto the browser's history, and what the browser goes back or forth
// to is asked of the server.
//
// `trail` has the places of the entries up to the current one, and is kept with each entry.
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

// The current entry is for this place, and for the window as it is called now.
function note() {
  history.replaceState({ trail }, "", address(place()) + location.hash);
  dispatchEvent(new Event("placechange"));
}

// The window was made again.
export function renamePlace() { note(); }

// The server shows another place. One after the other: the way back takes the browser its time.
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
    // A browser may refuse; what the address says is then off by that.
    setTimeout(resolve, 1000);
  });
}

function arrive({ state }) {
  const resolve = arrival;
  arrival = undefined;
  // A link to a part of this screen: the part is in the address, and `routes` tells it.
  const isHere = !state || state.trail?.at(-1) === place();
  trail = state?.trail ?? trail;
  note();
  if (resolve) return resolve();
  if (isHere) return undefined;
  return void post({ type: "visit", text: place() });
}
