import CSQLite
import Limit
import Synchronization

/// Knows every SQLite connection that anybody in this process has open, so that a side's settings are
/// read from its own connection: a library may change them after its set-up was asked for.
enum ConnectionWatch {
  /// The open connections since the last ``forget()``, as addresses: a lock keeps only Sendable values.
  private static let open = Mutex<[UInt]>([])

  /// From here on connections are noted.
  static func start() {
    limit_on_open(noteOpening)
  }

  private static func forget() {
    open.withLock { $0 = [] }
  }

  fileprivate static func add(_ connection: UInt) {
    open.withLock { $0.append(connection) }
  }

  fileprivate static func remove(_ connection: UInt) {
    open.withLock { $0.removeAll { $0 == connection } }
  }

  /// The settings of the connections that `body` opens and leaves open; they must agree.
  static func settings<Opened>(
    of name: String, opening body: () throws -> Opened
  ) throws -> (Opened, ConnectionSettings) {
    forget()
    let result = try body()
    let handles = open.withLock { $0 }.compactMap { OpaquePointer(bitPattern: $0) }
    let settings = try handles.map { try ConnectionSettings(of: $0) }
    guard let first = settings.first else { throw BenchmarkError.noConnection(name) }
    for other in settings where other != first {
      throw BenchmarkError.unequalSettings(name, expected: first, found: other)
    }
    return (result, first)
  }
}

/// SQLite calls this for each new connection. A function of SQL that nobody calls is left on it, because
/// SQLite tells when it drops one: that is when the connection closes.
private func noteOpening(
  _ handle: OpaquePointer?, _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ routines: OpaquePointer?
) -> Int32 {
  ConnectionWatch.add(UInt(bitPattern: handle))
  let address = UnsafeMutableRawPointer(handle)
  return sqlite3_create_function_v2(
    handle, "connection_watch", 0, SQLITE_UTF8, address, answerNothing, nil, nil, noteClosing)
}

private func answerNothing(
  _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
) {
  sqlite3_result_null(context)
}

private func noteClosing(_ address: UnsafeMutableRawPointer?) {
  ConnectionWatch.remove(UInt(bitPattern: address))
}
