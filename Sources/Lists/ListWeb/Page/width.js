// The width of the page: the server puts columns beside each other in a wide one, and is told when
// the page becomes wide or narrow.
import { whenRenewed } from "./connection.js";
import { post } from "./events.js";

export function listenToWidth() {
  const { leastWide, wide } = document.body.dataset;
  const query = matchMedia(`(min-width: ${leastWide}px)`);
  let told = wide !== undefined;
  const tell = () => {
    if (query.matches === told) return;
    told = query.matches;
    post({ type: "width", count: innerWidth });
  };
  query.addEventListener("change", tell);
  // A renewed window was asked for with the width of the page.
  whenRenewed(() => { told = query.matches; });
  tell();
}
