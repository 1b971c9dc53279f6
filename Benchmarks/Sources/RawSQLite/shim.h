#include <sqlite3.h>

/// Has `entry` called for each connection that this process opens from now on. SQLite declares the
/// entry point without its parameters and calls it with these three.
static inline int sqlite3_on_open(
    int (*entry)(sqlite3 *, char **, const struct sqlite3_api_routines *)) {
  return sqlite3_auto_extension((void (*)(void))entry);
}
