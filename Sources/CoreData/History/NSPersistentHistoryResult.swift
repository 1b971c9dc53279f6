/// What the result of a history request holds.
public enum NSPersistentHistoryResultType: Int, Sendable {
  /// Whether it went well: `Bool`.
  case statusOnly = 0
  /// The IDs of the objects that were changed, each once, in the order of their first change:
  /// `[NSManagedObjectID]`.
  case objectIDs = 1
  /// How many transactions: `Int`.
  case count = 2
  /// `[NSPersistentHistoryTransaction]` without their changes.
  case transactionsOnly = 3
  /// `[NSPersistentHistoryChange]`.
  case changesOnly = 4
  /// `[NSPersistentHistoryTransaction]` with their changes.
  case transactionsAndChanges = 5

  var needsChanges: Bool {
    switch self {
    case .objectIDs, .changesOnly, .transactionsAndChanges: true
    case .statusOnly, .count, .transactionsOnly: false
    }
  }
}

/// The outcome of a ``NSPersistentHistoryChangeRequest``, from the oldest to the newest unless the request's
/// fetch request has sort descriptors.
///
/// Source: developer.apple.com/documentation/coredata/nspersistenthistoryresult
public final class NSPersistentHistoryResult: NSPersistentStoreResult {
  /// What ``resultType`` says.
  public let result: Any?
  public let resultType: NSPersistentHistoryResultType

  init(_ result: Any?, _ type: NSPersistentHistoryResultType) {
    self.result = result
    resultType = type
  }
}
