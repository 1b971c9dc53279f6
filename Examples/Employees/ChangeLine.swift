import CoreData

/// The last changes reported by a fetched results controller, as a line of text.
struct ChangeLine {
  private var last: [String] = []
  private var count = 0

  private static let most = 4

  /// Starts a new batch of changes.
  mutating func begin() { self = ChangeLine() }

  mutating func add(_ type: NSFetchedResultsChangeType, section: Int) {
    add("section \(Self.word(type)) \(section)")
  }

  mutating func add(_ type: NSFetchedResultsChangeType, from old: IndexPath?, to new: IndexPath?) {
    let paths = [old.map(Self.text), new.map { "→ \(Self.text($0))" }].compactMap { $0 }
    add("\(Self.word(type)) \(paths.joined(separator: " "))")
  }

  private mutating func add(_ change: String) {
    count += 1
    last = Array((last + [change]).suffix(Self.most))
  }

  /// `2 changes: section insert 3 · move 0.4 → 3.0`; index paths are section and row.
  var text: String {
    if count == 0 { return "No changes yet" }
    let more = count > last.count ? "… · " : ""
    return "\(count) change\(count == 1 ? "" : "s"): \(more)\(last.joined(separator: " · "))"
  }

  static func text(_ path: IndexPath) -> String { "\(path.section).\(path.row)" }

  private static func word(_ type: NSFetchedResultsChangeType) -> String {
    switch type {
    case .insert: "insert"
    case .delete: "delete"
    case .move: "move"
    case .update: "update"
    }
  }
}
