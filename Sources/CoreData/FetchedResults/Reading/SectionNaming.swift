import KeyValueCoding

/// The section names of a list's objects: the value of the section key path, as text.
///
/// Belongs to its context's queue.
final class SectionNaming {
  let keyPath: String
  private let column: KeyColumn
  private var hasLoggedNil = false

  init(_ keyPath: String, layout: EntityLayout) throws {
    self.keyPath = keyPath
    column = try KeyColumn(keyPath, layout: layout)
  }

  /// Whether the names are asked of objects: rows do not have them.
  var isComputed: Bool { column.isComputed }

  /// Whether the names are in the objects' own rows.
  var isStored: Bool { column.isStored }

  /// Where in the objects' own rows; nil elsewhere.
  var slot: Int? { column.slot }

  /// The name; empty for nil, with a line in the log for the first.
  func name(of subject: ListSubject) -> String { name(column.value(of: subject)) }

  /// The name of one whose section key has a value.
  func name(_ value: TypedValue) -> String {
    switch value {
    case .string(let text): return text
    case .null: return unnamed()
    default: return value.any.map { "\($0)" } ?? ""
    }
  }

  private func unnamed() -> String {
    if !hasLoggedNil {
      hasLoggedNil = true
      FetchedResultsLog.error(
        "A section returned nil value for section name key path '\(keyPath)'. "
          + "Objects will be placed in unnamed section")
    }
    return ""
  }
}

/// Lines to the standard error, as Apple's class writes them.
enum FetchedResultsLog {
  static func error(_ text: String) {
    let line = "CoreData: error: (NSFetchedResultsController) \(text)\n"
    FileHandle.standardError.write(Data(line.utf8))
  }
}
