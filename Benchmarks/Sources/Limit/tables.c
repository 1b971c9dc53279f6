#include "graph.h"

static inline int64_t key_of(const table *table, const void *item) {
  return *(const int64_t *)((const char *)item + table->key_offset);
}

static inline int64_t home(const table *table, int64_t key) {
  return (int64_t)((uint64_t)key * 0x9E3779B97F4A7C15u >> 20) & (table->capacity - 1);
}

void *table_find(const table *table, int64_t key) {
  if (table->count == 0) return NULL;
  for (int64_t place = home(table, key);; place = (place + 1) & (table->capacity - 1)) {
    void *item = table->places[place];
    if (!item || key_of(table, item) == key) return item;
  }
}

static void put(table *table, void *item) {
  int64_t key = key_of(table, item);
  int64_t place = home(table, key);
  while (table->places[place]) {
    // The newest row of a key takes the place of the one before it.
    if (key_of(table, table->places[place]) == key) {
      table->places[place] = item;
      return;
    }
    place = (place + 1) & (table->capacity - 1);
  }
  table->places[place] = item;
  table->count += 1;
}

static void grow(table *table) {
  void **old = table->places;
  int64_t length = table->capacity;
  table->capacity = length ? length * 2 : 16;
  table->places = calloc((size_t)table->capacity, sizeof(void *));
  table->count = 0;
  for (int64_t place = 0; place < length; place++) {
    if (old[place]) put(table, old[place]);
  }
  free(old);
}

void table_enter(table *table, void *item) {
  if ((table->count + 1) * 4 > table->capacity * 3) grow(table);
  put(table, item);
}

void table_leave(table *table, void *item) {
  if (table->count == 0) return;
  int64_t mask = table->capacity - 1;
  int64_t gap = home(table, key_of(table, item));
  while (table->places[gap] != item) {
    if (!table->places[gap]) return;
    gap = (gap + 1) & mask;
  }
  for (int64_t next = (gap + 1) & mask; table->places[next]; next = (next + 1) & mask) {
    int64_t wanted = home(table, key_of(table, table->places[next]));
    if (((next - wanted) & mask) < ((next - gap) & mask)) continue;
    table->places[gap] = table->places[next];
    gap = next;
  }
  table->places[gap] = NULL;
  table->count -= 1;
}

void roster_add(roster *roster, void *item) {
  if (roster->count == roster->capacity) {
    roster->capacity = roster->capacity ? roster->capacity * 2 : 16;
    roster->items = realloc(roster->items, (size_t)roster->capacity * sizeof(void *));
  }
  roster->items[roster->count++] = item;
}

void roster_end(roster *roster) {
  free(roster->items);
  memset(roster, 0, sizeof *roster);
}

set set_make(int64_t count) {
  int64_t capacity = 16;
  while (capacity * 3 < count * 4) capacity *= 2;
  return (set){.places = calloc((size_t)capacity, sizeof(void *)), .mask = capacity - 1};
}

static inline uint64_t turn(uint64_t word, int bits) { return word << bits | word >> (64 - bits); }

#define ROUND                                                                                     \
  a += b; b = turn(b, 13) ^ a; a = turn(a, 32); c += d; d = turn(d, 16) ^ c;                      \
  a += d; d = turn(d, 21) ^ a; c += b; b = turn(b, 17) ^ c; c = turn(c, 32)

/// SipHash-1-3 of one word under a key, as Swift's Hasher.
static uint64_t hash(uint64_t word) {
  static const uint64_t first = 0x0706050403020100u, second = 0x0F0E0D0C0B0A0908u;
  uint64_t a = first ^ 0x736F6D6570736575u, b = second ^ 0x646F72616E646F6Du;
  uint64_t c = first ^ 0x6C7967656E657261u, d = second ^ 0x7465646279746573u;
  d ^= word; ROUND; a ^= word;
  uint64_t end = (uint64_t)8 << 56;
  d ^= end; ROUND; a ^= end;
  c ^= 0xFF; ROUND; ROUND; ROUND;
  return a ^ b ^ c ^ d;
}

void set_add(set *set, void *item) {
  // Objects are hashed by their address or key: one word either way.
  int64_t place = (int64_t)hash((uint64_t)(uintptr_t)item) & set->mask;
  while (set->places[place]) place = (place + 1) & set->mask;
  retain(item);
  set->places[place] = item;
}
