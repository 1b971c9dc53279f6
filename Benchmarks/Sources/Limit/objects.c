#include <stddef.h>

#include "graph.h"

static const char object_type, identity_type;

limit_graph *limit_graph_open(sqlite3 *connection) {
  limit_graph *graph = calloc(1, sizeof *graph);
  graph->connection = connection;
  graph->objects.key_offset = offsetof(object, key);
  graph->rows.key_offset = offsetof(row, key);
  graph->identities.key_offset = offsetof(identity, key);
  // Temporary identities are no keys of the store.
  graph->next_temporary = -1;
  pthread_mutex_init(&graph->lock, NULL);
  return graph;
}

void limit_graph_close(limit_graph *graph) {
  limit_forget(graph);
  sqlite3_finalize(graph->by_key);
  free(graph->objects.places);
  free(graph->rows.places);
  free(graph->identities.places);
  pthread_mutex_destroy(&graph->lock);
  free(graph);
}

object *object_make(limit_graph *graph, int64_t key) {
  object *made = malloc(sizeof *made);
  made->head.type = &object_type;
  atomic_init(&made->head.count, 1);
  made->graph = graph;
  made->key = key;
  made->read = made->own = NULL;
  made->state = live;
  table_enter(&graph->objects, made);
  return made;
}

void object_drop(object *object) {
  if (!release(object)) return;
  table_leave(&object->graph->objects, object);
  if (object->own) row_drop(object->own);
  if (object->read) row_drop(object->read);
  free(object);
}

identity *identity_make(limit_graph *graph, int64_t key) {
  identity *made = malloc(sizeof *made);
  made->head.type = &identity_type;
  atomic_init(&made->head.count, 1);
  made->graph = graph;
  made->key = key;
  return made;
}

void identity_drop(identity *identity) {
  if (!release(identity)) return;
  pthread_mutex_lock(&identity->graph->lock);
  table_leave(&identity->graph->identities, identity);
  pthread_mutex_unlock(&identity->graph->lock);
  free(identity);
}

#define COLUMNS "SELECT Z_PK, Z_OPT, ZORDER, ZPARENT, ZDATE, ZVALUE, ZTITLE FROM ZITEM"

/// So many rows go into the cache under one lock.
enum { batch = 512 };

static void register_rows(limit_graph *graph, row **rows, int64_t count, roster *result) {
  pthread_mutex_lock(&graph->lock);
  for (int64_t index = 0; index < count; index++) {
    // What another context has is taken: both then share it.
    row *known = table_find(&graph->rows, rows[index]->key);
    if (known && known->version == rows[index]->version && try_retain(known)) {
      row *own = rows[index];
      rows[index] = known;
      own->published = false;
      free(own->present & has_title ? own->title.storage : NULL);
      free(own);
    } else {
      rows[index]->published = true;
      table_enter(&graph->rows, rows[index]);
    }
  }
  pthread_mutex_unlock(&graph->lock);
  for (int64_t index = 0; index < count; index++) {
    object *known = table_find(&graph->objects, rows[index]->key);
    if (known) {
      retain(known);
    } else {
      known = object_make(graph, rows[index]->key);
    }
    if (known->read) {
      row_drop(rows[index]);
    } else {
      known->read = rows[index];
    }
    roster_add(result, known);
  }
}

static bool fetch(limit_graph *graph, const char *sql, roster *result) {
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v2(graph->connection, sql, -1, &statement, NULL)) return false;
  row *rows[batch];
  int64_t count = 0;
  int code;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    rows[count++] = row_read(graph, statement);
    if (count < batch) continue;
    register_rows(graph, rows, count, result);
    count = 0;
  }
  register_rows(graph, rows, count, result);
  sqlite3_finalize(statement);
  return code == SQLITE_DONE;
}

bool fetch_children(limit_graph *graph, roster *result) {
  return fetch(graph, COLUMNS " WHERE ZPARENT IS NOT NULL", result);
}

// The getters. What they give is owned by who asked: counted, then let go.

static void fill(object *object) {
  limit_graph *graph = object->graph;
  pthread_mutex_lock(&graph->lock);
  row *known = table_find(&graph->rows, object->key);
  bool is_known = known && try_retain(known);
  pthread_mutex_unlock(&graph->lock);
  if (is_known) {
    object->read = known;
    return;
  }
  sqlite3_bind_int64(graph->by_key, 1, object->key);
  if (sqlite3_step(graph->by_key) == SQLITE_ROW) {
    object->read = row_read(graph, graph->by_key);
    rows_publish(graph, &object->read, 1);
  }
  sqlite3_reset(graph->by_key);
}

static inline const row *values(object *object) {
  if (object->own) return object->own;
  if (!object->read) fill(object);
  return object->read;
}

static __attribute__((noinline)) string title(object *object) {
  const row *row = values(object);
  if (!row || !(row->present & has_title)) return (string){0, NULL};
  retain(row->title.storage);
  return row->title;
}

static __attribute__((noinline)) int64_t order(object *object) {
  const row *row = values(object);
  return row && row->present & has_order ? row->order : 0;
}

int64_t object_order(object *object) { return order(object); }

static __attribute__((noinline)) double date(object *object) {
  const row *row = values(object);
  return row && row->present & has_date ? row->date : 0;
}

static __attribute__((noinline)) double value(object *object) {
  const row *row = values(object);
  return row && row->present & has_value ? row->value : 0;
}

static __attribute__((noinline)) object *parent(object *child) {
  const row *row = values(child);
  if (!row || !(row->present & has_parent)) return NULL;
  object *known = table_find(&child->graph->objects, row->parent);
  if (!known) return object_make(child->graph, row->parent);
  retain(known);
  return known;
}

static void add_fraction(limit_sum *sum, double fraction) {
  uint64_t bits;
  memcpy(&bits, &fraction, sizeof bits);
  sum->fractions += bits;
}

static void add_values(limit_sum *sum, object *item) {
  sum->rows += 1;
  string text = title(item);
  if (text.storage) {
    sum->text_bytes += text.length;
    if (text.length) sum->integers += (uint8_t)text.storage->bytes[text.length - 1];
    limit_text_drop(text.storage);
  }
  sum->integers += order(item);
  add_fraction(sum, date(item));
  add_fraction(sum, value(item));
}

bool fetch_first(limit_graph *graph, limit_sum *sum) {
  bool is_done = fetch(graph, COLUMNS " LIMIT 1", &graph->fetched);
  if (graph->fetched.count > 0) add_values(sum, graph->fetched.items[0]);
  return is_done;
}

bool limit_fetch(limit_graph *graph, int64_t root_key, limit_sum *sum) {
  object *root = object_make(graph, root_key);
  roster *items = &graph->fetched;
  bool is_done = fetch_children(graph, items);
  for (int64_t index = 0; index < items->count; index++) {
    object *item = items->items[index];
    add_values(sum, item);
    object *other = parent(item);
    sum->integers += other == root;
    if (other) object_drop(other);
  }
  roster_add(items, root);
  return is_done;
}

void limit_forget(limit_graph *graph) {
  for (int64_t index = 0; index < graph->fetched.count; index++) {
    object_drop(graph->fetched.items[index]);
  }
  roster_end(&graph->fetched);
}

bool limit_fault(limit_graph *graph, int64_t first, int64_t end, limit_sum *sum) {
  if (!graph->by_key
      && sqlite3_prepare_v2(
          graph->connection, COLUMNS " WHERE Z_PK = ?", -1, &graph->by_key, NULL))
    return false;
  for (int64_t key = first; key < end; key++) {
    object *item = table_find(&graph->objects, key);
    if (item) {
      retain(item);
    } else {
      item = object_make(graph, key);
    }
    add_values(sum, item);
    object_drop(item);
  }
  return true;
}
