// The row that is dragged through a list. Its own element is hidden, a copy follows the pointer,
// and a gap of its height stands where it would land.
import { nudge, watch } from "./motion.js";

// Rest on the middle of a row, in milliseconds, that means into it; a pointer that moves by more
// than `still` pixels does not rest.
const rest = 500, still = 6;

export class Carrying {
  constructor(table, row) {
    this.table = table;
    this.row = row.dataset.row;
    const box = row.getBoundingClientRect();
    this.copy = row.cloneNode(true);
    for (const name of ["data-row", "id", "tabindex"]) this.copy.removeAttribute(name);
    this.copy.setAttribute("aria-hidden", "true");
    this.copy.inert = true;
    this.copy.classList.add("dragged");
    Object.assign(this.copy.style, {
      top: `${box.top}px`, left: `${box.left}px`, width: `${box.width}px`, height: `${box.height}px`,
    });
    this.gap = document.createElement("li");
    this.gap.className = "gap";
    this.gap.setAttribute("aria-hidden", "true");
    this.gap.style.height = `${box.height}px`;
    table.screen.append(this.copy);
    row.before(this.gap);
    row.classList.add("origin");
    this.home = this.neighbours();
  }

  get others() { return this.table.rows.filter((row) => row.dataset.row !== this.row); }

  // Where the row lands now: before or after a row, or into one; undefined for where it came from.
  get goal() {
    if (this.into) return { target: this.into, how: "into" };
    const [before, after] = this.neighbours();
    if (before === this.home[0] && after === this.home[1]) return undefined;
    if (after) return { target: after, how: "before" };
    return before && { target: before, how: "after" };
  }

  // The rows before and after the gap in its section.
  neighbours() {
    const next = (element, way) => {
      let other = element[way];
      while (other?.matches(".origin")) other = other[way];
      return other ?? undefined;
    };
    return [next(this.gap, "previousElementSibling"), next(this.gap, "nextElementSibling")];
  }

  follow(pointer, down) {
    this.copy.style.transform = `translateY(${down}px)`;
    const found = this.under(pointer);
    if (!found) return this.restOn(undefined);
    const { target, part } = found;
    const canEnter = this.table.state.droppable;
    if (canEnter && part > 0.25 && part < 0.75) return this.restOn(target, pointer);
    this.restOn(undefined);
    const isBelow = this.gap.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_FOLLOWING;
    const [high, low] = canEnter ? [0.25, 0.75] : [0.5, 0.5];
    if (isBelow && part >= low) this.makeRoom(target, target.nextSibling);
    else if (!isBelow && part <= high) this.makeRoom(target, target);
  }

  // The row under the pointer, and which part of its height lies above the pointer; beyond the held
  // rows, the edge of the last one. Positions are those without animations.
  under(pointer) {
    const boxes = this.others.map((target) => {
      const top = target.offsetParent.getBoundingClientRect().top + target.offsetTop;
      return { target, top, height: target.offsetHeight };
    });
    const hit = boxes.find(({ top, height }) => pointer >= top && pointer < top + height);
    if (hit) return { target: hit.target, part: (pointer - hit.top) / hit.height };
    const [first, last] = [boxes[0], boxes.at(-1)];
    if (first && pointer < Math.min(first.top, this.topOfGap)) return { target: first.target, part: 0 };
    const end = last && Math.max(last.top + last.height, this.topOfGap + this.gap.offsetHeight);
    return last && pointer >= end ? { target: last.target, part: 1 } : undefined;
  }

  get topOfGap() {
    return this.gap.offsetParent.getBoundingClientRect().top + this.gap.offsetTop;
  }

  makeRoom(target, next) {
    if (next === this.gap || next?.previousSibling === this.gap) return;
    const play = watch(this.table.rows);
    target.parentElement.insertBefore(this.gap, next);
    this.last = this.neighbours();
    play(this.table.rows, new Set());
  }

  restOn(target, pointer) {
    if (target && target === this.over && (this.into || Math.abs(pointer - this.since) <= still)) return;
    clearTimeout(this.timer);
    this.into?.classList.remove("target");
    this.copy.classList.remove("over");
    this.into = undefined;
    this.over = target;
    this.since = pointer;
    if (!target) return;
    this.timer = setTimeout(() => {
      this.into = target;
      target.classList.add("target");
      this.copy.classList.add("over");
      nudge();
    }, rest);
  }

  // Shows the copy in the gap, or in the row that it goes into.
  land() {
    clearTimeout(this.timer);
    const { top } = (this.into ?? this.gap).getBoundingClientRect();
    this.copy.classList.add("landing");
    this.copy.classList.toggle("entering", Boolean(this.into));
    this.copy.style.transform = `translateY(${top - parseFloat(this.copy.style.top)}px)`;
  }

  // Hides the row and makes room again, after the table has arranged its rows.
  keep() {
    const own = this.table.element(this.row);
    own?.classList.add("origin");
    if (this.gap.isConnected) return;
    const [before, after] = this.last ?? this.home;
    if (after?.isConnected) after.before(this.gap);
    else if (before?.isConnected) before.after(this.gap);
    else own?.before(this.gap);
  }

  end() {
    clearTimeout(this.timer);
    const play = this.gap.isConnected ? watch(this.others) : () => {};
    this.into?.classList.remove("target");
    this.gap.remove();
    this.copy.remove();
    this.table.element(this.row)?.classList.remove("origin");
    play(this.others, new Set());
  }
}

// The goal under the pointer in a grid, which is divided from left to right: the middle half of a
// cell means into it, where the table allows drops; its edges mean before and after.
export function cellGoal(table, own, x, y) {
  for (const target of table.rows) {
    if (target === own) continue;
    const box = target.getBoundingClientRect();
    if (y < box.top || y >= box.bottom || x < box.left || x >= box.right) continue;
    const part = (x - box.left) / box.width;
    if (table.state.droppable && part > 0.25 && part < 0.75) return { target, how: "into" };
    return { target, how: part < 0.5 ? "before" : "after" };
  }
  return undefined;
}
