import Synchronization

/// Prints the statements of all stores, as far as that is asked for, and tells an observer.
///
///     -com.apple.CoreData.SQLDebug 1     each statement, how long it took and how many rows it gave
///     -com.apple.CoreData.SQLDebug 3     its values too
///     OPENCOREDATA_SQL_DEBUG             the same as an environment variable
package enum StatementTrace {
  struct Observer {
    let duration: Duration
    let body: @Sendable (StoreStatement) -> Void
  }

  static let observer = Mutex<Observer?>(nil)
  static let hasObserver = Atomic(false)
  private static let variable = "OPENCOREDATA_SQL_DEBUG"
  private static let launchArgument = "com.apple.CoreData.SQLDebug"

  /// 0 for nothing.
  package static let level: Int = {
    if let value = getenv(variable) { return Int(String(cString: value)) ?? 0 }
    return UserDefaults.standard.integer(forKey: launchArgument)
  }()

  /// Whether anybody wants to know. Looked at for each statement.
  @inline(__always)
  package static var isOn: Bool { hasObserver.load(ordering: .relaxed) || level > 0 }

  /// - Parameter values: asked for where they are printed.
  package static func note(_ statement: StoreStatement, values: () -> [String]) {
    let observer = observer.withLock { $0 }
    if let observer, statement.duration >= observer.duration { observer.body(statement) }
    guard level > 0 else { return }
    var lines = ["CoreData: sql: \(statement.sql)"]
    if level >= 3 {
      lines += values().enumerated().map {
        "CoreData: details: \(statement.engine) bind[\($0)] = \($1)"
      }
    }
    let seconds = String(format: "%.4f", statement.duration / .seconds(1))
    lines.append(
      "CoreData: annotation: total execution time: \(seconds)s for \(statement.rows) rows.")
    FileHandle.standardError.write(Data((lines.joined(separator: "\n") + "\n").utf8))
  }
}
