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
open class NSPersistentHistoryResult: NSPersistentStoreResult {
  /// The result, in the form that ``resultType`` names.
  open var result: Any? { storedResult }
  /// The form of ``result``.
  open var resultType: NSPersistentHistoryResultType { storedType }
  private let storedResult: Any?
  private let storedType: NSPersistentHistoryResultType

  init(_ result: Any?, type: NSPersistentHistoryResultType) {
    storedResult = result
    storedType = type
  }

  /// Makes an empty result, for subclasses in tests.
  public override init() {
    storedResult = nil
    storedType = .statusOnly
  }
}
