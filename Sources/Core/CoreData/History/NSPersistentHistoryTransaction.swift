import KeyValueCoding

/// A transaction of the history, written by one save or one batch request: its author, time and
/// changes.
///
/// Equal to every other instance for the same transaction of the same store.
///
/// Source: developer.apple.com/documentation/coredata/nspersistenthistorytransaction
///
/// Sendable: immutable after `init`. Subclasses stand in for transactions in tests.
open class NSPersistentHistoryTransaction: NSObject, NSCopying, @unchecked Sendable {
  /// A transaction as recorded by the store, without its changes.
  package struct Record: Sendable {
    package var number: Int64
    package var storeUUID: String
    package var timestamp: Date
    package var author: String?
    package var contextName: String?
    package var bundleID: String?
    package var processID: String?

    package init(
      number: Int64, storeUUID: String, timestamp: Date, author: String?, contextName: String?,
      bundleID: String?, processID: String?
    ) {
      self.number = number
      self.storeUUID = storeUUID
      self.timestamp = timestamp
      self.author = author
      self.contextName = contextName
      self.bundleID = bundleID
      self.processID = processID
    }
  }

  package let record: Record
  /// The changes in the order in which they were written; nil if transactions alone were requested.
  open var changes: [NSPersistentHistoryChange]? { storedChanges }
  private let storedChanges: [NSPersistentHistoryChange]?

  package init(_ record: Record, changes: [NSPersistentHistoryChange]? = nil) {
    self.record = record
    storedChanges = changes
  }

  /// Makes a transaction of no store, for subclasses in tests.
  public override init() {
    record = Record(
      number: 0, storeUUID: "", timestamp: .distantPast, author: nil, contextName: nil,
      bundleID: nil, processID: nil)
    storedChanges = nil
  }

  /// The time at which the transaction was written.
  open var timestamp: Date { record.timestamp }
  /// The transaction's number in its store, from 1, ascending.
  open var transactionNumber: Int64 { record.number }
  /// The UUID of the store.
  open var storeID: String { record.storeUUID }
  /// The bundle identifier of the process that wrote the transaction, or the name of a process
  /// without a bundle.
  open var bundleID: String { record.bundleID ?? "" }
  /// The name of the process that wrote the transaction.
  open var processID: String { record.processID ?? "" }
  /// The name of the context that wrote the transaction.
  open var contextName: String? { record.contextName }
  /// The `transactionAuthor` of the context that wrote the transaction.
  open var author: String? { record.author }

  /// The point in the store's history directly after this transaction.
  open var token: NSPersistentHistoryToken {
    NSPersistentHistoryToken([record.storeUUID: record.number])
  }

  /// The changes as a notification for ``NSManagedObjectContext/mergeChanges(fromContextDidSave:)``
  /// and ``NSManagedObjectContext/mergeChanges(fromRemoteContextSave:into:)``.
  open func objectIDNotification() -> Notification {
    func identities(_ type: NSPersistentHistoryChangeType) -> Set<NSManagedObjectID> {
      Set((changes ?? []).filter { $0.changeType == type }.map(\.changedObjectID))
    }
    return Notification(
      name: .NSManagedObjectContextDidSaveObjectIDs, object: nil,
      userInfo: [
        NSInsertedObjectIDsKey: identities(.insert), NSUpdatedObjectIDsKey: identities(.update),
        NSDeletedObjectIDsKey: identities(.delete),
      ])
  }

  /// The transaction itself, which is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPersistentHistoryTransaction else { return false }
    return other.record.number == record.number && other.record.storeUUID == record.storeUUID
  }

  open override var hash: Int { record.number.hashValue ^ record.storeUUID.hashValue }

  open override var description: String {
    "<NSPersistentHistoryTransaction: \(record.number) in \(record.storeUUID) at \(timestamp), "
      + "\(author ?? "no author"), \(changes.map { "\($0.count) changes" } ?? "changes not read")>"
  }
}

extension NSPersistentHistoryTransaction {
  /// The entity to use in fetch requests for transactions.
  public class var entityDescription: NSEntityDescription? { HistoryEntities.transaction }

  /// A new fetch request for transactions, to be passed to an ``NSPersistentHistoryChangeRequest``.
  public class var fetchRequest: NSFetchRequest<NSFetchRequestResult>? {
    HistoryEntities.request(for: HistoryEntities.transaction)
  }
}

/// Key-value coding for the predicates and sort descriptors of history requests.
extension NSPersistentHistoryTransaction: KeyValueCodable {
  /// The value of a transaction's attribute by the name that fetch requests use.
  public func value(forKey key: String) -> Any? {
    switch key {
    case "author": author
    case "bundleID": bundleID
    case "contextName": contextName
    case "processID": processID
    case "storeID": storeID
    case "timestamp": timestamp
    case "token": token
    case "transactionNumber": NSNumber(value: transactionNumber)
    case "changes": changes
    default: value(forUndefinedKey: key)
    }
  }

  /// Traps: history is immutable.
  public func setValue(_ value: Any?, forKey key: String) { setValue(value, forUndefinedKey: key) }
}
