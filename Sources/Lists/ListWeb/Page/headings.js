// The title in the bar: shown while the large title is scrolled out of sight. Of a large title of
// many lines three are seen; a press on it shows all of them.
let isWaiting = false;

export function listenToHeadings() {
  document.addEventListener("scroll", updateSoon, { passive: true, capture: true });
  addEventListener("resize", updateSoon);
  document.addEventListener("click", ({ target }) => toggle(target.closest?.("h1.long")));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.matches?.("h1.long")) toggle(event.target);
  });
}

function toggle(heading) {
  // Text that is being selected.
  if (!heading || !getSelection().isCollapsed) return;
  heading.classList.toggle("whole");
  updateHeadings();
}

function updateSoon() {
  if (isWaiting) return;
  isWaiting = true;
  requestAnimationFrame(() => {
    isWaiting = false;
    updateHeadings();
  });
}

export function updateHeadings() {
  for (const screen of document.querySelectorAll(".screen")) {
    const bar = screen.querySelector(".bar");
    const heading = screen.querySelector("h1");
    if (heading) markLong(heading);
    if (!bar || !heading) continue;
    // An empty column has no title.
    const isAway = heading.textContent !== "" && heading.getBoundingClientRect().bottom <= bar.getBoundingClientRect().bottom;
    screen.classList.toggle("scrolled", isAway);
  }
}

function markLong(heading) {
  const isLong = heading.matches(".whole") || heading.scrollHeight > heading.clientHeight + 2;
  heading.classList.toggle("long", isLong);
  heading.tabIndex = isLong ? 0 : -1;
}
