#include "graph.h"

static const char text_type, row_type;

text *limit_text_make(const char *bytes, int64_t length) {
  text *text = malloc(sizeof *text + (size_t)length + 1);
  text->head.type = &text_type;
  atomic_init(&text->head.count, 1);
  text->capacity = text->length = length;
  memcpy(text->bytes, bytes, (size_t)length);
  text->bytes[length] = 0;
  return text;
}

void limit_text_drop(text *text) {
  if (release(text)) free(text);
}

/// Whether these bytes are UTF-8. Eight at a time as long as they are ASCII.
static bool is_text(const uint8_t *bytes, int64_t length) {
  int64_t at = 0;
  for (; at + 8 <= length; at += 8) {
    uint64_t eight;
    memcpy(&eight, bytes + at, 8);
    if (eight & 0x8080808080808080u) break;
  }
  while (at < length) {
    uint8_t lead = bytes[at++];
    if (lead < 0x80) continue;
    int more = lead >= 0xC2 && lead < 0xE0 ? 1 : lead >= 0xE0 && lead < 0xF0 ? 2
      : lead >= 0xF0 && lead < 0xF5 ? 3 : 0;
    if (more == 0 || at + more > length) return false;
    uint8_t low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    uint8_t high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (bytes[at] < low || bytes[at] > high) return false;
    for (int next = 1; next < more; next++) {
      if ((bytes[at + next] & 0xC0) != 0x80) return false;
    }
    at += more;
  }
  return true;
}

row *row_make(limit_graph *graph, int64_t key, int64_t version) {
  row *made = malloc(sizeof *made);
  made->head.type = &row_type;
  atomic_init(&made->head.count, 1);
  made->graph = graph;
  made->key = key;
  made->version = version;
  made->present = 0;
  made->published = false;
  return made;
}

/// Columns: Z_PK, Z_OPT, ZORDER, ZPARENT, ZDATE, ZVALUE, ZTITLE. Each may hold nothing.
row *row_read(limit_graph *graph, sqlite3_stmt *statement) {
  row *made = row_make(
      graph, sqlite3_column_int64(statement, 0), sqlite3_column_int64(statement, 1));
  if (sqlite3_column_type(statement, 2) != SQLITE_NULL) {
    made->order = sqlite3_column_int64(statement, 2);
    made->present |= has_order;
  }
  if (sqlite3_column_type(statement, 3) != SQLITE_NULL) {
    made->parent = sqlite3_column_int64(statement, 3);
    made->present |= has_parent;
  }
  if (sqlite3_column_type(statement, 4) != SQLITE_NULL) {
    made->date = sqlite3_column_double(statement, 4);
    made->present |= has_date;
  }
  if (sqlite3_column_type(statement, 5) != SQLITE_NULL) {
    made->value = sqlite3_column_double(statement, 5);
    made->present |= has_value;
  }
  const unsigned char *bytes = sqlite3_column_text(statement, 6);
  if (bytes) {
    int64_t length = sqlite3_column_bytes(statement, 6);
    if (is_text(bytes, length)) {
      made->title = (string){length, limit_text_make((const char *)bytes, length)};
      made->present |= has_title;
    }
  }
  return made;
}

row *row_copy(const row *old) {
  row *made = row_make(old->graph, old->key, old->version);
  made->present = old->present;
  made->order = old->order;
  made->date = old->date;
  made->value = old->value;
  made->parent = old->parent;
  if (old->present & has_title) {
    retain(old->title.storage);
    made->title = old->title;
  }
  return made;
}

void row_drop(row *row) {
  if (!release(row)) return;
  if (row->published) {
    pthread_mutex_lock(&row->graph->lock);
    table_leave(&row->graph->rows, row);
    pthread_mutex_unlock(&row->graph->lock);
  }
  if (row->present & has_title) limit_text_drop(row->title.storage);
  free(row);
}

void rows_publish(limit_graph *graph, row **rows, int64_t count) {
  pthread_mutex_lock(&graph->lock);
  for (int64_t index = 0; index < count; index++) {
    rows[index]->published = true;
    table_enter(&graph->rows, rows[index]);
  }
  pthread_mutex_unlock(&graph->lock);
}
