#include <sqlite3.h>

// Functions of variable arguments, which Swift cannot call.
static inline int CSQLite_trustSchema(sqlite3 *database, int trusts) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, trusts, (int *)0);
}

static inline int CSQLite_keepLogOnClosing(sqlite3 *database, int keeps) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keeps, (int *)0);
}
