// Rows side by side: how many, how wide and how high they are in the width that the page has.

// The grid of a section of a table in pixels; nothing for rows one below the other. The server says
// the grids of the sections, the last one for all that follow.
export function gridOf(table, section) {
  const { grids } = table.state;
  const grid = grids?.[Math.min(section, grids.length - 1)];
  if (!grid) return undefined;
  const { paddingLeft, paddingRight } = getComputedStyle(table.root);
  const width = Math.max(1, table.root.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight));
  const least = Math.max(1, grid.width ?? 1);
  const columns = grid.shares?.length ?? Math.max(1, Math.floor((width + grid.gap) / (least + grid.gap)));
  const shares = grid.shares ?? Array(columns).fill(1);
  const whole = { px: 1, width, height: table.viewHeight }[grid.unit];
  return {
    columns, gap: grid.gap, line: grid.line, height: Math.max(24, grid.height * whole),
    template: shares.map((share) => `minmax(0, ${share}fr)`).join(" "),
  };
}

// The rows that are held may begin within a line.
export function placeInGrid({ grid, row: start, columns }, block, list, rows, first) {
  block.classList.toggle("grid", Boolean(grid));
  list.style.gridTemplateColumns = grid?.template ?? "";
  list.style.gridAutoRows = grid ? `${grid.height}px` : "";
  list.style.gap = grid ? `${grid.line}px ${grid.gap}px` : "";
  rows.forEach((row, index) => {
    row.style.gridColumnStart = grid && index === 0 ? String((first - start) % columns + 1) : "";
  });
}

// The place a line further down, or up: in the same column, as far as there is one.
export function nextLine(table, place, step) {
  const section = table.sectionAt(place);
  const { row, count, columns } = table.starts[section];
  const goal = place - row + step * columns;
  if (goal >= 0 && goal < count) return row + goal;
  const isLastLine = Math.floor((place - row) / columns) === Math.floor((count - 1) / columns);
  if (step > 0 && !isLastLine) return row + count - 1;
  const column = (place - row) % columns;
  const others = step > 0 ? table.starts.slice(section + 1) : table.starts.slice(0, section).reverse();
  const next = others.find((other) => other.count > 0);
  if (!next) return place;
  const line = step > 0 ? 0 : Math.floor((next.count - 1) / next.columns) * next.columns;
  return next.row + Math.min(line + column, next.count - 1);
}
