import KeyValueCoding

/// The section names of a list's objects: the value of the section key path, as text.
///
/// Confined to its context's queue.
final class SectionNaming {
  let keyPath: String
  private let column: KeyColumn
  private var hasLoggedNil = false

  init(_ keyPath: String, layout: EntityLayout) throws {
    self.keyPath = keyPath
    column = try KeyColumn(keyPath, layout: layout)
  }

  /// Whether only objects can compute the names: rows do not have them.
  var isComputed: Bool { column.isComputed }

  /// Whether the names are in the objects' own rows.
  var isStored: Bool { column.isStored }

  /// The slot of the names in the objects' own rows; nil if they are not there.
  var slot: Int? { column.slot }

  /// The name; empty if the value is nil, which is logged once.
  func name(of subject: ListSubject) -> String { name(column.value(of: subject)) }

  /// The name of a section whose key has this value.
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

/// Writes lines to the standard error, in the format of Apple's class.
enum FetchedResultsLog {
  static func error(_ text: String) {
    let line = "CoreData: error: (NSFetchedResultsController) \(text)\n"
    FileHandle.standardError.write(Data(line.utf8))
  }
}
