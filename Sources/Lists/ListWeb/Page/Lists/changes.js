// Table's row updates: applies the insertions, removals, moves and reloads that the server sends.
// Part of Table.
import { redrawDrag } from "./drag.js";
import { leave, watch } from "./motion.js";
import { holdEditor, isEditing } from "./editor.js";
import { keepTyped } from "./fields.js";
import { focusWithin } from "./parts.js";
import { keepSwipe } from "./swipe.js";

// What the user is doing with a row goes on with its new element.
function keepRow(old, fresh) {
  redrawDrag(old, fresh);
  keepSwipe(old, fresh);
}

export const changes = {
  // Applies one update to the held rows: removes the rows that left, then inserts the rows that
  // came, lowest place first.
  apply({ first, removed, moved, inserted, reloaded, counts, sections, index, grids, byOthers }, elements) {
    const anchor = this.anchorRow();
    const focus = this.focused();
    const goOnEditing = holdEditor();
    const isScroll = [...removed, ...inserted].every(({ cause }) => cause === "scroll")
      && moved.length === 0;
    const play = isScroll ? () => {} : watch(this.rows);
    const gone = new Set(moved.map(({ row }) => row));
    const left = new Map(removed.map(({ row, cause }) => [row, cause]));
    const byName = new Map(this.rows.map((row) => [row.dataset.row, row]));
    this.rows = this.rows.filter((row) => !gone.has(row.dataset.row) && !left.has(row.dataset.row));
    for (const [name, cause] of left) {
      if (cause === "update" && byName.has(name)) leave(byName.get(name));
    }
    const entering = new Set();
    const coming = [
      ...moved.map(({ row, place }) => ({ place, element: byName.get(row) })),
      ...inserted.map(({ place, cause, html }) => {
        const [element] = elements(html);
        if (cause === "update") entering.add(element);
        return { place, element };
      }),
    ].sort((one, other) => one.place - other.place);
    for (const { place, element } of coming) if (element) this.rows.splice(place, 0, element);
    this.first = first;
    this.asked = undefined;
    if (sections) this.state.sections = sections;
    for (const [section, count] of counts ?? []) this.state.sections[section][1] = count;
    if (grids) this.state.grids = grids.length ? grids : undefined;
    if (sections || counts || grids) {
      this.measure();
      if (sections) {
        this.blocks.clear();
        this.state.index = index;
        this.drawIndex();
      }
    }
    this.layout();
    for (const { row, html } of reloaded) this.redraw(row, elements(html)[0]);
    this.keepAnchor(anchor);
    goOnEditing?.();
    this.restoreFocus(focus, left, byOthers);
    play(this.rows, entering);
    this.request();
  },

  replace(fresh, byOthers) {
    const focus = this.focused();
    const play = watch(this.rows);
    const old = new Map(this.rows.map((row) => [row.dataset.row, row]));
    this.root.className = fresh.className;
    this.adopt(fresh);
    this.root.classList.toggle("selectable", this.state.selectable);
    this.root.classList.toggle("editing-table", this.state.editing);
    this.blocks.clear();
    this.asked = undefined;
    // A row whose title is being edited keeps its element.
    this.rows = this.rows.map((row) => {
      const twin = old.get(row.dataset.row);
      if (twin && isEditing(twin)) return twin;
      if (twin) keepRow(twin, row);
      return row;
    });
    const typed = keepTyped(this.root);
    this.layout();
    typed?.(this.root);
    this.drawIndex();
    this.restoreFocus(focus, new Map(), byOthers);
    play(this.rows, new Set(this.rows.filter((row) => !old.has(row.dataset.row))));
    this.request();
  },

  redraw(name, fresh) {
    const index = this.rows.findIndex((row) => row.dataset.row === name);
    const old = this.rows[index];
    if (!old) return;
    // A row whose title is being edited is replaced when the editing ends.
    if (isEditing(old)) return void (old.waiting = fresh);
    const hasFocus = old === document.activeElement;
    const giveBack = focusWithin(old);
    const typed = keepTyped(old);
    this.rows[index] = fresh;
    old.replaceWith(fresh);
    typed?.(fresh);
    for (const attribute of ["tabindex", "aria-posinset", "aria-setsize"]) {
      if (old.hasAttribute(attribute)) fresh.setAttribute(attribute, old.getAttribute(attribute));
    }
    fresh.style.cssText = old.style.cssText;
    keepRow(old, fresh);
    giveBack(fresh);
    if (hasFocus) fresh.focus({ preventScroll: true });
  },

  element(name) { return this.rows.find((row) => row.dataset.row === name); },

  select(names) {
    const chosen = new Set(names);
    for (const row of this.rows) {
      if (chosen.has(row.dataset.row)) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    }
  },

  // The rows in sight with their tops, starting with the first one that neither the bar nor a
  // heading covers. Undefined at the start of the list, where rows that are inserted should come
  // into sight.
  anchorRow() {
    if (this.offset <= 1) return undefined;
    const covered = this.viewTop + this.barHeight;
    return this.rows
      .map((row) => ({ row, top: row.getBoundingClientRect().top }))
      .filter(({ row, top }) => top >= covered + this.headerOver(row) - 1);
  },

  // The height of the heading of the row's section, which sticks below the bar.
  headerOver(row) {
    const heading = row.closest("section")?.querySelector("h2");
    return heading && !heading.hidden ? heading.offsetHeight : 0;
  },

  keepAnchor(candidates) {
    const held = candidates?.find(({ row }) => row.isConnected);
    if (!held) return;
    const moved = held.row.getBoundingClientRect().top - held.top;
    if (Math.abs(moved) < 0.5) return;
    if (this.isScaled) {
      this.shift += moved;
      this.layout();
    } else {
      this.scroller.scrollBy(0, moved);
      this.last = this.scroller.scrollTop;
    }
  },
};
