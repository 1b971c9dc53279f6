// The tables of the page by name, for whoever finds one by an element in it.
export const tables = new Map();

export const tableOf = (element) => tables.get(element.closest("[data-table]")?.dataset.table);
