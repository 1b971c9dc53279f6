// What an object graph has to have, and why. Every part is demanded by a promise of Core Data's API;
// what is not demanded is not here: no undo, no history, no delegates, no sub-entities, no migration.
//
//   part                                promise that demands it
//   ----------------------------------  ------------------------------------------------------------------
//   an allocation per object            managed objects are instances of a class: identity, subclasses
//   an allocation per row               snapshots: `committedValues`, conflicts and rollback need the values as
//                                       read beside those as edited; contexts of a coordinator share what is read
//   an allocation per text              a getter gives a String; one of more than 15 bytes is an allocation
//   text is checked                     a String is valid UTF-8; SQLite does not promise that of a column
//   counts are atomic                   an ID, a row and a String go to other threads; Swift counts atomically
//   the context's table, weak           one object per row and context (`===`); a context does not keep what
//                                       nobody holds and nobody has changed
//   the row cache, weak, with a lock    two contexts that fetch a row have one copy of it; contexts are on
//                                       threads of their own
//   a count for each value given out    a getter gives an owned String, a relationship an owned object
//   a fault's row is looked up first    what the cache has is not read again
//   roster of changed objects, strong   a changed object is kept until it is saved
//   a copy of the row at the first edit the snapshot stays as it was read
//   a set of the changed objects        `NSManagedObjectContextObjectsDidChange` and `…DidSave` carry sets of them
//                                       (one set here, for both); Swift's Set hashes with SipHash-1-3
//   a set of their IDs, each an object  `NSManagedObjectContextDidSaveObjectIDs`; an ID is unique while it is
//                                       alive: a second weak table with a lock
//   temporary identity, then permanent  an object is in the table before it has a key
//   Z_MAX is read and written           keys are given out once, to all processes
//   Z_OPT in the WHERE of each change   optimistic locking: a row that somebody else has changed is not lost
//   differences of two rows             only what has changed is written
//   rows of a save are published        other contexts read what was saved without asking the file
//   the children of what is deleted     the delete rule of `children` is cascade: it has to be known that there are none
//
// One thread does all of it.
#ifndef LIMIT_GRAPH_H
#define LIMIT_GRAPH_H

#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "limit.h"

/// The head of everything that is counted: a type and a count, 16 bytes, as in Swift.
typedef struct {
  const void *type;
  _Atomic int64_t count;
} head;

static inline void retain(void *counted) {
  atomic_fetch_add_explicit(&((head *)counted)->count, 1, memory_order_relaxed);
}

/// Whether that was the last reference.
static inline bool release(void *counted) {
  return atomic_fetch_sub_explicit(&((head *)counted)->count, 1, memory_order_acq_rel) == 1;
}

/// A reference to what may be about to end; whether there is one now.
static inline bool try_retain(void *counted) {
  _Atomic int64_t *count = &((head *)counted)->count;
  int64_t now = atomic_load_explicit(count, memory_order_relaxed);
  while (now > 0) {
    if (atomic_compare_exchange_weak(count, &now, now + 1)) return true;
  }
  return false;
}

/// A string's storage, of the size of Swift's.
typedef struct limit_text {
  head head;
  int64_t capacity, length;
  char bytes[];
} text;

/// A string as it lies in a slot: 16 bytes.
typedef struct {
  int64_t length;
  text *storage;
} string;

enum { has_title = 1, has_parent = 2, has_order = 4, has_date = 8, has_value = 16 };

/// The values of one object, as read or as edited.
typedef struct {
  head head;
  struct limit_graph *graph;
  int64_t key, version;
  uint64_t present;
  int64_t order;
  double date, value;
  string title;
  int64_t parent;
  bool published;
} row;

enum state { live, inserted, updated, deleted };

typedef struct {
  head head;
  struct limit_graph *graph;
  int64_t key;
  row *read, *own;
  enum state state;
} object;

typedef struct {
  head head;
  struct limit_graph *graph;
  int64_t key;
} identity;

/// Weak references by key: open addressing, at most three quarters full.
typedef struct {
  void **places;
  int64_t capacity, count;
  /// Where the key lies in what it refers to.
  int64_t key_offset;
} table;

/// A growing array of references.
typedef struct {
  void **items;
  int64_t count, capacity;
} roster;

/// Swift's Set of objects: open addressing, at most three quarters full, each member counted.
typedef struct {
  void **places;
  int64_t mask;
} set;

struct limit_graph {
  sqlite3 *connection;
  table objects;
  pthread_mutex_t lock;
  table rows;
  table identities;
  roster fetched;
  int64_t next_temporary;
  sqlite3_stmt *by_key;
};

// Texts and rows (rows.c).
row *row_make(limit_graph *graph, int64_t key, int64_t version);
row *row_read(limit_graph *graph, sqlite3_stmt *statement);
row *row_copy(const row *row);
void row_drop(row *row);
/// Puts rows into the cache, all under one lock.
void rows_publish(limit_graph *graph, row **rows, int64_t count);

// Objects (objects.c).
int64_t object_order(object *object);
object *object_make(limit_graph *graph, int64_t key);
void object_drop(object *object);
identity *identity_make(limit_graph *graph, int64_t key);
void identity_drop(identity *identity);
bool fetch_children(limit_graph *graph, roster *result);
bool fetch_first(limit_graph *graph, limit_sum *sum);

// Tables (tables.c).
void *table_find(const table *table, int64_t key);
void table_enter(table *table, void *item);
/// Nothing happens where the key stands for something else by now.
void table_leave(table *table, void *item);
void roster_add(roster *roster, void *item);
void roster_end(roster *roster);
set set_make(int64_t count);
void set_add(set *set, void *item);

#endif
