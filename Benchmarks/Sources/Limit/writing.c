#include "graph.h"

static bool run(sqlite3 *connection, const char *sql) {
  return sqlite3_exec(connection, sql, NULL, NULL, NULL) == SQLITE_OK;
}

static bool prepare(sqlite3 *connection, const char *sql, sqlite3_stmt **statement) {
  return sqlite3_prepare_v2(connection, sql, -1, statement, NULL) == SQLITE_OK;
}

/// One statement that has to change one row: none where somebody else has changed it first.
static bool change_one(sqlite3 *connection, sqlite3_stmt *statement) {
  bool is_done = sqlite3_step(statement) == SQLITE_DONE && sqlite3_changes(connection) == 1;
  sqlite3_reset(statement);
  return is_done;
}

// The getters and setters of the values that lie ready are calls, as those of a class are.

static row *editable(object *object) {
  if (object->own) return object->own;
  return object->own = row_copy(object->read);
}

static __attribute__((noinline)) int64_t get_order(object *object) {
  const row *row = object->own ? object->own : object->read;
  return row->present & has_order ? row->order : 0;
}

static __attribute__((noinline)) void set_order(object *object, int64_t order, roster *changed) {
  if (object->state == live) {
    object->state = updated;
    retain(object);
    roster_add(changed, object);
  }
  row *row = editable(object);
  row->order = order;
  row->present |= has_order;
}

static __attribute__((noinline)) void set_date(object *object, double date) {
  row *row = editable(object);
  row->date = date;
  row->present |= has_date;
}

static __attribute__((noinline)) void set_value(object *object, double value) {
  row *row = editable(object);
  row->value = value;
  row->present |= has_value;
}

static __attribute__((noinline)) void set_title(object *object, string title) {
  row *row = editable(object);
  retain(title.storage);
  if (row->present & has_title) limit_text_drop(row->title.storage);
  row->title = title;
  row->present |= has_title;
}

// MARK: - The end of a save

/// The sets of the changed objects and of their IDs, as the notifications of the save carry them.
typedef struct {
  set objects, identities;
} announcement;

static announcement announce(limit_graph *graph, set objects, roster *changed) {
  announcement made = {objects, set_make(changed->count)};
  for (int64_t index = 0; index < changed->count; index++) {
    int64_t key = ((object *)changed->items[index])->key;
    pthread_mutex_lock(&graph->lock);
    identity *known = table_find(&graph->identities, key);
    bool is_known = known && try_retain(known);
    if (!is_known) {
      known = identity_make(graph, key);
      table_enter(&graph->identities, known);
    }
    pthread_mutex_unlock(&graph->lock);
    set_add(&made.identities, known);
    identity_drop(known);
  }
  return made;
}

static void end_announcement(announcement *made) {
  for (int64_t place = 0; place <= made->identities.mask; place++) {
    if (made->identities.places[place]) identity_drop(made->identities.places[place]);
  }
  free(made->identities.places);
  for (int64_t place = 0; place <= made->objects.mask; place++) {
    if (made->objects.places[place]) object_drop(made->objects.places[place]);
  }
  free(made->objects.places);
}

static set set_of(roster *changed) {
  set made = set_make(changed->count);
  for (int64_t index = 0; index < changed->count; index++) set_add(&made, changed->items[index]);
  return made;
}

/// What was edited is what the store has.
static void commit_rows(limit_graph *graph, roster *changed) {
  row **rows = malloc((size_t)changed->count * sizeof *rows);
  for (int64_t index = 0; index < changed->count; index++) {
    object *object = changed->items[index];
    row *old = object->read;
    object->own->version += 1;
    object->read = object->own;
    object->own = NULL;
    object->state = live;
    rows[index] = object->read;
    if (old) row_drop(old);
  }
  rows_publish(graph, rows, changed->count);
  free(rows);
}

/// Nobody else holds the objects: their memory goes here.
static void let_go(roster *changed) {
  for (int64_t index = 0; index < changed->count; index++) object_drop(changed->items[index]);
  roster_end(changed);
}

// MARK: - Insert

static bool take_keys(sqlite3 *connection, int64_t count, int64_t *last) {
  sqlite3_stmt *read, *write;
  if (!prepare(connection, "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 1", &read)
      || !prepare(connection, "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = 1", &write))
    return false;
  bool is_done = sqlite3_step(read) == SQLITE_ROW;
  *last = sqlite3_column_int64(read, 0);
  sqlite3_bind_int64(write, 1, *last + count);
  is_done = is_done && sqlite3_step(write) == SQLITE_DONE;
  sqlite3_finalize(read);
  sqlite3_finalize(write);
  return is_done;
}

static bool write_rows(sqlite3 *connection, roster *changed) {
  sqlite3_stmt *insert;
  if (!prepare(
          connection,
          "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZORDER, ZPARENT, ZDATE, ZVALUE, ZTITLE)"
          " VALUES (?, 1, 1, ?, ?, ?, ?, ?)",
          &insert))
    return false;
  bool is_done = true;
  for (int64_t index = 0; index < changed->count && is_done; index++) {
    object *object = changed->items[index];
    row *row = object->own;
    sqlite3_bind_int64(insert, 1, object->key);
    if (row->present & has_order) sqlite3_bind_int64(insert, 2, row->order);
    if (row->present & has_parent) sqlite3_bind_int64(insert, 3, row->parent);
    if (row->present & has_date) sqlite3_bind_double(insert, 4, row->date);
    if (row->present & has_value) sqlite3_bind_double(insert, 5, row->value);
    if (row->present & has_title)
      sqlite3_bind_text(insert, 6, row->title.storage->bytes, (int)row->title.length, NULL);
    is_done = sqlite3_step(insert) == SQLITE_DONE;
    sqlite3_reset(insert);
  }
  sqlite3_finalize(insert);
  return is_done;
}

bool limit_insert(limit_graph *graph, const limit_values *all, int64_t count) {
  roster changed = {0};
  for (int64_t index = 0; index < count; index++) {
    object *item = object_make(graph, graph->next_temporary--);
    item->state = inserted;
    item->own = row_make(graph, item->key, 0);
    retain(item);
    roster_add(&changed, item);
    set_title(item, (string){all[index].title->length, all[index].title});
    set_order(item, all[index].order, &changed);
    set_date(item, all[index].date);
    set_value(item, all[index].value);
    // Whoever has made it lets it go.
    object_drop(item);
  }
  set objects = set_of(&changed);
  int64_t last;
  if (!run(graph->connection, "BEGIN IMMEDIATE") || !take_keys(graph->connection, count, &last))
    return false;
  for (int64_t index = 0; index < count; index++) {
    object *item = changed.items[index];
    table_leave(&graph->objects, item);
    item->key = item->own->key = ++last;
    table_enter(&graph->objects, item);
  }
  bool is_done = write_rows(graph->connection, &changed) && run(graph->connection, "COMMIT");
  commit_rows(graph, &changed);
  announcement made = announce(graph, objects, &changed);
  end_announcement(&made);
  let_go(&changed);
  return is_done;
}

// MARK: - Update

static bool write_changes(sqlite3 *connection, roster *changed) {
  // One statement for what has changed, which is the same for all of them here.
  sqlite3_stmt *update;
  if (!prepare(
          connection, "UPDATE ZITEM SET ZORDER = ?, Z_OPT = ? WHERE Z_PK = ? AND Z_OPT = ?",
          &update))
    return false;
  bool is_done = true;
  for (int64_t index = 0; index < changed->count && is_done; index++) {
    object *object = changed->items[index];
    const row *old = object->read, *new = object->own;
    bool is_other = old->present != new->present || old->order != new->order
      || old->date != new->date || old->value != new->value || old->parent != new->parent
      || old->title.storage != new->title.storage;
    if (!is_other) continue;
    sqlite3_bind_int64(update, 1, new->order);
    sqlite3_bind_int64(update, 2, old->version + 1);
    sqlite3_bind_int64(update, 3, object->key);
    sqlite3_bind_int64(update, 4, old->version);
    is_done = change_one(connection, update);
  }
  sqlite3_finalize(update);
  return is_done;
}

bool limit_update(limit_graph *graph) {
  roster changed = {0}, items = {0};
  bool is_done = fetch_children(graph, &items);
  for (int64_t index = 0; index < items.count; index++) {
    object *item = items.items[index];
    set_order(item, get_order(item) + 1, &changed);
  }
  let_go(&items);
  set objects = set_of(&changed);
  is_done = is_done && run(graph->connection, "BEGIN IMMEDIATE")
    && write_changes(graph->connection, &changed) && run(graph->connection, "COMMIT");
  commit_rows(graph, &changed);
  announcement made = announce(graph, objects, &changed);
  end_announcement(&made);
  let_go(&changed);
  return is_done;
}

// MARK: - Delete

/// So many parents are asked about at once.
enum { parents = 256 };

/// How many rows lead to these objects by their parent.
static bool count_children(sqlite3 *connection, roster *changed, int64_t *found) {
  char sql[64 + 2 * parents] = "SELECT Z_PK FROM ZITEM WHERE ZPARENT IN (?";
  for (int number = 1; number < parents; number++) strcat(sql, ",?");
  strcat(sql, ")");
  sqlite3_stmt *select;
  if (!prepare(connection, sql, &select)) return false;
  *found = 0;
  int code = SQLITE_DONE;
  for (int64_t start = 0; start < changed->count && code == SQLITE_DONE; start += parents) {
    for (int number = 0; number < parents; number++) {
      int64_t index = start + number < changed->count ? start + number : changed->count - 1;
      sqlite3_bind_int64(select, number + 1, ((object *)changed->items[index])->key);
    }
    while ((code = sqlite3_step(select)) == SQLITE_ROW) *found += 1;
    sqlite3_reset(select);
  }
  sqlite3_finalize(select);
  return code == SQLITE_DONE;
}

static bool delete_rows(sqlite3 *connection, roster *changed) {
  sqlite3_stmt *delete;
  if (!prepare(connection, "DELETE FROM ZITEM WHERE Z_PK = ? AND Z_OPT = ?", &delete)) return false;
  bool is_done = true;
  for (int64_t index = 0; index < changed->count && is_done; index++) {
    object *object = changed->items[index];
    sqlite3_bind_int64(delete, 1, object->key);
    sqlite3_bind_int64(delete, 2, object->read->version);
    is_done = change_one(connection, delete);
  }
  sqlite3_finalize(delete);
  return is_done;
}

bool limit_delete(limit_graph *graph) {
  roster changed = {0}, items = {0};
  bool is_done = fetch_children(graph, &items);
  for (int64_t index = 0; index < items.count; index++) {
    object *item = items.items[index];
    item->state = deleted;
    retain(item);
    roster_add(&changed, item);
  }
  let_go(&items);
  int64_t children;
  is_done = is_done && count_children(graph->connection, &changed, &children) && children == 0;
  set objects = set_of(&changed);
  is_done = is_done && run(graph->connection, "BEGIN IMMEDIATE")
    && delete_rows(graph->connection, &changed) && run(graph->connection, "COMMIT");
  announcement made = announce(graph, objects, &changed);
  // The context knows them no more; whoever holds one still reads its values.
  for (int64_t index = 0; index < changed.count; index++) {
    table_leave(&graph->objects, changed.items[index]);
  }
  end_announcement(&made);
  let_go(&changed);
  return is_done;
}
