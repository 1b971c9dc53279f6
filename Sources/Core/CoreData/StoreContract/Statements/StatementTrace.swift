import Synchronization

/// Prints the statements of all stores, if a setting asks for it, and passes them to the observer.
///
///     -com.apple.CoreData.SQLDebug 1     each statement with its duration and number of rows
///     -com.apple.CoreData.SQLDebug 3     its values too
///     OPENCOREDATA_SQL_DEBUG             the level as an environment variable, which wins
package enum StatementTrace {
  struct Observer {
    let duration: Duration
    let body: @Sendable (StoreStatement) -> Void
  }

  static let observer = Mutex<Observer?>(nil)
  static let hasObserver = Atomic(false)
  private static let variable = "OPENCOREDATA_SQL_DEBUG"
  private static let launchArgument = "com.apple.CoreData.SQLDebug"

  /// The level of printing; 0 prints nothing.
  package static let level: Int = {
    if let value = getenv(variable) { return Int(String(cString: value)) ?? 0 }
    return UserDefaults.standard.integer(forKey: launchArgument)
  }()

  /// Whether statements are observed or printed. Read for each statement.
  @inline(__always)
  package static var isOn: Bool { hasObserver.load(ordering: .relaxed) || level > 0 }

  /// Passes a statement to the observer and prints it, as far as the settings ask for it.
  ///
  /// - Parameter values: the statement's values; called only if they are printed.
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
