// The Cancel button of a search bar, and Escape in its field. What is typed is told as in every field
// that the application listens to.
import { post } from "./events.js";
import { focusScreen } from "./focus.js";

export function listenToSearch() {
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-cancel-search]");
    if (button) cancel(button.closest(".search"));
  });
  document.addEventListener("keydown", (event) => {
    const search = event.target.closest?.(".search");
    if (!search || event.key !== "Escape" || event.isComposing) return;
    event.preventDefault();
    cancel(search);
  });
}

function cancel(search) {
  const field = search.querySelector("input");
  field.value = "";
  field.sent = "";
  field.hasTyped = false;
  // What was searched in has the keyboard then.
  field.blur();
  focusScreen();
  post({ type: "cancelSearch", id: search.querySelector("button").dataset.cancelSearch });
}
