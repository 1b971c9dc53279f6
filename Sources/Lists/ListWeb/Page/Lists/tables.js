// The tables of the page by name.
export const tables = new Map();

// The largest number of rows that a page holds of a table.
export const mostHeld = 500;

export const tableOf = (element) => tables.get(element.closest("[data-table]")?.dataset.table);
