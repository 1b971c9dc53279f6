// Table's keyboard focus. The focused row may leave the held rows by scrolling; the list's root
// then has the focus in its place. Part of Table.
export const keyboard = {
  // Sets the Tab stops: the current row, and one row of each section that scrolls sideways; arrow
  // keys reach the other rows. In a form, every row that can be chosen is a stop, unless it has an
  // input of its own.
  keepTabStop() {
    const held = Math.max(this.first, Math.min(this.current, this.first + this.rows.length - 1));
    const { selectable } = this.state;
    const isForm = this.root.matches(".form") && (selectable || this.root.querySelector(".row input"));
    const stops = new Set([held, ...this.sidewaysStops(held)]);
    this.rows.forEach((row, index) => {
      const isStop = isForm ? selectable && !row.querySelector("input") : stops.has(this.first + index);
      row.tabIndex = isStop ? 0 : -1;
    });
  },

  placeOf(row) { return this.first + Math.max(0, this.rows.indexOf(row)); },

  focused() {
    const row = document.activeElement?.closest?.(".row");
    if (row && this.root.contains(row)) {
      return {
        name: row.dataset.row, place: this.placeOf(row), isTyping: row.matches(".editing"),
      };
    }
    return document.activeElement === this.root ? { name: undefined, place: this.current } : undefined;
  },

  // Restores the focus after an update. If the focused row was removed, its successor gets the
  // focus. If it was scrolled out of the held rows, the list keeps its place and the root gets the
  // focus.
  restoreFocus(focus, left, byOthers) {
    if (!focus) return;
    // The user was typing in the row: the root gets the focus, because Return would open a
    // neighbour.
    if (focus.isTyping && left.has(focus.name)) return this.root.focus({ preventScroll: true });
    const row = focus.name && this.element(focus.name);
    if (row) {
      this.current = this.first + this.rows.indexOf(row);
      if (!row.contains(document.activeElement)) row.focus({ preventScroll: true });
      return this.keepTabStop();
    }
    if (focus.name && left.get(focus.name) !== "scroll") {
      if (!byOthers) return this.focusPlace(Math.min(focus.place, this.total - 1));
      // Not removed by this user: a key meant for the row must not reach its neighbour. The root
      // gets the focus, and arrow keys go on from this place.
      this.current = Math.max(0, Math.min(focus.place, this.total - 1));
      this.wanted = undefined;
      return this.root.focus({ preventScroll: true });
    }
    this.current = focus.place;
    const arrived = this.rows[this.wanted - this.first];
    if (arrived && this.wanted !== undefined) return this.focusPlace(this.wanted);
    this.root.focus({ preventScroll: true });
  },

  focusPlace(place, isSeen = true) {
    if (this.total === 0) return this.root.focus({ preventScroll: true });
    this.current = Math.max(0, Math.min(this.total - 1, place));
    if (isSeen) this.scrollTo(this.current, "none");
    const row = this.rows[this.current - this.first];
    this.wanted = row ? undefined : this.current;
    if (row) row.focus({ preventScroll: true });
    else this.root.focus({ preventScroll: true });
    this.keepTabStop();
  },

  focusCurrent() {
    const row = this.root.querySelector(".row[aria-current]") ?? this.rows[this.current - this.first];
    row?.focus({ preventScroll: true });
    return Boolean(row);
  },

  pageLength() { return Math.max(1, Math.floor((this.viewHeight - this.barHeight) * this.density) - this.columns); },
};
