// The tables of the page by name.
export const tables = new Map();

export const tableOf = (element) => tables.get(element.closest("[data-table]")?.dataset.table);
