// Grid layout: the number, width and height of the cells in the width of the page. A grid is a
// group of cells that repeats from top to bottom, or from left to right in a section that scrolls
// sideways.

// A length in pixels: a fraction of the visible width, plus a fraction of the visible height, plus
// pixels.
const pixels = ([width, height, points], seen) => width * seen.width + height * seen.height + points;

// The grid of a section in pixels; undefined for a section with rows one below the other. The
// server sends one grid per section; the last one applies to all sections after it.
export function gridOf(table, section) {
  const { grids } = table.state;
  const grid = grids?.[Math.min(section, grids.length - 1)];
  if (!grid) return undefined;
  const [top, left, bottom, right] = grid.insets;
  const { paddingLeft, paddingRight } = getComputedStyle(table.root);
  const whole = table.root.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  const seen = { width: Math.max(1, whole - left - right), height: table.viewHeight };
  const places = grid.places ? placesInGroup(grid, seen) : placesInLine(grid, seen);
  return {
    places, top, left, right, line: grid.line, sideways: grid.sideways, page: Math.max(1, whole),
    // Leaves room for the scroll bar below a section that scrolls sideways.
    bottom: bottom + (grid.sideways ? 12 : 0),
    width: grid.places ? Math.max(24, pixels(grid.width, seen)) : seen.width,
    height: Math.max(24, pixels(grid.height, seen)),
  };
}

const placesInGroup = ({ places }, seen) => places.map((lengths) => {
  const [x, y, width, height] = lengths.map((length) => pixels(length, seen));
  return { x, y, width: Math.max(8, width), height: Math.max(8, height) };
});

// As many cells as fit in the width, all equally wide.
function placesInLine({ least, gap, height, itemInsets: [top, left, bottom, right] }, seen) {
  const count = Math.max(1, Math.floor((seen.width + gap) / (Math.max(1, least) + gap)));
  const each = (seen.width - gap * (count - 1)) / count;
  const high = Math.max(24, pixels(height, seen));
  return Array.from({ length: count }, (_, column) => ({
    x: column * (each + gap) + left, y: top, width: each - left - right, height: high - top - bottom,
  }));
}

// The box of a row within the drawn part of its section, which begins with the group `firstGroup`.
function boxOf({ grid, row }, place, firstGroup = 0) {
  const { places, left, top, line, width, height, sideways } = grid;
  const group = Math.floor((place - row) / places.length);
  const at = places[(place - row) % places.length];
  return {
    left: left + at.x + (sideways ? group * (width + line) : 0),
    top: top + at.y + (sideways ? 0 : (group - firstGroup) * (height + line)),
    width: at.width, height: at.height,
  };
}

// The length in pixels of all the groups of a section that scrolls sideways.
const lengthOf = ({ grid, count }) => {
  const groups = Math.ceil(count / grid.places.length);
  return grid.left + groups * (grid.width + grid.line) - grid.line + grid.right;
};

// Positions the held rows of a section; the first of them has the place `first`.
export function placeInGrid(section, block, list, rows, first) {
  const { grid, row: start } = section;
  block.classList.toggle("grid", Boolean(grid));
  block.classList.toggle("sideways", Boolean(grid?.sideways));
  if (!grid) return void (list.style.cssText = "");
  const group = grid.places.length;
  const firstGroup = Math.floor((first - start) / group);
  const lines = grid.sideways ? 1 : Math.ceil((first + rows.length - start) / group) - firstGroup;
  const high = lines * (grid.height + grid.line) - grid.line;
  list.style.height = `${grid.top + high + grid.bottom}px`;
  list.style.setProperty("--length", `${grid.sideways ? lengthOf(section) : 0}px`);
  list.dataset.sideways = grid.sideways ?? "";
  rows.forEach((row, index) => {
    const box = boxOf(section, first + index, firstGroup);
    for (const side of ["left", "top", "width", "height"]) row.style[side] = `${box[side]}px`;
    rest(row, section, first + index, box);
  });
}

// Sets the snap position of a row in a section that scrolls sideways. Only the first row of a group
// has one: it aligns the group, or, when scrolling by pages, the page that begins within the group
// or between it and the group before.
function rest(row, { grid, row: start }, place, box) {
  const { sideways, places, width, line, left, page } = grid;
  if (!sideways || sideways === "free" || (place - start) % places.length > 0) return;
  const step = width + line;
  const group = Math.floor((place - start) / places.length) * step;
  let align = "start";
  let before = box.left - group;
  if (sideways === "byCenteredGroup") {
    align = "center";
    before = box.left - left - group;
    row.style.scrollMarginRight = `${left + group + width - box.left - box.width}px`;
  } else if (sideways === "byPage") {
    const pageStart = Math.floor((group + 1) / page) * page;
    if (pageStart <= group - step + 1 && group > 0) align = "none";
    before = box.left - pageStart;
  }
  row.style.scrollSnapAlign = align;
  row.style.scrollMarginLeft = `${before}px`;
}

// Scrolls a section sideways just far enough to show a row.
export function showSideways(table, place) {
  const section = table.starts[table.sectionAt(place)];
  const list = section?.grid?.sideways && table.listOf(table.sectionAt(place));
  if (!list) return;
  const box = boxOf(section, place);
  const { left, right } = section.grid;
  if (box.left - left < list.scrollLeft) list.scrollLeft = box.left - left;
  else if (box.left + box.width + right > list.scrollLeft + list.clientWidth) {
    list.scrollLeft = box.left + box.width + right - list.clientWidth;
  }
}

// The place of the first row in full view in a section that scrolls sideways.
export function firstSeen(table, index) {
  const section = table.starts[index];
  const { grid, row, count } = section;
  const scrolled = table.sideways.get(index) ?? 0;
  const group = Math.ceil(Math.max(0, scrolled - 1) / (grid.width + grid.line));
  return row + Math.min(count - 1, group * grid.places.length);
}

// MARK: Keys

// The place of the row one line down or up with the left edge nearest to the current one.
export function nextLine(table, place, step) {
  const index = table.sectionAt(place);
  const here = boxIn(table, index, place);
  const isBeyond = (box) => (step > 0 ? box.top >= here.bottom - 1 : box.bottom <= here.top + 1);
  const group = groupLength(table, index);
  const found = nearest(table, index, candidates(table, index, place, group), step, here, isBeyond);
  if (found !== undefined) return found;
  for (let other = index + step; other >= 0 && other < table.starts.length; other += step) {
    const { row, count, grid } = table.starts[other];
    if (count === 0) continue;
    const size = groupLength(table, other);
    const edge = step > 0 ? row : row + count - 1;
    const places = grid?.sideways ? seenPlaces(table, other) : candidates(table, other, edge, size);
    return nearest(table, other, places, step, here, () => true) ?? place;
  }
  return place;
}

const groupLength = (table, index) => table.starts[index].grid?.places.length ?? 1;

// The places of the row's group and of the groups before and after it; in a section that scrolls
// sideways, of its own group only.
function candidates(table, index, place, group) {
  const { row, count, grid } = table.starts[index];
  const at = Math.floor((place - row) / group);
  const reach = grid?.sideways ? 0 : 1;
  const first = Math.max(0, (at - reach) * group);
  return range(row + first, row + Math.min(count, (at + reach + 1) * group));
}

// The places of the rows in sight in a section that scrolls sideways.
export function seenPlaces(table, index) {
  const { row, count } = table.starts[index];
  const first = firstSeen(table, index);
  const { grid } = table.starts[index];
  const groups = Math.max(1, Math.ceil(table.root.clientWidth / (grid.width + grid.line)));
  return range(first, Math.min(row + count, first + groups * grid.places.length));
}

const range = (from, to) => Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);

// A row's box for comparison: left edge as on the screen, top and bottom within the whole section.
function boxIn(table, index, place) {
  const section = table.starts[index];
  if (!section.grid) {
    const top = (place - section.row) * section.step;
    return { left: 0, top, bottom: top + section.high };
  }
  const box = boxOf(section, place);
  return {
    left: box.left - (table.sideways.get(index) ?? 0), top: box.top, bottom: box.top + box.height,
  };
}

function nearest(table, index, places, step, here, isWanted) {
  const found = places.map((place) => ({ place, box: boxIn(table, index, place) })).filter(({ box }) => isWanted(box));
  const depth = ({ box }) => (step > 0 ? box.top : -box.bottom);
  const first = Math.min(...found.map(depth));
  return found.filter((one) => depth(one) < first + 1)
    .sort((one, other) => Math.abs(one.box.left - here.left) - Math.abs(other.box.left - here.left))[0]?.place;
}
