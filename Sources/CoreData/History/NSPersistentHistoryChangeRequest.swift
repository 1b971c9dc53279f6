/// Asks stores for their history, or has the beginning of it deleted. Given to a context's `execute(_:)`,
/// which answers with a ``NSPersistentHistoryResult``.
///
/// Stores without a history are left out, unless there is no other.
///
/// Source: developer.apple.com/documentation/coredata/nspersistenthistorychangerequest
public final class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
  /// Where the part of the history that is meant begins or ends.
  enum Point {
    case start
    case date(Date)
    case token(NSPersistentHistoryToken)
  }

  enum Action {
    case fetch(after: Point)
    case delete(before: Point)
  }

  let action: Action
  /// What the result holds: transactions and their changes by default. A deletion tells whether it went well.
  public var resultType = NSPersistentHistoryResultType.transactionsAndChanges
  /// Which transactions or changes, in what order and how many of them: a request made by
  /// `NSPersistentHistoryTransaction.fetchRequest` or `NSPersistentHistoryChange.fetchRequest`. What it
  /// says counts together with where the history begins.
  public var fetchRequest: NSFetchRequest<NSFetchRequestResult>?

  init(_ action: Action) { self.action = action }

  /// What came after a date.
  public class func fetchHistory(after date: Date) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(.fetch(after: .date(date)))
  }

  /// What came after a token; everything for nil.
  public class func fetchHistory(
    after token: NSPersistentHistoryToken?
  ) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(.fetch(after: token.map(Point.token) ?? .start))
  }

  /// What came after a transaction; everything for nil.
  public class func fetchHistory(
    after transaction: NSPersistentHistoryTransaction?
  ) -> NSPersistentHistoryChangeRequest {
    fetchHistory(after: transaction?.token)
  }

  /// What a request for transactions or changes describes.
  public class func fetchHistory<T: NSFetchRequestResult>(
    withFetch fetchRequest: NSFetchRequest<T>
  ) -> NSPersistentHistoryChangeRequest {
    let request = NSPersistentHistoryChangeRequest(.fetch(after: .start))
    request.fetchRequest = fetchRequest.erased
    return request
  }

  /// Deletes what came before a date.
  public class func deleteHistory(before date: Date) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(.delete(before: .date(date)))
  }

  /// Deletes what came before a token's last transaction, which stays; nothing for nil.
  public class func deleteHistory(
    before token: NSPersistentHistoryToken?
  ) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(.delete(before: token.map(Point.token) ?? .start))
  }

  /// Deletes what came before a transaction, which stays; nothing for nil.
  public class func deleteHistory(
    before transaction: NSPersistentHistoryTransaction?
  ) -> NSPersistentHistoryChangeRequest {
    deleteHistory(before: transaction?.token)
  }

  /// The token that the request was made with, or that of its transaction.
  public var token: NSPersistentHistoryToken? {
    switch action {
    case .fetch(.token(let token)), .delete(.token(let token)): token
    default: nil
    }
  }

  public override var requestType: NSPersistentStoreRequestType { .persistentHistoryRequestType }

  public override func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSPersistentHistoryChangeRequest(action)
    copy.resultType = resultType
    copy.fetchRequest = fetchRequest?.copy() as? NSFetchRequest<NSFetchRequestResult>
    copy.affectedStores = affectedStores
    return copy
  }
}
