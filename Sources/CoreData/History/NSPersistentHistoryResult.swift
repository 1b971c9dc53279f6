/// The forms of the result of a history request.
public enum NSPersistentHistoryResultType: Int, Sendable {
  /// A `Bool`: true if the request succeeded.
  case statusOnly = 0
  /// `[NSManagedObjectID]`: the changed objects, each once, in the order of their first change.
  case objectIDs = 1
  /// `Int`: the number of transactions.
  case count = 2
  /// `[NSPersistentHistoryTransaction]`, without their changes.
  case transactionsOnly = 3
  /// `[NSPersistentHistoryChange]`.
  case changesOnly = 4
  /// `[NSPersistentHistoryTransaction]`, with their changes.
  case transactionsAndChanges = 5

  var needsChanges: Bool {
    switch self {
    case .objectIDs, .changesOnly, .transactionsAndChanges: true
    case .statusOnly, .count, .transactionsOnly: false
    }
  }
}

/// The result of an ``NSPersistentHistoryChangeRequest``, from the oldest to the newest unless the
/// request's fetch request has sort descriptors.
///
/// Source: developer.apple.com/documentation/coredata/nspersistenthistoryresult
public final class NSPersistentHistoryResult: NSPersistentStoreResult {
  /// The result, in the form that ``resultType`` names.
  public let result: Any?
  /// The form of ``result``.
  public let resultType: NSPersistentHistoryResultType

  init(_ result: Any?, _ type: NSPersistentHistoryResultType) {
    self.result = result
    resultType = type
  }
}
