/// A request for the history of stores, or for the deletion of its beginning. A context's
/// `execute(_:)` answers it with an ``NSPersistentHistoryResult``.
///
/// Stores that track no history are skipped; if none does, execution throws error 134091.
///
/// Source: developer.apple.com/documentation/coredata/nspersistenthistorychangerequest
public final class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
  /// The point where the requested part of the history begins or ends.
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
  /// The form of the result; transactions and their changes by default. A deletion's result is
  /// always a status.
  public var resultType = NSPersistentHistoryResultType.transactionsAndChanges
  /// A fetch request for transactions or changes, which selects, sorts and limits them, made with
  /// `NSPersistentHistoryTransaction.fetchRequest` or `NSPersistentHistoryChange.fetchRequest`. It
  /// applies in addition to the point where the history begins.
  public var fetchRequest: NSFetchRequest<NSFetchRequestResult>?

  init(_ action: Action) { self.action = action }

  /// A request for the history after a date.
  public class func fetchHistory(after date: Date) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(.fetch(after: .date(date)))
  }

  /// A request for the history after a token; all of it for nil.
  public class func fetchHistory(
    after token: NSPersistentHistoryToken?
  ) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(.fetch(after: token.map(Point.token) ?? .start))
  }

  /// A request for the history after a transaction; all of it for nil.
  public class func fetchHistory(
    after transaction: NSPersistentHistoryTransaction?
  ) -> NSPersistentHistoryChangeRequest {
    fetchHistory(after: transaction?.token)
  }

  /// A request for the transactions or changes that a fetch request matches.
  public class func fetchHistory<T: NSFetchRequestResult>(
    withFetch fetchRequest: NSFetchRequest<T>
  ) -> NSPersistentHistoryChangeRequest {
    let request = NSPersistentHistoryChangeRequest(.fetch(after: .start))
    request.fetchRequest = fetchRequest.erased
    return request
  }

  /// A request to delete the history before a date.
  public class func deleteHistory(before date: Date) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(.delete(before: .date(date)))
  }

  /// A request to delete the history before a token's last transaction, which stays; nothing for
  /// nil.
  public class func deleteHistory(
    before token: NSPersistentHistoryToken?
  ) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(.delete(before: token.map(Point.token) ?? .start))
  }

  /// A request to delete the history before a transaction, which stays; nothing for nil.
  public class func deleteHistory(
    before transaction: NSPersistentHistoryTransaction?
  ) -> NSPersistentHistoryChangeRequest {
    deleteHistory(before: transaction?.token)
  }

  /// The token that the request was made with, or the token of its transaction.
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
