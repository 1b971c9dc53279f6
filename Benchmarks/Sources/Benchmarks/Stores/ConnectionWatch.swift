import RawSQLite
import Synchronization

/// Learns of every SQLite connection that anybody in this process opens, so that a side's settings are
/// read from its own connection: a library may change them after its set-up was asked for.
enum ConnectionWatch {
  /// The connections since the last ``forget()``, as addresses: a lock keeps only Sendable values.
  private static let opened = Mutex<[UInt]>([])

  /// From here on connections are noted.
  static func start() {
    sqlite3_on_open(noteConnection)
  }

  fileprivate static func note(_ handle: OpaquePointer?) {
    opened.withLock { $0.append(UInt(bitPattern: handle)) }
  }

  static func forget() {
    opened.withLock { $0 = [] }
  }

  /// The settings of the connections that `open` makes; they must agree. They have to be open still.
  static func settings<Opened>(
    of name: String, opening open: () throws -> Opened
  ) throws -> (Opened, ConnectionSettings) {
    forget()
    let result = try open()
    let handles = opened.withLock { $0 }.compactMap { OpaquePointer(bitPattern: $0) }
    let settings = try handles.map { try ConnectionSettings(of: $0) }
    guard let first = settings.first else { throw BenchmarkError.noConnection(name) }
    for other in settings where other != first {
      throw BenchmarkError.unequalSettings(name, expected: first, found: other)
    }
    return (result, first)
  }
}

private func noteConnection(
  _ handle: OpaquePointer?, _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ routines: OpaquePointer?
) -> Int32 {
  ConnectionWatch.note(handle)
  return SQLITE_OK
}
