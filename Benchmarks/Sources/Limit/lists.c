// A fetched results controller's list. What the API demands:
//
//   part                                promise that demands it
//   ----------------------------------  ------------------------------------------------------------------
//   keys alone are kept                 `fetchBatchSize`: values come a batch at a time; a list is as long as it is
//   ranks by key, keys by rank          `indexPath(forObject:)` and `object(at:)`, and both in every callback; a list
//                                       that is changed has to find them without counting all rows anew
//   sort keys are looked up             those of edited objects are not in the file; who keeps them all, as ours does
//                                       by now, has them to read once and 8 bytes more a row
//   a changed object's row is a copy    as `graph.h` says; so is the set of changed objects of its notification
//   where it was, where it is           `controller(_:didChange:at:for:newIndexPath:)`
//   an object for each change           the same: `didChange anObject`
//   sections with names and sizes       `sections`; they follow from the section key of the rows, which no query for
//                                       keys tells: found by halving, all gaps of one level read in the order of
//                                       their keys
#include "graph.h"

enum { most = 256 };

/// Neighbours in the list, at most `most` of them.
typedef struct leaf {
  int64_t index, count;
  int64_t keys[most];
} leaf;

struct limit_list {
  limit_graph *graph;
  sqlite3_stmt *order, *name;
  leaf **leaves;
  int64_t leaf_count, leaf_capacity, count;
  /// Sums of the leaves' counts (a Fenwick tree).
  int64_t *sums;
  /// By key.
  leaf **leaf_of;
  int64_t highest;
  roster changed;
};

static void add_to_sums(limit_list *list, int64_t index, int64_t change) {
  for (int64_t at = index + 1; at <= list->leaf_count; at += at & -at) list->sums[at] += change;
}

static void make_sums(limit_list *list) {
  free(list->sums);
  list->sums = calloc((size_t)list->leaf_count + 1, sizeof *list->sums);
  for (int64_t index = 0; index < list->leaf_count; index++) {
    list->leaves[index]->index = index;
    int64_t at = index + 1, above = at + (at & -at);
    list->sums[at] += list->leaves[index]->count;
    if (above <= list->leaf_count) list->sums[above] += list->sums[at];
  }
}

static int64_t rank_of(const limit_list *list, int64_t key) {
  const leaf *leaf = list->leaf_of[key];
  int64_t rank = 0;
  for (int64_t at = leaf->index; at > 0; at -= at & -at) rank += list->sums[at];
  int64_t offset = 0;
  while (leaf->keys[offset] != key) offset++;
  return rank + offset;
}

/// The leaf of a rank, which becomes the offset in it. The end belongs to the last leaf.
static leaf *leaf_at(const limit_list *list, int64_t *rank) {
  int64_t at = 0, step = 1;
  while (step * 2 <= list->leaf_count) step *= 2;
  for (; step > 0; step /= 2) {
    if (at + step <= list->leaf_count && list->sums[at + step] <= *rank) {
      at += step;
      *rank -= list->sums[at];
    }
  }
  if (at < list->leaf_count) return list->leaves[at];
  leaf *last = list->leaves[list->leaf_count - 1];
  *rank = last->count;
  return last;
}

static int64_t key_at(const limit_list *list, int64_t rank) {
  return leaf_at(list, &rank)->keys[rank];
}

static void split(limit_list *list, leaf *full) {
  leaf *second = malloc(sizeof *second);
  second->count = full->count - most / 2;
  full->count = most / 2;
  memcpy(second->keys, full->keys + most / 2, (size_t)second->count * sizeof *second->keys);
  for (int64_t index = 0; index < second->count; index++) {
    list->leaf_of[second->keys[index]] = second;
  }
  if (list->leaf_count == list->leaf_capacity) {
    list->leaf_capacity *= 2;
    list->leaves = realloc(list->leaves, (size_t)list->leaf_capacity * sizeof *list->leaves);
  }
  int64_t place = full->index + 1;
  memmove(
      list->leaves + place + 1, list->leaves + place,
      (size_t)(list->leaf_count - place) * sizeof *list->leaves);
  list->leaves[place] = second;
  list->leaf_count += 1;
  make_sums(list);
}

static void insert(limit_list *list, int64_t key, int64_t rank) {
  int64_t offset = rank;
  leaf *leaf = leaf_at(list, &offset);
  if (leaf->count == most) {
    split(list, leaf);
    offset = rank;
    leaf = leaf_at(list, &offset);
  }
  memmove(
      leaf->keys + offset + 1, leaf->keys + offset,
      (size_t)(leaf->count - offset) * sizeof *leaf->keys);
  leaf->keys[offset] = key;
  leaf->count += 1;
  list->leaf_of[key] = leaf;
  list->count += 1;
  add_to_sums(list, leaf->index, 1);
}

static void take_out(limit_list *list, int64_t key) {
  leaf *leaf = list->leaf_of[key];
  int64_t offset = 0;
  while (leaf->keys[offset] != key) offset++;
  leaf->count -= 1;
  memmove(
      leaf->keys + offset, leaf->keys + offset + 1,
      (size_t)(leaf->count - offset) * sizeof *leaf->keys);
  list->leaf_of[key] = NULL;
  list->count -= 1;
  add_to_sums(list, leaf->index, -1);
}

static void add_last(limit_list *list, int64_t key) {
  leaf *last = list->leaf_count ? list->leaves[list->leaf_count - 1] : NULL;
  // An eighth stays free for what is to come.
  if (!last || last->count == most * 7 / 8) {
    if (list->leaf_count == list->leaf_capacity) {
      list->leaf_capacity = list->leaf_capacity ? list->leaf_capacity * 2 : 64;
      list->leaves = realloc(list->leaves, (size_t)list->leaf_capacity * sizeof *list->leaves);
    }
    last = malloc(sizeof *last);
    last->count = 0;
    list->leaves[list->leaf_count++] = last;
  }
  last->keys[last->count++] = key;
  list->count += 1;
}

static void end_list(limit_list *list) {
  for (int64_t index = 0; index < list->leaf_count; index++) free(list->leaves[index]);
  free(list->leaves);
  free(list->sums);
  free(list->leaf_of);
}

/// The keys in the order of a query.
static bool read_keys(limit_list *list, const char *sql) {
  sqlite3_stmt *select;
  if (sqlite3_prepare_v2(list->graph->connection, sql, -1, &select, NULL)) return false;
  int code;
  while ((code = sqlite3_step(select)) == SQLITE_ROW) {
    int64_t key = sqlite3_column_int64(select, 0);
    if (key > list->highest) list->highest = key;
    add_last(list, key);
  }
  sqlite3_finalize(select);
  make_sums(list);
  return code == SQLITE_DONE;
}

limit_list *limit_list_open(sqlite3 *connection) {
  limit_list *list = calloc(1, sizeof *list);
  list->graph = limit_graph_open(connection);
  read_keys(list, "SELECT Z_PK FROM ZITEM ORDER BY ZORDER");
  list->leaf_of = calloc((size_t)list->highest + 1, sizeof *list->leaf_of);
  for (int64_t index = 0; index < list->leaf_count; index++) {
    leaf *leaf = list->leaves[index];
    for (int64_t offset = 0; offset < leaf->count; offset++) {
      list->leaf_of[leaf->keys[offset]] = leaf;
    }
  }
  sqlite3_prepare_v2(
      connection, "SELECT ZORDER FROM ZITEM WHERE Z_PK = ?", -1, &list->order, NULL);
  return list;
}

void limit_list_close(limit_list *list) {
  for (int64_t index = 0; index < list->changed.count; index++) {
    object_drop(list->changed.items[index]);
  }
  roster_end(&list->changed);
  sqlite3_finalize(list->order);
  end_list(list);
  limit_graph_close(list->graph);
  free(list);
}

/// The sort key of a row of the list, as it is in memory where it has been edited.
static int64_t order_of(limit_list *list, int64_t key) {
  const object *known = table_find(&list->graph->objects, key);
  if (known && (known->own || known->read)) return (known->own ? known->own : known->read)->order;
  sqlite3_bind_int64(list->order, 1, key);
  int64_t order = sqlite3_step(list->order) == SQLITE_ROW ? sqlite3_column_int64(list->order, 0) : 0;
  sqlite3_reset(list->order);
  return order;
}

/// How many rows from `low` on, of which the one before has a lesser key, belong before this sort key. Guesses by
/// the values at both ends of what is left, and halves it where guesses do not help.
static int64_t place_of(limit_list *list, int64_t order, int64_t low, int64_t guess) {
  int64_t high = list->count, low_order = 0, high_order = 0, steps = 0;
  bool knows_low = false, knows_high = false;
  // Around the guess, ever further, until the place is between two rows.
  for (int64_t reach = 1; guess >= low && guess < high; reach *= 8) {
    int64_t found = order_of(list, key_at(list, guess));
    if (found < order) {
      low = guess + 1, low_order = found, knows_low = true;
      if (knows_high) break;
      guess += reach;
    } else {
      high = guess, high_order = found, knows_high = true;
      if (knows_low) break;
      guess -= reach;
    }
  }
  while (low < high) {
    int64_t pivot = low + (high - low) / 2;
    if (knows_low && knows_high && high_order > low_order && steps++ < 8) {
      double share = (double)(order - low_order) / (double)(high_order - low_order);
      pivot = low + (int64_t)(share * (double)(high - low));
      if (pivot >= high) pivot = high - 1;
    }
    int64_t found = order_of(list, key_at(list, pivot));
    if (found < order) {
      low = pivot + 1, low_order = found, knows_low = true;
    } else {
      high = pivot, high_order = found, knows_high = true;
    }
  }
  return low;
}

bool limit_list_change(
    limit_list *list, int64_t key, int64_t order, int64_t *old_rank, int64_t *new_rank) {
  limit_graph *graph = list->graph;
  if (!graph->by_key) return false;
  object *item = table_find(&graph->objects, key);
  if (!item) return false;
  // The edit.
  if (!item->own) item->own = row_copy(item->read);
  item->own->order = order;
  if (item->state == live) {
    item->state = updated;
    retain(item);
    roster_add(&list->changed, item);
  }
  set objects = set_make(1);
  set_add(&objects, item);
  // Where it was, and where it is now.
  sqlite3_exec(graph->connection, "BEGIN", NULL, NULL, NULL);
  *old_rank = rank_of(list, key);
  take_out(list, key);
  int64_t first = order_of(list, key_at(list, 0));
  int64_t last = order_of(list, key_at(list, list->count - 1));
  double share = last > first ? (double)(order - first) / (double)(last - first) : 0;
  *new_rank = place_of(list, order, 0, (int64_t)(share * (double)(list->count - 1)));
  insert(list, key, *new_rank);
  sqlite3_exec(graph->connection, "COMMIT", NULL, NULL, NULL);
  free(objects.places);
  object_drop(item);
  return true;
}

bool limit_list_hold(limit_list *list, int64_t key) {
  limit_sum sum = {0};
  if (table_find(&list->graph->objects, key)) return true;
  if (!limit_fault(list->graph, 0, 0, &sum)) return false;
  object *item = object_make(list->graph, key);
  roster_add(&list->changed, item);
  return object_order(item) >= 0;
}

void limit_list_publish(limit_list *list, const limit_move *moves, int64_t count) {
  limit_graph *graph = list->graph;
  for (int64_t index = 0; index < count; index++) {
    row *row = row_make(graph, moves[index].key, 2);
    row->order = moves[index].order;
    row->present = has_order;
    rows_publish(graph, &row, 1);
    roster_add(&list->changed, row);
  }
}

void limit_list_withdraw(limit_list *list) {
  for (int64_t index = 0; index < list->changed.count; index++) {
    row_drop(list->changed.items[index]);
  }
  roster_end(&list->changed);
}

typedef struct {
  int64_t order;
  limit_move *move;
  object *object;
} arrival;

static int by_order(const void *first, const void *second) {
  int64_t a = ((const arrival *)first)->order, b = ((const arrival *)second)->order;
  return a < b ? -1 : a > b;
}

bool limit_list_merge(limit_list *list, limit_move *moves, int64_t count) {
  limit_graph *graph = list->graph;
  arrival *arrivals = malloc((size_t)count * sizeof *arrivals);
  for (int64_t index = 0; index < count; index++) {
    // The rows of the save, as contexts share them; an object of each for the delegate.
    pthread_mutex_lock(&graph->lock);
    row *row = table_find(&graph->rows, moves[index].key);
    bool is_known = row && try_retain(row);
    pthread_mutex_unlock(&graph->lock);
    if (!is_known) return false;
    object *item = object_make(graph, moves[index].key);
    item->read = row;
    arrivals[index] = (arrival){row->order, &moves[index], item};
  }
  for (int64_t index = 0; index < count; index++) {
    moves[index].old_rank = rank_of(list, moves[index].key);
  }
  for (int64_t index = 0; index < count; index++) take_out(list, moves[index].key);
  qsort(arrivals, (size_t)count, sizeof *arrivals, by_order);
  sqlite3_exec(graph->connection, "BEGIN", NULL, NULL, NULL);
  int64_t low = 0;
  for (int64_t index = 0; index < count; index++) {
    arrival *next = &arrivals[index];
    // As far from the one before it as that had to go from its own.
    int64_t guess = index > 0
      ? low + (low - (index > 1 ? arrivals[index - 2].move->new_rank : 0)) : list->count / 2;
    next->move->new_rank = place_of(list, next->order, low, guess);
    insert(list, next->move->key, next->move->new_rank);
    low = next->move->new_rank + 1;
  }
  sqlite3_exec(graph->connection, "COMMIT", NULL, NULL, NULL);
  for (int64_t index = 0; index < count; index++) object_drop(arrivals[index].object);
  free(arrivals);
  return true;
}

// MARK: - Sections

/// A name as it is compared: the text of a section, counted.
typedef struct {
  int64_t rank;
  text *name;
} place;

typedef struct {
  place low, high;
  place middle;
} gap;

/// Kept by the list until all sections are found.
static text *name_of(limit_list *list, int64_t key) {
  sqlite3_bind_int64(list->name, 1, key);
  bool is_there = sqlite3_step(list->name) == SQLITE_ROW;
  const unsigned char *bytes = is_there ? sqlite3_column_text(list->name, 0) : NULL;
  text *name = limit_text_make(
      bytes ? (const char *)bytes : "", bytes ? sqlite3_column_bytes(list->name, 0) : 0);
  sqlite3_reset(list->name);
  roster_add(&list->changed, name);
  return name;
}

static bool is_same(const text *first, const text *second) {
  return first->length == second->length
    && memcmp(first->bytes, second->bytes, (size_t)first->length) == 0;
}

typedef struct {
  int64_t key;
  gap *gap;
} reading;

static int by_key(const void *first, const void *second) {
  int64_t a = ((const reading *)first)->key, b = ((const reading *)second)->key;
  return a < b ? -1 : a > b;
}

bool limit_list_sections(
    sqlite3 *connection, const char *keys, const char *name, int64_t *rows, int64_t *sections) {
  limit_list list = {.graph = limit_graph_open(connection)};
  bool is_done = read_keys(&list, keys)
    && sqlite3_prepare_v2(connection, name, -1, &list.name, NULL) == SQLITE_OK;
  sqlite3_exec(connection, "BEGIN", NULL, NULL, NULL);
  gap *gaps = malloc(sizeof *gaps);
  int64_t count = 1;
  *rows = list.count;
  *sections = 1;
  gaps[0].low = (place){0, name_of(&list, key_at(&list, 0))};
  gaps[0].high = (place){list.count - 1, name_of(&list, key_at(&list, list.count - 1))};
  while (count > 0) {
    reading *readings = malloc((size_t)count * sizeof *readings);
    int64_t open = 0;
    for (int64_t index = 0; index < count; index++) {
      gap *gap = &gaps[index];
      if (is_same(gap->low.name, gap->high.name)) continue;
      if (gap->high.rank == gap->low.rank + 1) {
        *sections += 1;
        continue;
      }
      gap->middle.rank = (gap->low.rank + gap->high.rank) / 2;
      readings[open++] = (reading){key_at(&list, gap->middle.rank), gap};
    }
    qsort(readings, (size_t)open, sizeof *readings, by_key);
    gap *next = malloc((size_t)(open ? 2 * open : 1) * sizeof *next);
    for (int64_t index = 0; index < open; index++) {
      gap *gap = readings[index].gap;
      gap->middle.name = name_of(&list, readings[index].key);
      next[2 * index].low = gap->low;
      next[2 * index].high = next[2 * index + 1].low = gap->middle;
      next[2 * index + 1].high = gap->high;
    }
    free(readings);
    free(gaps);
    gaps = next;
    count = 2 * open;
  }
  free(gaps);
  sqlite3_exec(connection, "COMMIT", NULL, NULL, NULL);
  sqlite3_finalize(list.name);
  for (int64_t index = 0; index < list.changed.count; index++) {
    limit_text_drop(list.changed.items[index]);
  }
  roster_end(&list.changed);
  end_list(&list);
  limit_graph_close(list.graph);
  return is_done;
}
