// Popovers: positioned beside their source, on a side with room, with an arrow; sheets in a narrow
// window.
import { tables } from "./tables.js";

const app = document.getElementById("app");
const margin = 8;
const arrowLength = 10;
// The visible width without the scroll bar.
const seenWidth = () => document.documentElement.clientWidth;
const narrow = matchMedia("(max-width: 560px)");

export function listenToPopovers() {
  addEventListener("resize", placePopovers);
  document.addEventListener("scroll", ({ target }) => {
    // Scrolling within a popover moves no source.
    if (!target.closest?.(".popover")) placePopovers();
  }, { passive: true, capture: true });
}

export function placePopovers() {
  for (const layer of app.querySelectorAll(":scope > .popover")) place(layer);
}

// The source of a popover, if it is on the screen below.
function sourceOf({ dataset, previousElementSibling: below }) {
  if (!dataset.beside || !below) return undefined;
  const name = CSS.escape(dataset.beside);
  const row = dataset.besideRow;
  if (row) return below.querySelector(`[data-table="${name}"] [data-row="${CSS.escape(row)}"]`);
  return below.querySelector(`[data-press="${name}"], [data-view="${name}"], [data-field="${name}"]`);
}

function place(layer) {
  const screen = layer.querySelector(".screen");
  const box = sourceOf(layer)?.getBoundingClientRect();
  const isBeside = box && box.width > 0 && (!narrow.matches || layer.dataset.everywhere !== undefined);
  layer.classList.toggle("beside", Boolean(isBeside));
  screen.style.cssText = "";
  if (!isBeside) return void layer.querySelector(".arrow")?.remove();
  const width = Math.min(Number(layer.dataset.width) || 340, seenWidth() - 2 * margin);
  screen.style.width = `${width}px`;
  const direction = directionFor(layer, box, width, wantedHeight(layer, screen));
  const height = Math.min(wantedHeight(layer, screen), roomOf(direction, box));
  const isUpright = direction === "up" || direction === "down";
  const [left, top] = isUpright
    ? [clamp(box.left + box.width / 2 - width / 2, seenWidth() - width), direction === "up" ? box.bottom + arrowLength : box.top - arrowLength - height]
    : [direction === "left" ? box.right + arrowLength : box.left - arrowLength - width, clamp(box.top + box.height / 2 - height / 2, innerHeight - height)];
  const own = { left, top: clamp(top, innerHeight - height), width, height };
  for (const [name, length] of Object.entries(own)) screen.style[name] = `${length}px`;
  pointAt(layer, box, own, direction);
  // The list may show more or fewer rows now.
  tables.get(layer.querySelector("[data-table]")?.dataset.table)?.request();
}

const clamp = (value, most) => Math.max(margin, Math.min(value, most - margin));

// The height of the content, up to the one that the controller prefers.
function wantedHeight(layer, screen) {
  const most = Number(layer.dataset.height);
  const head = [...screen.querySelectorAll(".bar, h1")].reduce((sum, { offsetHeight }) => sum + offsetHeight, 0);
  return Math.min(screen.scrollHeight + 2, most ? most + head + 32 : 480);
}

// The height available for a popover whose arrow points in this direction.
function roomOf(direction, box) {
  const side = { up: innerHeight - box.bottom, down: box.top }[direction];
  return side === undefined ? innerHeight - 2 * margin : Math.max(0, side - arrowLength - margin);
}

// The first permitted direction with room for the whole popover, otherwise the one with the most
// room.
function directionFor({ dataset }, box, width, height) {
  const all = ["up", "down", "left", "right"];
  const permitted = (dataset.arrows || all.join(" ")).split(" ");
  const left = { left: seenWidth() - box.right, right: box.left };
  const share = (direction) => (direction in left
    ? (left[direction] - arrowLength - margin) / width : roomOf(direction, box) / height);
  const best = all.filter((direction) => permitted.includes(direction))
    .map((direction) => ({ direction, share: Math.min(1, share(direction)) }))
    .reduce((one, other) => (other.share > one.share ? other : one));
  return best.direction;
}

// Places the arrow from the computed box, not a measured one: the popover may still be animated.
function pointAt(layer, box, { left, top, width, height }, direction) {
  const arrow = layer.querySelector(".arrow") ?? layer.appendChild(document.createElement("div"));
  arrow.className = `arrow ${direction}`;
  const within = (middle, start, length) => Math.max(start + 22, Math.min(middle, start + length - 22));
  const isUpright = direction === "up" || direction === "down";
  const x = isUpright ? within(box.left + box.width / 2, left, width) : direction === "left" ? left : left + width;
  const y = isUpright ? (direction === "up" ? top : top + height) : within(box.top + box.height / 2, top, height);
  arrow.style.left = `${x}px`;
  arrow.style.top = `${y}px`;
}
