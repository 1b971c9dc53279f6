// Sections that scroll sideways: how far each of them is scrolled, and which of its rows are held. Part of
// Table.
import { firstSeen, seenPlaces } from "./grids.js";

// From this many rows on such a section is held in part.
const long = 300;

export const sideways = {
  listOf(section) { return this.blocks?.get(section)?.querySelector("ul"); },

  // A section that is drawn anew is scrolled sideways as it was.
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

  // What is seen of the section that was scrolled sideways last, if that is on the screen and too long
  // to be held as a whole.
  seenSideways() {
    const section = this.starts[this.lastSideways];
    if (!section?.grid?.sideways || section.count < long) return undefined;
    const isSeen = section.top + section.header + section.high > this.offset
      && section.top < this.offset + this.viewHeight;
    return isSeen ? seenPlaces(this, this.lastSideways) : undefined;
  },

  // A row of each of them that Tab reaches, besides the one that has the keyboard in the table.
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
