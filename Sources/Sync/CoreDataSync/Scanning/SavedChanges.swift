import CoreData

/// What applications have saved since a point of the store's history.
struct SavedChanges {
  struct Property: Hashable, Comparable {
    let object: String
    let name: String

    static func < (one: Property, other: Property) -> Bool {
      (one.object, one.name) < (other.object, other.name)
    }
  }
  /// When a property was last named, and by which transaction; nil where the history does not say.
  struct Naming {
    let time: Int64
    let transaction: Int64?
    /// What no other transaction is called, in whatever copy of the store.
    var origin: String?
  }
  struct Deletion {
    let objects: Set<String>
    let time: Int64
    let transaction: Int64?
  }
  /// Objects that were inserted, and when, in this device's milliseconds.
  var inserted: [String: Int64] = [:]
  /// The names of their records: of the transaction that inserted an object, so that whoever reads
  /// it, in a copy of the store as well, gives the same name.
  var names: [String: RecordID] = [:]
  var named: [Property: Naming] = [:]
  var deletions: [Deletion] = []
  /// Whether the history is gone, and everything is compared.
  var isEverything = false
  /// Whether nothing was scanned before.
  var isFirst = false
  /// The point of the history up to which this goes; nil for where it began.
  var token: [UInt8]?
  /// The last transaction up to there.
  var last: Standing.Transaction?
  /// What is learned anew, where the store and sync's own are of different days.
  var relearning: Relearning?

  var isEmpty: Bool { inserted.isEmpty && named.isEmpty && deletions.isEmpty }

  /// The transaction that deleted an object.
  var deletingTransactions: [String: Int64?] {
    Dictionary(
      deletions.flatMap { deletion in deletion.objects.map { ($0, deletion.transaction) } }
    ) { first, _ in first }
  }
}
