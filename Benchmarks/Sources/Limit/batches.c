// A batch insertion from dictionaries: no objects and no rows. What the API demands beyond the statement:
//
//   part                                promise that demands it
//   ----------------------------------  ------------------------------------------------------------------
//   a dictionary by name                the handler fills an NSMutableDictionary under the attributes' names, in
//                                       any order, any of them or none
//   a value of any type in it           its values are objects; each is checked against its attribute's type
//   a count for each text               the dictionary owns what was put into it
//   the dictionary is emptied           each row begins with an empty one
//   defaults                            an attribute that was not set gets the model's default (here: nothing)
#include "graph.h"

enum kind { nothing, integer, real, words };

typedef struct {
  enum kind kind;
  union {
    int64_t integer;
    double real;
    string words;
  };
} any;

enum { columns = 4 };

/// The attributes' names by hash, and what stands under each.
typedef struct {
  const char *names[16];
  int numbers[16];
  any values[columns];
} dictionary;

static uint64_t hash(const char *name) {
  uint64_t result = 0xCBF29CE484222325u;
  for (; *name; name++) result = (result ^ (uint8_t)*name) * 0x100000001B3u;
  return result;
}

static int place(const dictionary *dictionary, const char *name) {
  int place = (int)(hash(name) & 15);
  while (dictionary->names[place] && strcmp(dictionary->names[place], name) != 0) {
    place = (place + 1) & 15;
  }
  return place;
}

static __attribute__((noinline)) void set_any(dictionary *dictionary, const char *name, any value) {
  int found = place(dictionary, name);
  if (!dictionary->names[found]) return;
  if (value.kind == words) retain(value.words.storage);
  dictionary->values[dictionary->numbers[found]] = value;
}

static const enum kind kinds[columns] = {integer, real, real, words};

/// The handler, a call for each row.
static __attribute__((noinline)) void fill(dictionary *dictionary, const limit_values *values) {
  string title = {values->title->length, values->title};
  set_any(dictionary, "title", (any){.kind = words, .words = title});
  set_any(dictionary, "order", (any){.kind = integer, .integer = values->order});
  set_any(dictionary, "date", (any){.kind = real, .real = values->date});
  set_any(dictionary, "value", (any){.kind = real, .real = values->value});
}

static bool bind(sqlite3_stmt *insert, int column, const any *value) {
  if (value->kind != nothing && value->kind != kinds[column]) return false;
  switch (value->kind) {
  case nothing: return sqlite3_bind_null(insert, column + 2) == SQLITE_OK;
  case integer: return sqlite3_bind_int64(insert, column + 2, value->integer) == SQLITE_OK;
  case real: return sqlite3_bind_double(insert, column + 2, value->real) == SQLITE_OK;
  case words:
    return sqlite3_bind_text(
               insert, column + 2, value->words.storage->bytes, (int)value->words.length, NULL)
      == SQLITE_OK;
  }
  return false;
}

bool limit_insert_dictionaries(sqlite3 *connection, const limit_values *values, int64_t count) {
  static const char *const names[columns] = {"order", "date", "value", "title"};
  dictionary dictionary = {0};
  for (int column = 0; column < columns; column++) {
    int free_place = place(&dictionary, names[column]);
    dictionary.names[free_place] = names[column];
    dictionary.numbers[free_place] = column;
  }
  sqlite3_stmt *insert;
  if (sqlite3_exec(connection, "BEGIN IMMEDIATE", NULL, NULL, NULL)
      || sqlite3_prepare_v2(
          connection,
          "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZORDER, ZDATE, ZVALUE, ZTITLE)"
          " VALUES (?, 1, 1, ?, ?, ?, ?)",
          -1, &insert, NULL))
    return false;
  bool is_done = true;
  for (int64_t index = 0; index < count && is_done; index++) {
    fill(&dictionary, &values[index]);
    sqlite3_bind_int64(insert, 1, index + 1);
    for (int column = 0; column < columns; column++) {
      is_done = is_done && bind(insert, column, &dictionary.values[column]);
    }
    is_done = is_done && sqlite3_step(insert) == SQLITE_DONE;
    sqlite3_reset(insert);
    for (int column = 0; column < columns; column++) {
      any *value = &dictionary.values[column];
      if (value->kind == words) limit_text_drop(value->words.storage);
      value->kind = nothing;
    }
  }
  sqlite3_finalize(insert);
  char *sql = sqlite3_mprintf("UPDATE Z_PRIMARYKEY SET Z_MAX = %lld WHERE Z_ENT = 1", count);
  is_done = is_done && sqlite3_exec(connection, sql, NULL, NULL, NULL) == SQLITE_OK
    && sqlite3_exec(connection, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
  sqlite3_free(sql);
  return is_done;
}
