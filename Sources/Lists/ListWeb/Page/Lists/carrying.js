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
    this.middle = box.top + box.height / 2;
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

  // Reads the layout before it changes the page. The row under the middle of the carried one makes
  // room: half a row of way is a place.
  follow(pointer, down) {
    const { target, part, isBelow } = this.under(this.middle + down);
    this.copy.style.transform = `translateY(${down}px)`;
    const isInside = this.table.state.droppable && part > 0.25 && part < 0.75;
    this.restOn(isInside ? target : undefined, pointer);
    if (this.into) return;
    if (!target) this.goHome();
    else if (isBelow ? part >= 0 : part > 1) this.makeRoom(target, target.nextSibling);
    else this.makeRoom(target, target);
  }

  get own() { return this.table.element(this.row); }

  goHome() {
    const { own } = this;
    if (own) this.makeRoom(own, own);
  }

  // Where the rows and the gap lie within the list, without animations. They are measured when they
  // have been arranged, not each time that the pointer moves.
  get boxes() {
    this.measured ??= [this.gap, ...this.others].map((element) => ({
      element, top: offsetIn(this.table.root, element), height: element.offsetHeight,
    }));
    return this.measured;
  }

  // The row that lies, or lies nearest, under a height of the window while the gap is where the
  // carried row comes from, and which part of its height lies above that; no row for the gap itself.
  under(height) {
    const y = height - this.table.root.getBoundingClientRect().top;
    const [gap, ...rows] = this.boxes;
    const { own } = this;
    const places = rows.map(({ element, top, height: high }) => {
      const isBelow = isBefore(own ?? this.gap, element);
      const moved = isBelow - isBefore(this.gap, element);
      return { target: element, top: top + moved * gap.height, high, isBelow };
    });
    const top = own ? offsetIn(this.table.root, own) - isBefore(this.gap, own) * gap.height : gap.top;
    const away = (place) => Math.max(place.top - y, y - place.top - place.high, 0);
    const nearest = places.reduce(
      (one, other) => (away(other) < away(one) ? other : one), { top, high: gap.height });
    return { ...nearest, part: (y - nearest.top) / nearest.high };
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
      this.goHome();
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

// 1 for an element that stands before another one in the page, else 0.
const isBefore = (one, other) =>
  Number(Boolean(one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING));

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
