internal import CSQLite

extension SQLiteConnection {
  /// Makes this database a copy of another, as the other was at one moment; replaces what was in it.
  func copyContents(of other: SQLiteConnection, timeout: TimeInterval = 30) throws {
    guard let backup = sqlite3_backup_init(handle, "main", other.handle, "main") else {
      throw Self.error(SQLITE_ERROR, of: handle)
    }
    var code = sqlite3_backup_step(backup, -1)
    let deadline = Date(timeIntervalSinceNow: timeout)
    // A step does not wait for locks by itself.
    while code == SQLITE_BUSY || code == SQLITE_LOCKED, Date() < deadline {
      sqlite3_sleep(20)
      code = sqlite3_backup_step(backup, -1)
    }
    let result = sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE, result == SQLITE_OK else {
      throw Self.error(code == SQLITE_DONE ? result : code, of: handle)
    }
  }
}
