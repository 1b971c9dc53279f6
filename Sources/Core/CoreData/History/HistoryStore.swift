/// A store that can track history.
package protocol HistoryStore: RowStore {
  /// The number of the last recorded transaction, 0 before the first; nil if the store tracks no
  /// history.
  var lastTransactionNumber: Int64? { get throws }

  /// The transactions of a part of the history, from the oldest to the newest.
  func history(_ plan: HistoryPlan) throws -> [NSPersistentHistoryTransaction]

  /// Deletes the transactions of a part of the history, with their changes.
  func deleteHistory(_ plan: HistoryPlan) throws
}

/// The part of a store's history that a request reads or deletes.
package struct HistoryPlan {
  package enum Part {
    case all
    case none
    /// After the transaction with this number; an error if any transaction after it was deleted.
    case after(Int64)
    case afterDate(Date)
    case before(Int64)
    case beforeDate(Date)
  }

  package var part = Part.all
  /// How many transactions, from the oldest; nil for all.
  package var limit: Int?
  package var wantsChanges = false
  /// A test that selects transactions, which are passed without their changes; nil selects all.
  package var matchesTransaction: ((NSPersistentHistoryTransaction) throws -> Bool)?
  /// A test that selects changes; transactions without a selected change are left out. nil selects
  /// all.
  package var matchesChange: ((NSPersistentHistoryChange) throws -> Bool)?

  package var readsChanges: Bool { wantsChanges || matchesChange != nil }
}
