// Table's sections that scroll sideways: their scroll positions, and which of their rows are held.
// Part of Table.
import { firstSeen, seenPlaces } from "./grids.js";

// From this number of rows on, a section that scrolls sideways is held in part.
const long = 300;

export const sideways = {
  listOf(section) { return this.blocks.get(section)?.querySelector("ul"); },

  // Restores the scroll position of sections whose elements were made again.
  scrollSidewaysAgain() {
    for (const section of this.drawn) {
      const list = this.listOf(section);
      if (!list.isFresh) continue;
      list.isFresh = false;
      if (this.sideways.get(section)) list.scrollLeft = this.sideways.get(section);
    }
  },

  scrolledSideways(list) {
    if (list.section === undefined || !list.isConnected) return;
    this.sideways.set(list.section, list.scrollLeft);
    this.lastSideways = list.section;
    this.keepTabStop();
    this.request();
  },

  // The places in sight in the section that was scrolled sideways last, if it is on the screen and
  // too long to be held whole; otherwise undefined.
  seenSideways() {
    const section = this.starts[this.lastSideways];
    if (!section?.grid?.sideways || section.count < long) return undefined;
    const isSeen = section.top + section.header + section.high > this.offset
      && section.top < this.offset + this.viewHeight;
    return isSeen ? seenPlaces(this, this.lastSideways) : undefined;
  },

  // One Tab stop for each section that scrolls sideways, except the one with the current row.
  sidewaysStops(held) {
    const others = (this.drawn ?? []).filter(
      (section) => this.starts[section]?.grid?.sideways && section !== this.sectionAt(held));
    return others.map((section) => {
      const { row, count } = this.starts[section];
      const [from, to] = [Math.max(row, this.first), Math.min(row + count, this.first + this.rows.length) - 1];
      return Math.max(from, Math.min(to, firstSeen(this, section)));
    });
  },
};
