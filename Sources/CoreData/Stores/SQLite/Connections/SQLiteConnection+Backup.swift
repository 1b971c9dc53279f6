internal import CSQLite

extension SQLiteConnection {
  /// Makes this database a copy of another, as the other was at one moment; replaces what was in it.
  ///
  /// `condition` is asked once nobody else can write to this database any more. Returns what it says; false leaves
  /// everything as it is.
  @discardableResult
  func copyContents(
    of other: SQLiteConnection, timeout: TimeInterval = 30,
    if condition: () throws -> Bool = { true }
  ) throws -> Bool {
    guard let backup = sqlite3_backup_init(handle, "main", other.handle, "main") else {
      throw Self.error(SQLITE_ERROR, of: handle)
    }
    // The first page brings the lock; a database of one page alone holds no table.
    var code = Self.step(backup, pages: 1, timeout)
    do {
      if code == SQLITE_OK, try !condition() {
        sqlite3_backup_finish(backup)
        return false
      }
    } catch {
      sqlite3_backup_finish(backup)
      throw error
    }
    if code == SQLITE_OK { code = Self.step(backup, pages: -1, timeout) }
    let result = sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE, result == SQLITE_OK else {
      throw Self.error(code == SQLITE_DONE ? result : code, of: handle)
    }
    return true
  }

  /// A step does not wait for locks by itself.
  private static func step(
    _ backup: OpaquePointer, pages: Int32, _ timeout: TimeInterval
  ) -> Int32 {
    let deadline = Date(timeIntervalSinceNow: timeout)
    while true {
      let code = sqlite3_backup_step(backup, pages)
      guard code == SQLITE_BUSY || code == SQLITE_LOCKED, Date() < deadline else { return code }
      sqlite3_sleep(20)
    }
  }
}
