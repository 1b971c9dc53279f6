// The least that Core Data's contract demands, in C: what `graph.h` says, line by line. A peer of the
// benchmarks: its time is the limit that an object graph over SQLite has, whoever writes it.
#ifndef LIMIT_H
#define LIMIT_H

#include <stdbool.h>
#include <stdint.h>

struct sqlite3;
struct sqlite3_api_routines;

/// What was read, folded together as the other sides do.
typedef struct {
  int64_t rows, integers;
  uint64_t fractions;
  int64_t text_bytes;
} limit_sum;

/// Values that lie ready; the text is a counted one, as a string that Swift code holds.
typedef struct {
  struct limit_text *title;
  int64_t order;
  double date, value;
} limit_values;

struct limit_text *limit_text_make(const char *bytes, int64_t length);
void limit_text_drop(struct limit_text *text);

/// A store's row cache and identities, and one context, over a connection that the caller owns.
typedef struct limit_graph limit_graph;
limit_graph *limit_graph_open(struct sqlite3 *connection);
void limit_graph_close(limit_graph *graph);

// Each returns whether SQLite did what it was asked.

/// `fetch-…`: every child as an object, and every value of each read once.
bool limit_fetch(limit_graph *graph, int64_t root, limit_sum *sum);
/// What `limit_fetch` has fetched is let go.
void limit_forget(limit_graph *graph);
/// `fault-…`: objects known by their keys, read one after the other.
bool limit_fault(limit_graph *graph, int64_t first, int64_t end, limit_sum *sum);
/// `insert-…`, and a batch of `import-…`: new objects from values, saved.
bool limit_insert(limit_graph *graph, const limit_values *values, int64_t count);
/// `update-…`: all children are fetched, one value of each is changed, and that is saved.
bool limit_update(limit_graph *graph);
/// `delete-…`: all children are fetched, deleted one by one, and that is saved.
bool limit_delete(limit_graph *graph);
/// `batch-insert-dictionaries-…`: rows from dictionaries, without objects.
bool limit_insert_dictionaries(struct sqlite3 *connection, const limit_values *values, int64_t count);
/// `open-store`: whether the file is a store of a model whose entity has this version hash; then its first object.
bool limit_open_store(
    struct sqlite3 *connection, const char *entity, const uint8_t *hash, int64_t hash_length,
    limit_sum *sum);

/// A list of all rows by their order, as a fetched results controller keeps it.
typedef struct limit_list limit_list;
limit_list *limit_list_open(struct sqlite3 *connection);
void limit_list_close(limit_list *list);

/// `frc-change-…`: one object that somebody holds gets another order; where it was, and where it is.
bool limit_list_change(
    limit_list *list, int64_t key, int64_t order, int64_t *old_rank, int64_t *new_rank);
/// Makes the object of a key and reads it.
bool limit_list_hold(limit_list *list, int64_t key);

typedef struct {
  int64_t key, order;
  int64_t old_rank, new_rank;
} limit_move;

/// `frc-merge-…`: rows that another context has saved are merged; fills in their ranks before and after.
bool limit_list_merge(limit_list *list, limit_move *moves, int64_t count);
/// What the other context shares once it has saved them, and its end.
void limit_list_publish(limit_list *list, const limit_move *moves, int64_t count);
void limit_list_withdraw(limit_list *list);

/// `frc-perform-…-sections`: the keys by one query, and the sections by a query for the name of a key.
bool limit_list_sections(
    struct sqlite3 *connection, const char *keys, const char *name, int64_t *rows,
    int64_t *sections);

/// Has `entry` called for each connection that this process opens from now on.
void limit_on_open(
    int (*entry)(struct sqlite3 *, char **message, const struct sqlite3_api_routines *));

#endif
