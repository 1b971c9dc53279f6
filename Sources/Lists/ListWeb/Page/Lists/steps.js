// Table's moves by keys, which are drawn before the answer: a row that goes past a neighbour stands
// there at once, and until the server has moved it or has not. The held rows keep the server's
// order. Part of Table.
import { watch } from "./motion.js";

// The longest time in milliseconds from the answer to the rows that it changes.
const longestChange = 1500;
const nameOf = (row) => row?.dataset.row;

export const steps = {
  // Draws a row past its neighbour in its section, until the answer to that.
  step(row, way, answer) {
    const shown = this.shownRows();
    const place = shown.indexOf(row) + way;
    if (!shown[place] || shown[place].parentElement !== row.parentElement) return;
    const one = { row: nameOf(row), past: nameOf(shown[place]), way };
    this.steps.push(one);
    this.draw(row);
    this.scrollTo(this.first + place, "none");
    answer.then((isDone) => setTimeout(() => {
      if (!this.steps.includes(one)) return;
      this.steps = this.steps.filter((other) => other !== one);
      this.draw(this.element(one.row));
    }, isDone ? longestChange : 0));
  },

  // Arranges the rows, of which one may have the keyboard.
  draw(row) {
    const hasFocus = row && row === document.activeElement;
    const play = watch(this.rows);
    this.layout();
    if (hasFocus) row.focus({ preventScroll: true });
    play(this.rows, new Set());
  },

  // The held rows in the order in which they are drawn. Forgets the steps that the server has done.
  shownRows() {
    const rows = [...this.rows];
    this.steps = this.steps.filter(({ row, past, way }) => {
      const [from, to] = [row, past].map((name) => rows.findIndex((one) => nameOf(one) === name));
      if (from < 0 || to < 0 || (to - from) * way < 0) return false;
      rows.splice(to, 0, ...rows.splice(from, 1));
      return true;
    });
    return rows;
  },
};
