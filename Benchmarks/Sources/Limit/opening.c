// From a file to a first object. What the API demands beyond the connection and the row:
//
//   part                                promise that demands it
//   ----------------------------------  ------------------------------------------------------------------
//   the store's metadata is read        `addPersistentStore` fails for a file that is no store; `metadata`
//   the version hashes are compared     and for a store of another model (code 134100)
//   the entity's number is read         Z_ENT of an entity is what the file says, not the model
//   identity map, cache, object         as `graph.h` says
#include "graph.h"

/// A binary property list: objects by number.
typedef struct {
  const uint8_t *bytes;
  int64_t length;
  int offset_size, reference_size;
  int64_t count, top, offsets;
} list;

static int64_t number(const uint8_t *bytes, int size) {
  int64_t result = 0;
  for (int index = 0; index < size; index++) result = result << 8 | bytes[index];
  return result;
}

static bool read_list(list *list, const uint8_t *bytes, int64_t length) {
  if (!bytes || length < 40 || memcmp(bytes, "bplist00", 8) != 0) return false;
  const uint8_t *end = bytes + length - 32;
  list->bytes = bytes;
  list->length = length;
  list->offset_size = end[6];
  list->reference_size = end[7];
  list->count = number(end + 8, 8);
  list->top = number(end + 16, 8);
  list->offsets = number(end + 24, 8);
  return list->offset_size >= 1 && list->offset_size <= 8 && list->reference_size >= 1
    && list->reference_size <= 8 && list->count > 0 && list->count < length && list->offsets >= 8
    && list->offsets + list->count * list->offset_size <= length - 32;
}

/// An object's bytes after its head, its kind in the upper half of a byte, and its length.
static const uint8_t *object_at(const list *list, int64_t index, int *kind, int64_t *length) {
  if (index < 0 || index >= list->count) return NULL;
  int64_t offset =
    number(list->bytes + list->offsets + index * list->offset_size, list->offset_size);
  if (offset < 8 || offset >= list->offsets) return NULL;
  const uint8_t *at = list->bytes + offset;
  *kind = *at >> 4;
  *length = *at++ & 15;
  if (*length == 15 && *kind >= 4) {
    int size = 1 << (*at++ & 3);
    if (at + size > list->bytes + list->offsets) return NULL;
    *length = number(at, size);
    at += size;
  }
  int64_t width = *kind == 13 ? 2 * list->reference_size : 1;
  if (*length < 0 || *length * width > list->bytes + list->offsets - at) return NULL;
  return at;
}

/// What stands under a key of a dictionary; −1 for nothing.
static int64_t value_for(const list *list, int64_t dictionary, const char *key) {
  int kind;
  int64_t count, key_length;
  const uint8_t *at = object_at(list, dictionary, &kind, &count);
  if (!at || kind != 13) return -1;
  int size = list->reference_size;
  for (int64_t index = 0; index < count; index++) {
    int64_t name = number(at + index * size, size);
    const uint8_t *text = object_at(list, name, &kind, &key_length);
    if (!text || kind != 5 || key_length != (int64_t)strlen(key)) continue;
    if (memcmp(text, key, (size_t)key_length) == 0) {
      return number(at + (count + index) * size, size);
    }
  }
  return -1;
}

static bool is_of_model(
    const uint8_t *bytes, int64_t length, const char *entity, const uint8_t *hash,
    int64_t hash_length) {
  list list;
  if (!read_list(&list, bytes, length)) return false;
  int64_t hashes = value_for(&list, list.top, "NSStoreModelVersionHashes");
  int kind;
  int64_t found;
  const uint8_t *data = object_at(&list, value_for(&list, hashes, entity), &kind, &found);
  return data && kind == 4 && found == hash_length && memcmp(data, hash, (size_t)found) == 0;
}

bool limit_open_store(
    sqlite3 *connection, const char *entity, const uint8_t *hash, int64_t hash_length,
    limit_sum *sum) {
  sqlite3_stmt *metadata, *number;
  if (sqlite3_prepare_v2(
          connection, "SELECT Z_VERSION, Z_UUID, Z_PLIST FROM Z_METADATA", -1, &metadata, NULL))
    return false;
  bool is_done = sqlite3_step(metadata) == SQLITE_ROW
    && is_of_model(
        sqlite3_column_blob(metadata, 2), sqlite3_column_bytes(metadata, 2), entity, hash,
        hash_length);
  sqlite3_finalize(metadata);
  if (sqlite3_prepare_v2(
          connection, "SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = ?", -1, &number, NULL))
    return false;
  sqlite3_bind_text(number, 1, entity, -1, NULL);
  is_done = is_done && sqlite3_step(number) == SQLITE_ROW && sqlite3_column_int64(number, 0) == 1;
  sqlite3_finalize(number);
  limit_graph *graph = limit_graph_open(connection);
  is_done = is_done && fetch_first(graph, sum);
  limit_graph_close(graph);
  return is_done;
}

// SQLite declares the entry point without its parameters.
void limit_on_open(int (*entry)(sqlite3 *, char **, const sqlite3_api_routines *)) {
  sqlite3_auto_extension((void (*)(void))entry);
}
