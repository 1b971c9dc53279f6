// The search bar's Cancel button, and Escape in its field. Typed text goes to the server as from
// any field with `data-live`.
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
  // The searched list gets the focus.
  field.blur();
  focusScreen();
  post({ type: "cancelSearch", id: search.querySelector("button").dataset.cancelSearch });
}
