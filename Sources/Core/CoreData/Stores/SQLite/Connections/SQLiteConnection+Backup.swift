internal import CSQLite

extension SQLiteConnection {
  /// Makes this database a copy of another one, as of one moment, and replaces its contents.
  ///
  /// `condition` is called once other writers of this database are locked out. Returns its result;
  /// if false, nothing is changed.
  @discardableResult
  func copyContents(
    of other: SQLiteConnection, timeout: TimeInterval = 30,
    if condition: () throws -> Bool = { true }
  ) throws -> Bool {
    guard let backup = sqlite3_backup_init(handle, "main", other.handle, "main") else {
      throw Self.error(SQLITE_ERROR, of: handle)
    }
    // The first page acquires the lock. A database of a single page holds no table.
    var code = Self.step(backup, pages: 1, timeout: timeout)
    do {
      if code == SQLITE_OK, try !condition() {
        sqlite3_backup_finish(backup)
        return false
      }
    } catch {
      sqlite3_backup_finish(backup)
      throw error
    }
    if code == SQLITE_OK { code = Self.step(backup, pages: -1, timeout: timeout) }
    let result = sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE, result == SQLITE_OK else {
      throw Self.error(code == SQLITE_DONE ? result : code, of: handle)
    }
    return true
  }

  /// Copies pages. Waits for locks up to `timeout` seconds, since a backup step does not wait by
  /// itself.
  private static func step(
    _ backup: OpaquePointer, pages: Int32, timeout: TimeInterval
  ) -> Int32 {
    let deadline = Date(timeIntervalSinceNow: timeout)
    while true {
      let code = sqlite3_backup_step(backup, pages)
      guard code == SQLITE_BUSY || code == SQLITE_LOCKED, Date() < deadline else { return code }
      sqlite3_sleep(20)
    }
  }
}
