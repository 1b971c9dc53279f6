// The section index of a long list: one Tab stop; arrow keys move between its letters.
import { post } from "./events.js";

export function makeIndex(table, titles) {
  const index = document.createElement("div");
  index.className = "index";
  index.setAttribute("role", "toolbar");
  index.setAttribute("aria-orientation", "vertical");
  index.setAttribute("aria-label", "Sections");
  index.append(...titles.map((title, place) => {
    const button = document.createElement("button");
    button.type = "button";
    button.dir = "auto";
    button.tabIndex = place === 0 ? 0 : -1;
    button.textContent = title;
    button.onclick = () => post({ type: "index", id: table, index: place });
    return button;
  }));
  index.addEventListener("keydown", press);
  slide(index, (place) => post({ type: "index", id: table, index: place }));
  index.addEventListener("focusin", ({ target }) => {
    for (const button of index.children) button.tabIndex = button === target ? 0 : -1;
  });
  const landmark = document.createElement("nav");
  landmark.setAttribute("aria-label", "Sections");
  landmark.append(index);
  return landmark;
}

// A finger that slides along the letters goes to each section that it comes to. Its first section is
// that of the press, which is a click if the finger does not move on.
function slide(index, go) {
  let last, finger;
  index.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse") return;
    finger = event.pointerId;
    last = [...index.children].indexOf(event.target);
  });
  index.addEventListener("pointermove", (event) => {
    if (event.pointerId !== finger) return;
    const { top, height } = index.getBoundingClientRect();
    // An index that is longer than the window comes along.
    index.scrollTop = (event.clientY - top) / height * (index.scrollHeight - height);
    const button = document.elementFromPoint(index.getBoundingClientRect().left + 8, event.clientY);
    const place = [...index.children].indexOf(button);
    if (place < 0 || place === last) return;
    last = place;
    go(place);
  });
  for (const type of ["pointerup", "pointercancel"]) index.addEventListener(type, () => (finger = undefined));
}

function press(event) {
  const buttons = [...event.currentTarget.children];
  const place = buttons.indexOf(event.target);
  const goal = {
    ArrowDown: place + 1, ArrowRight: place + 1, ArrowUp: place - 1, ArrowLeft: place - 1,
    Home: 0, End: buttons.length - 1,
  }[event.key];
  if (goal === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  buttons[Math.max(0, Math.min(buttons.length - 1, goal))].focus();
}
