#include <sqlite3.h>

// Functions of variable arguments, which Swift cannot call.
static inline int CSQLite_trustSchema(sqlite3 *database, int trusts) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, trusts, (int *)0);
}

static inline int CSQLite_keepLogOnClosing(sqlite3 *database, int keeps) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keeps, (int *)0);
}

// The size of the write-ahead log's file, or 0 without one.
static inline sqlite3_int64 CSQLite_logSize(sqlite3 *database) {
  sqlite3_file *file = 0;
  sqlite3_int64 size = 0;
  if (sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file) != SQLITE_OK
      || !file || !file->pMethods || file->pMethods->xFileSize(file, &size) != SQLITE_OK)
    return 0;
  return size;
}
