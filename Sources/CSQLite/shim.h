#include <sqlite3.h>

// A function of variable arguments, which Swift cannot call.
static inline int CSQLite_keepLogOnClosing(sqlite3 *database, int keeps) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keeps, (int *)0);
}
