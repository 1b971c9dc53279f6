/// A store that can note its history.
package protocol HistoryStore: RowStore {
  /// The number of the last transaction that was noted, 0 before the first; nil for a store that notes none.
  var lastTransactionNumber: Int64? { get throws }

  /// The transactions of a part of the history, from the oldest to the newest.
  func history(_ plan: HistoryPlan) throws -> [NSPersistentHistoryTransaction]

  /// Deletes the transactions of a part of the history with their changes.
  func deleteHistory(_ plan: HistoryPlan) throws
}

/// Which part of a store's history is meant.
package struct HistoryPlan {
  package enum Part {
    case all
    case none
    /// After the transaction with this number; an error if some of what came after it was deleted.
    case after(Int64)
    case afterDate(Date)
    case before(Int64)
    case beforeDate(Date)
  }

  package var part = Part.all
  package var wantsChanges = false
  /// Which transactions; all if nil. They come without their changes.
  package var matchesTransaction: ((NSPersistentHistoryTransaction) throws -> Bool)?
  /// Which changes; transactions without such a change do not count. All if nil.
  package var matchesChange: ((NSPersistentHistoryChange) throws -> Bool)?

  package var readsChanges: Bool { wantsChanges || matchesChange != nil }
}
