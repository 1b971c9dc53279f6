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

  // Reads the layout before it changes the page.
  follow(pointer, down) {
    const found = this.under(pointer);
    this.copy.style.transform = `translateY(${down}px)`;
    if (!found) return this.restOn(undefined);
    const { target, part } = found;
    this.part = part;
    if (this.table.state.droppable && part > 0.25 && part < 0.75) return this.restOn(target, pointer);
    this.restOn(undefined);
    this.pass(target);
  }

  // Called when the row is let go. On the middle of another row, before it has rested there, it
  // takes that row's place, as it does in a list where no row can be entered.
  letGo() {
    if (this.over?.isConnected && !this.into) this.pass(this.over);
  }

  // Makes room on the other side of a row of which the pointer has passed half the height.
  pass(target) {
    const isBelow = this.gap.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_FOLLOWING;
    if (isBelow && this.part >= 0.5) this.makeRoom(target, target.nextSibling);
    else if (!isBelow && this.part <= 0.5) this.makeRoom(target, target);
  }

  // Where the rows and the gap lie within the list, without animations. They are measured when they
  // have been arranged, not each time that the pointer moves.
  get boxes() {
    this.measured ??= [this.gap, ...this.others].map((element) => ({
      element, top: offsetIn(this.table.root, element), height: element.offsetHeight,
    }));
    return this.measured;
  }

  // The row under the pointer, and which part of its height lies above the pointer; beyond the held
  // rows, the edge of the last one.
  under(pointer) {
    const y = pointer - this.table.root.getBoundingClientRect().top;
    const [gap, ...rows] = this.boxes;
    const hit = rows.find(({ top, height }) => y >= top && y < top + height);
    if (hit) return { target: hit.element, part: (y - hit.top) / hit.height };
    const [first, last] = [rows[0], rows.at(-1)];
    if (first && y < Math.min(first.top, gap.top)) return { target: first.element, part: 0 };
    const end = last && Math.max(last.top + last.height, gap.top + gap.height);
    return last && y >= end ? { target: last.element, part: 1 } : undefined;
  }

  // Only the rows between the old place of the gap and the new one move.
  makeRoom(target, next) {
    if (next === this.gap || next?.previousSibling === this.gap) return;
    const [gap, ...rows] = this.boxes;
    const there = rows.find(({ element }) => element === target)?.top ?? gap.top;
    const [high, low] = [Math.min(gap.top, there), Math.max(gap.top, there)];
    const moving = rows.filter(({ top }) => top >= high && top <= low).map(({ element }) => element);
    const play = watch(moving);
    target.parentElement.insertBefore(this.gap, next);
    this.measured = undefined;
    this.last = this.neighbours();
    play(moving, new Set());
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
    this.isLanding = true;
    const { top } = (this.into ?? this.gap).getBoundingClientRect();
    this.copy.classList.add("landing");
    this.copy.classList.toggle("entering", Boolean(this.into));
    this.copy.style.transform = `translateY(${top - parseFloat(this.copy.style.top)}px)`;
  }

  // Hides the row and makes room again, after the table has arranged its rows.
  keep() {
    this.measured = undefined;
    const own = this.table.element(this.row);
    own?.classList.add("origin");
    const [before, after] = this.last ?? this.home;
    if (!this.gap.isConnected) {
      if (after?.isConnected) after.before(this.gap);
      else if (before?.isConnected) before.after(this.gap);
      else own?.before(this.gap);
    }
    if (this.isLanding) this.land();
  }

  // Called when an element of a row is replaced by another one.
  replace(old, fresh) {
    this.measured = undefined;
    for (const pair of [this.home, this.last ?? []]) {
      for (const side of pair.keys()) if (pair[side] === old) pair[side] = fresh;
    }
    if (this.into === old) this.into = fresh;
    if (this.over === old) this.over = fresh;
    if (fresh.dataset.row !== this.row) return;
    fresh.classList.add("origin");
    this.copy.replaceChildren(...fresh.cloneNode(true).childNodes);
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

// The distance from the top of a list to the top of an element in it.
function offsetIn(root, element) {
  let top = 0;
  for (let box = element; box && box !== root; box = box.offsetParent) top += box.offsetTop;
  return top;
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
