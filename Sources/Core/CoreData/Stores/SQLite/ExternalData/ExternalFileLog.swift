internal import CSQLite

/// Records the external files whose last reference the writing connection's statements drop. It
/// uses temporary triggers, which belong to the connection and are never in the file. They see
/// every change and deletion of a row, by a batch request as well as by a save.
///
///     UPDATE or DELETE ─trigger→ CoreDataDropExternalFile(old reference) ─→ names
///
/// Sendable: guarded by the lock of the writing connection.
final class ExternalFileLog: @unchecked Sendable {
  private static let function = "CoreDataDropExternalFile"

  private var names: [UUID] = []

  /// Removes and returns the names that were recorded since the last call.
  func take() -> [UUID] {
    defer { names = [] }
    return names
  }

  func install(on connection: SQLiteConnection, for columns: [ExternalColumn]) throws {
    guard !columns.isEmpty else { return }
    try register(on: connection)
    for column in columns {
      for trigger in column.triggers(calling: Self.function) { try connection.execute(trigger) }
    }
  }

  // SQLITE_DIRECTONLY: only temporary triggers can call the function, not those in the file.
  // `Unmanaged` is sound: the connection retains the log until SQLite destroys the function.
  private func register(on connection: SQLiteConnection) throws {
    let kept = Unmanaged.passRetained(self).toOpaque()
    let code = sqlite3_create_function_v2(
      connection.handle, Self.function, 1, SQLITE_UTF8 | SQLITE_DIRECTONLY, kept,
      { context, _, arguments in
        guard let kept = sqlite3_user_data(context), let value = arguments?[0] else { return }
        let log = Unmanaged<ExternalFileLog>.fromOpaque(kept).takeUnretainedValue()
        if let name = ExternalReference.name(in: SQLiteFunctions.data(value)) {
          log.names.append(name)
        }
      }, nil, nil, { kept in kept.map { Unmanaged<ExternalFileLog>.fromOpaque($0).release() } })
    if code != SQLITE_OK { throw SQLiteConnection.error(code, of: connection.handle) }
  }
}

/// A column whose values may be references to external files.
struct ExternalColumn: Hashable {
  let table: String
  let column: String

  /// A condition for rows whose value is in an external file.
  func isReference(_ row: String) -> String {
    let value = "\(row)\(SQLIdentifier.quoted(column))"
    return "typeof(\(value)) = 'blob' AND length(\(value)) = 38 AND substr(\(value), 1, 1) = x'02'"
  }

  fileprivate func triggers(calling function: String) -> [String] {
    let (table, column) = (SQLIdentifier.quoted(table), SQLIdentifier.quoted(column))
    let action = "BEGIN SELECT \(function)(OLD.\(column)); END"
    func name(_ event: String) -> String {
      SQLIdentifier.quoted("CoreData_\(self.table)_\(self.column)_\(event)")
    }
    return [
      "CREATE TEMP TRIGGER \(name("UPDATE")) AFTER UPDATE OF \(column) ON main.\(table) "
        + "WHEN \(isReference("OLD.")) AND OLD.\(column) IS NOT NEW.\(column) \(action)",
      "CREATE TEMP TRIGGER \(name("DELETE")) AFTER DELETE ON main.\(table) "
        + "WHEN \(isReference("OLD.")) \(action)",
    ]
  }
}

extension SQLMapping {
  /// The columns of attributes that allow external storage, each once.
  var externalColumns: [ExternalColumn] {
    var found: Set<ExternalColumn> = []
    for entity in allEntities {
      for (slot, column) in zip(entity.layout.slots, entity.columns) {
        let attribute = slot.property as? NSAttributeDescription
        guard let column, attribute?.allowsExternalBinaryDataStorage == true else { continue }
        found.insert(ExternalColumn(table: entity.table, column: column.name))
      }
    }
    return found.sorted { ($0.table, $0.column) < ($1.table, $1.column) }
  }
}
