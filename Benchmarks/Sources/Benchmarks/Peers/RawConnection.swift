import Foundation
import CSQLite

/// A connection through the C API with nothing in between.
final class RawConnection {
  let handle: OpaquePointer

  init(_ url: URL) throws {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(url.path, &handle, flags, nil)
    guard code == SQLITE_OK, let handle else {
      throw BenchmarkError.sqlite(code, "cannot open")
    }
    // The first connections to a file may come at once, or while the last one of before closes: one of them holds
    // the file alone for a moment.
    sqlite3_busy_timeout(handle, 10_000)
    self.handle = handle
  }

  /// Opens a store with the settings that all sides have.
  convenience init(_ url: URL, settings: ConnectionSettings?) throws {
    try self.init(url)
    if let settings { try execute("PRAGMA synchronous = \(settings.synchronous)") }
  }

  deinit { sqlite3_close_v2(handle) }

  func execute(_ sql: String) throws {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else {
      throw BenchmarkError.sqlite(code, String(cString: sqlite3_errmsg(handle)))
    }
  }
}
