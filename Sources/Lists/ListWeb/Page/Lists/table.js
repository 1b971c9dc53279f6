// A table of any length; the page holds only the rows around the viewport. A line of a grid (see
// `grids.js`) has several rows, and a section that scrolls sideways is a single line.
//
// Row heights are fixed, so the position of any row can be computed. `rows` are the held rows,
// neighbours from the place `first` on; the server keeps the same window and sends only rows that
// enter it. Empty space stands for the rows above and below.
//
// A browser cannot scroll over tens of millions of pixels. A list higher than `limit` gets a page
// of that height, and `shift` is the distance between the drawn position and the one that the
// scroll bar shows. Steps by wheel and keys stay exact; a jump of the bar is in proportion.
import { scrollerOf } from "./columns.js";
import { post } from "./events.js";
import { changes } from "./changes.js";
import { keepDrag, withCarried } from "./drag.js";
import { closeEditor } from "./editor.js";
import { gridOf, placeInGrid, showSideways } from "./grids.js";
import { makeIndex } from "./index.js";
import { keyboard } from "./keyboard.js";
import { sideways } from "./sideways.js";
import { steps } from "./steps.js";
import { mostHeld } from "./tables.js";

const limit = 10_000_000;
// Within this number of pixels from either end, the scroll bar is exact.
const edge = 100_000;

export class Table {
  constructor(root) {
    this.root = root;
    this.rows = [];
    // The moves by keys that the server has not done yet.
    this.steps = [];
    // The drawn sections, by number.
    this.blocks = new Map();
    this.shift = 0;
    this.current = 0;
    this.asked = undefined;
    // The scroll positions of the sections that scroll sideways, and the one that was scrolled
    // last.
    this.sideways = new Map();
    this.lastSideways = undefined;
    this.screen = root.closest(".screen");
    this.scroller = scrollerOf(this.screen);
    this.scrollEvents = this.scroller === this.screen ? this.screen : window;
    this.adopt(root);
    this.anchor = this.state.anchor;
  }

  adopt(root) {
    this.state = JSON.parse(root.dataset.state);
    root.removeAttribute("data-state");
    this.first = this.state.first;
    this.rows = [...root.querySelectorAll(".row")];
    this.findLines();
    root.classList.toggle("selectable", this.state.selectable);
    root.classList.toggle("editing-table", this.state.editing);
    this.measure();
  }

  // MARK: Geometry

  measure() {
    const unit = parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.rowHeight = (this.hasTwoLines ? 3.75 : 3) * unit;
    this.root.classList.toggle("two-lines", Boolean(this.hasTwoLines));
    // Before the grids are measured: a grid may be wider than rows.
    this.root.classList.toggle("has-grid", Boolean(this.state.grids));
    this.starts = [];
    let row = 0, top = 0;
    this.state.sections.forEach(([title, count, footer], index) => {
      // A section without rows is not drawn: it takes no room.
      const header = !count ? 0 : title != null ? 2.5 * unit : index > 0 ? 16 : 0;
      const grid = gridOf(this, index);
      const columns = grid?.sideways ? Math.max(1, count) : grid?.places.length ?? 1;
      const high = grid?.height ?? this.rowHeight;
      const step = high + (grid?.line ?? 0);
      const lines = Math.ceil(count / columns);
      const over = grid?.top ?? 0, under = grid?.bottom ?? 0;
      this.starts.push({ row, top, header, title, count, footer, grid, columns, high, step, over, under });
      row += count;
      if (count) top += header + over + lines * step - (step - high) + under + 1 + this.footerHeight(footer);
    });
    const patterns = this.starts.slice(0, 50).map(({ grid }) => grid).filter(Boolean);
    this.columns = Math.max(1, ...patterns.map(({ places }) => places.length));
    this.hasSides = this.columns > 1 || patterns.some(({ sideways }) => sideways);
    // The largest number of rows per pixel of height.
    this.density = Math.max(1 / this.rowHeight, ...this.starts.slice(0, 50).map(({ columns, step }) => columns / step));
    this.overscan = Math.max(16, 4 * this.columns);
    this.total = row;
    this.height = top;
    this.physical = Math.min(this.height, limit);
  }

  // Rows have room for a second line as soon as one of them has it.
  findLines() {
    if (this.hasTwoLines || this.state.grids) return false;
    this.hasTwoLines = this.rows.some((row) => row.querySelector(".detail"));
    return this.hasTwoLines;
  }

  // The height of a footer, which has any number of lines: measured by the browser.
  footerHeight(text) {
    if (!text) return 0;
    const probe = document.createElement("p");
    probe.className = "footnote";
    probe.textContent = text;
    this.root.append(probe);
    const height = probe.offsetHeight;
    probe.remove();
    return height;
  }

  sectionAt(place) {
    let low = 0, high = this.starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.starts[middle].row <= place) low = middle; else high = middle;
    }
    // A section without rows has the same start as the next one.
    while (low > 0 && this.starts[low].count === 0 && this.starts[low].row > place) low -= 1;
    return low;
  }

  // The top of a row's line, below the heading of its section.
  lineTop(place) {
    const section = this.starts[this.sectionAt(place)];
    if (!section) return 0;
    return section.top + section.header + Math.floor((place - section.row) / section.columns) * section.step;
  }

  topOf(place) {
    const { grid, row, over } = this.starts[this.sectionAt(place)] ?? {};
    return this.lineTop(place) + (grid ? over + grid.places[(place - row) % grid.places.length].y : 0);
  }

  placeAt(y) {
    let low = 0, high = this.starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.starts[middle].top <= y) low = middle; else high = middle;
    }
    const section = this.starts[low];
    if (!section) return 0;
    const line = Math.floor((y - section.top - section.header - section.over) / section.step);
    return section.row + Math.max(0, Math.min(section.count - 1, line * section.columns));
  }

  heightAt(place) {
    const { grid, row, high } = this.starts[this.sectionAt(place)] ?? {};
    return grid ? grid.places[(place - row) % grid.places.length].height : high ?? this.rowHeight;
  }

  // The distance from the start of the rows to the top of the viewport below the bar.
  get scrolled() { return this.viewTop - this.root.getBoundingClientRect().top + this.barHeight; }
  get barHeight() { return this.heightOf(".bar") + this.heightOf(".adding"); }
  heightOf(css) { return this.screen.querySelector(css)?.offsetHeight ?? 0; }
  get tabsHeight() { return this.heightOf(".tabs"); }
  // The top of the scrolled area on the screen, and its visible height.
  get viewTop() { return this.scrollEvents === window ? 0 : this.scroller.getBoundingClientRect().top; }
  get viewHeight() { return this.scroller.clientHeight; }
  get offset() { return this.scrolled + this.shift; }

  // MARK: Drawing

  // Puts the held rows into their sections; moves only elements that are in the wrong position.
  layout() {
    if (this.findLines()) this.measure();
    const groups = [];
    const shown = this.shownRows();
    shown.forEach((row, index) => {
      const place = this.first + index;
      const section = this.sectionAt(place);
      if (groups.at(-1)?.section !== section) groups.push({ section, first: place, rows: [] });
      groups.at(-1).rows.push(row);
      // A tree counts positions among siblings, which the browser works out from the levels.
      if (row.ariaLevel) return;
      row.setAttribute("aria-posinset", place + 1);
      // -1 is a number that is not known.
      row.setAttribute("aria-setsize", this.state.part ? -1 : this.total);
    });
    const blocks = [this.space("above"), ...groups.map((group) => this.block(group)), this.space("below")];
    arrange(this.root, blocks);
    this.drawn = groups.map(({ section }) => section);
    this.scrollSidewaysAgain();
    const start = groups[0] ? this.starts[groups[0].section] : undefined;
    const top = start ? this.lineTop(this.first) - start.header - this.shift : 0;
    const last = this.first + this.rows.length - 1;
    // Each section ends with one pixel, then its footer.
    const end = this.starts[groups.at(-1)?.section];
    const drawn = this.rows.length
      ? this.lineTop(last) + end.over + end.high + end.under + 1 + this.footerHeight(end.footer) : 0;
    blocks[0].style.height = `${Math.max(0, top)}px`;
    blocks.at(-1).style.height = `${Math.max(0, this.physical - (drawn - this.shift))}px`;
    this.noteMissing(blocks[0], this.first);
    this.noteMissing(blocks.at(-1), this.total - this.first - this.rows.length);
    const empty = this.root.parentElement.querySelector(".empty");
    if (empty) empty.hidden = this.total > 0;
    keepDrag(this);
    this.keepTabStop();
  }

  // What a printed page says in place of rows that are not on it.
  noteMissing(space, count) {
    if (count > 0) space.dataset.missing = `${count}${this.state.part ? "+" : ""} more`;
    else delete space.dataset.missing;
  }

  space(name) {
    const key = `${name}Space`;
    if (!this[key]) {
      this[key] = document.createElement("div");
      this[key].className = "space";
      this[key].setAttribute("aria-hidden", "true");
    }
    return this[key];
  }

  block({ section, first, rows }) {
    let block = this.blocks.get(section);
    if (!block) {
      block = document.createElement("section");
      const list = document.createElement("ul");
      // Safari gives a list without bullets no list role.
      list.setAttribute("role", "list");
      const footer = document.createElement("p");
      footer.className = "footnote";
      const heading = document.createElement("h2");
      heading.dir = footer.dir = "auto";
      list.isFresh = true;
      list.section = section;
      block.append(heading, list, footer);
      this.blocks.set(section, block);
    }
    const [header, list, end] = block.children;
    const { title, footer } = this.starts[section];
    end.textContent = footer ?? "";
    end.hidden = !footer;
    header.textContent = title ?? "";
    if (title) list.setAttribute("aria-label", title); else list.removeAttribute("aria-label");
    header.className = title == null && section > 0 ? "untitled" : "";
    header.hidden = title == null && section === 0;
    // Nothing but room between two sections.
    if (title == null) header.setAttribute("aria-hidden", "true"); else header.removeAttribute("aria-hidden");
    this.describe(rows, end);
    list.setAttribute("role", rows[0].ariaLevel ? "tree" : "list");
    arrange(list, rows);
    placeInGrid(this.starts[section], block, list, rows, first);
    return block;
  }

  // The footer of a section describes the inputs above it, such as why a value is not accepted.
  describe(rows, footer) {
    if (!this.root.matches(".form")) return;
    footer.id ||= `footer-${this.root.dataset.table}-${footer.previousElementSibling.section}`;
    for (const input of rows.flatMap((row) => [...row.querySelectorAll("input")])) {
      if (footer.hidden) input.removeAttribute("aria-describedby");
      else input.setAttribute("aria-describedby", footer.id);
    }
  }

  // MARK: Life

  start(isFresh) {
    this.onScroll = () => this.scrolledNow();
    this.onSideways = ({ target }) => this.scrolledSideways(target);
    this.root.addEventListener("scroll", this.onSideways, { passive: true, capture: true });
    this.onResize = () => {
      if (this.state.grids || this.starts.some(({ footer }) => footer)) {
        this.measure();
        this.layout();
      }
      this.scrolledNow();
    };
    this.last = this.scroller.scrollTop;
    this.scrollEvents.addEventListener("scroll", this.onScroll, { passive: true });
    addEventListener("resize", this.onResize);
    this.layout();
    this.drawIndex();
    if (isFresh && this.state.anchor > 0) this.scrollTo(this.state.anchor, "top");
    this.renormalize();
    this.request();
  }

  stop() {
    this.scrollEvents.removeEventListener("scroll", this.onScroll);
    removeEventListener("resize", this.onResize);
    this.root.removeEventListener("scroll", this.onSideways, { capture: true });
    clearTimeout(this.idle);
    this.index?.remove();
    this.screen.classList.remove("has-index");
  }

  drawIndex() {
    this.index?.remove();
    this.screen.classList.toggle("has-index", Boolean(this.state.index?.length));
    if (!this.state.index?.length) return;
    this.index = makeIndex(this.root.dataset.table, this.state.index);
    this.screen.append(this.index);
  }

  // MARK: Scrolling

  scrolledNow() {
    const jump = this.scroller.scrollTop - this.last;
    this.last = this.scroller.scrollTop;
    if (this.isScaled) {
      const reach = this.scrolled;
      const isAtEdge = this.scroller.scrollTop <= 0 || reach >= this.physicalRange - 1;
      if (isAtEdge || Math.abs(jump) > 3 * this.viewHeight) this.shift = this.fromBar(reach) - reach;
      else if (reach < edge / 2 || reach > this.physicalRange - edge / 2) this.renormalize();
      clearTimeout(this.idle);
      this.idle = setTimeout(() => this.renormalize(), 150);
    }
    this.request();
  }

  get isScaled() { return this.height > limit; }
  get seen() { return this.viewHeight - this.barHeight - this.tabsHeight; }
  get range() { return Math.max(1, this.height - this.seen); }
  get physicalRange() { return Math.max(1, this.physical - this.seen); }

  // The scroll bar's position for an offset in the list: equal near both ends, in proportion
  // between.
  toBar(offset) {
    if (offset < edge) return offset;
    if (offset > this.range - edge) return this.physicalRange - (this.range - offset);
    const ratio = (this.physicalRange - 2 * edge) / (this.range - 2 * edge);
    return edge + (offset - edge) * ratio;
  }

  fromBar(place) {
    if (place < edge) return place;
    if (place > this.physicalRange - edge) return this.range - (this.physicalRange - place);
    const ratio = (this.range - 2 * edge) / (this.physicalRange - 2 * edge);
    return edge + (place - edge) * ratio;
  }

  // Moves the scroll bar to its position for the current offset; the rows in sight do not move.
  renormalize() {
    if (!this.isScaled) {
      this.shift = 0;
      return;
    }
    const offset = Math.min(this.range, this.offset);
    const wanted = this.toBar(offset);
    if (Math.abs(offset - wanted - this.shift) < 1) return;
    this.shift = offset - wanted;
    this.layout();
    this.scroller.scrollBy(0, wanted - this.scrolled);
    this.last = this.scroller.scrollTop;
  }

  // Requests the rows around the viewport unless they are all held.
  request() {
    const { overscan } = this;
    const shown = Math.min(400, Math.ceil(this.viewHeight * this.density) + this.columns);
    const top = this.placeAt(Math.max(0, this.offset));
    const aside = this.seenSideways();
    const start = aside?.[0] ?? top;
    const end = aside ? aside.at(-1) + 1 : Math.min(this.total, top + shown);
    const most = Math.min(mostHeld, shown + 2 * overscan);
    const before = aside ? Math.floor((most - aside.length) / 2) : overscan;
    const near = Math.max(0, Math.min(start - before, this.total - most));
    const [first, count] = withCarried(this, near, most);
    const isHere = start - overscan / 2 >= this.first || this.first === 0;
    const isHereBelow = end + overscan / 2 <= this.first + this.rows.length
      || this.first + this.rows.length >= this.total;
    const isSized = this.sized === count;
    if (this.total === 0 || (isHere && isHereBelow && isSized)) return this.tellAnchor(top);
    if (this.asked === first && isSized) return;
    // The edited row is about to leave the held rows: ends the editing, which sends the text.
    if (top > this.current + shown || this.current > top + 2 * shown) closeEditor();
    this.asked = first;
    this.sized = count;
    this.anchor = this.anchorPlace(top);
    post({
      type: "range", id: this.root.dataset.table, first, count, anchor: this.anchor,
      ...this.reference(this.anchor || top),
    });
  }

  // The place of the anchor: the first row in full view, which keeps its position on the screen
  // while rows are inserted or removed before it. A row that the bar or a heading covers in part
  // does not count: rows inserted behind it would push the others away. 0 at the start of the list,
  // for no anchor.
  anchorPlace(top) {
    if (this.offset <= 1) return 0;
    let place = top;
    while (place < this.total - 1 && this.isCovered(place)) place += 1;
    return place;
  }

  isCovered(place) {
    const { title, header = 0 } = this.starts[this.sectionAt(place)] ?? {};
    return this.topOf(place) < this.offset + (title == null ? 0 : header) - 2;
  }

  // A held row and its place on this page. The server may have inserted rows above it that the page
  // has not received: the difference between its place and this one corrects the places in the
  // request.
  reference(place) {
    const index = this.rows[place - this.first] ? place : this.first;
    return { row: this.rows[index - this.first]?.dataset.row, index };
  }

  // Reports a changed anchor after 120 ms, even if all rows in sight are held: the server needs it
  // to keep the anchor in position.
  tellAnchor(top) {
    const anchor = this.anchorPlace(top);
    if (anchor === this.anchor || this.sized === undefined) return;
    clearTimeout(this.anchorTimer);
    this.anchorTimer = setTimeout(() => {
      if (anchor === this.anchor || !this.root.isConnected) return;
      this.anchor = anchor;
      post({
        type: "range", id: this.root.dataset.table, first: this.first, count: this.sized, anchor,
        ...this.reference(anchor),
      });
    }, 120);
  }

  scrollTo(place, how) {
    const top = this.topOf(place);
    const seen = this.seen;
    const offset = this.offset;
    const { header = 0 } = this.starts[this.sectionAt(place)] ?? {};
    const high = this.heightAt(place);
    showSideways(this, place);
    let wanted = offset;
    if (how === "top" || (how === "none" && top - header < offset)) wanted = top - header;
    else if (how === "middle") wanted = top - (seen - high) / 2;
    else if (how === "bottom" || top + high > offset + seen) wanted = top + high - seen + 8;
    if (Math.abs(wanted - offset) < 1) return;
    if (this.isScaled) {
      this.shift += wanted - offset;
      this.renormalize();
      this.layout();
    } else {
      this.scroller.scrollBy(0, wanted - offset);
    }
    this.last = this.scroller.scrollTop;
    this.request();
  }
}

// Sets the children of a parent in this order; moves only elements that are out of order.
function arrange(parent, children) {
  let next = parent.firstElementChild;
  const wanted = new Set(children);
  while (next && !wanted.has(next)) {
    const gone = next;
    next = next.nextElementSibling;
    gone.remove();
  }
  for (const child of children) {
    if (child === next) next = next.nextElementSibling;
    else parent.insertBefore(child, next);
    while (next && !wanted.has(next)) {
      const gone = next;
      next = next.nextElementSibling;
      gone.remove();
    }
  }
}

Object.assign(Table.prototype, changes, keyboard, sideways, steps);
