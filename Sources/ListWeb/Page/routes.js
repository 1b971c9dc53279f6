// Places within a screen, such as `#/active`: links lead there, and the server is told where the
// address is now.
import { post } from "./events.js";

// The script that names the window in the address may take this away.
const start = location.hash;

export function listenToRoutes() {
  if (start && location.hash !== start) history.replaceState(history.state, "", start);
  if (location.hash) tell();
  addEventListener("hashchange", tell);
}

// The first address of a page has no such part: that is where the list is whole.
function tell() { post({ type: "open", text: location.hash || "#/" }); }
