// Routes within a screen, such as `#/active`: links lead to them, and the page sends the current
// one to the server.
import { post } from "./events.js";

// Kept because the script that writes the window into the address may remove it.
const start = location.hash;

export function listenToRoutes() {
  if (start && location.hash !== start) history.replaceState(history.state, "", start);
  if (location.hash) tell();
  addEventListener("hashchange", tell);
}

// Sends the current route. An address without one stands for `#/`, the whole list.
function tell() { post({ type: "open", text: location.hash || "#/" }); }
