// The title in the bar: shown while the large title is scrolled out of sight.
let isWaiting = false;

export function listenToHeadings() {
  document.addEventListener("scroll", updateSoon, { passive: true, capture: true });
  addEventListener("resize", updateSoon);
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
    if (!bar || !heading) continue;
    const isAway = heading.getBoundingClientRect().bottom <= bar.getBoundingClientRect().bottom;
    screen.classList.toggle("scrolled", isAway);
  }
}
