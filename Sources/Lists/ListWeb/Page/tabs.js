// Tabs: chosen by a click, or by arrow keys while a tab has the focus.
import { post } from "./events.js";

export function listenToTabs() {
  document.addEventListener("click", (event) => {
    const tab = event.target.closest("[role=tab]");
    if (tab) post({ type: "tab", id: tab.dataset.tab });
  });
  document.addEventListener("keydown", (event) => {
    const tab = event.target.closest?.("[role=tab]");
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!tab || !step) return;
    event.preventDefault();
    const tabs = [...tab.parentElement.querySelectorAll("[role=tab]:enabled")];
    const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
    next.focus();
    next.click();
  });
}
