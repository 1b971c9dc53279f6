import KeyValueCoding

/// What one save, or one batch request, has written: who did it, when, and the changes.
///
/// Equal to every other object for the same transaction of the same store.
///
/// Source: developer.apple.com/documentation/coredata/nspersistenthistorytransaction
///
/// Sendable: nothing changes after `init`.
public final class NSPersistentHistoryTransaction: NSObject, NSCopying, @unchecked Sendable {
  /// What the store has noted of a transaction.
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
  /// The changes in the order in which they were written; nil when only transactions were asked for.
  public let changes: [NSPersistentHistoryChange]?

  package init(_ record: Record, changes: [NSPersistentHistoryChange]? = nil) {
    self.record = record
    self.changes = changes
  }

  /// When the transaction was written.
  public var timestamp: Date { record.timestamp }
  /// The transaction's number in its store, from 1; later ones are greater.
  public var transactionNumber: Int64 { record.number }
  /// The UUID of the store.
  public var storeID: String { record.storeUUID }
  /// The identifier of the bundle whose process wrote it; the process's name where it had no bundle.
  public var bundleID: String { record.bundleID ?? "" }
  /// The name of the process that wrote it.
  public var processID: String { record.processID ?? "" }
  /// The name of the context that wrote it.
  public var contextName: String? { record.contextName }
  /// The `transactionAuthor` of the context that wrote it.
  public var author: String? { record.author }

  /// The point in the store's history right after this transaction.
  public var token: NSPersistentHistoryToken {
    NSPersistentHistoryToken([record.storeUUID: record.number])
  }

  /// The changes as a notification that
  /// ``NSManagedObjectContext/mergeChanges(fromContextDidSave:)`` and
  /// ``NSManagedObjectContext/mergeChanges(fromRemoteContextSave:into:)`` take.
  public func objectIDNotification() -> Notification {
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

  /// A transaction is immutable: its copy is itself.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPersistentHistoryTransaction else { return false }
    return other.record.number == record.number && other.record.storeUUID == record.storeUUID
  }

  public override var hash: Int { record.number.hashValue ^ record.storeUUID.hashValue }

  public override var description: String {
    "<NSPersistentHistoryTransaction: \(record.number) in \(record.storeUUID) at \(timestamp), "
      + "\(author ?? "no author"), \(changes.map { "\($0.count) changes" } ?? "changes not read")>"
  }
}

extension NSPersistentHistoryTransaction {
  /// The entity that fetch requests for transactions name.
  public class var entityDescription: NSEntityDescription? { HistoryEntities.transaction }

  /// The entity that fetch requests for transactions name.
  public class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription?
  {
    HistoryEntities.transaction
  }

  /// A new request for transactions, to be given to a ``NSPersistentHistoryChangeRequest``.
  public class var fetchRequest: NSFetchRequest<NSFetchRequestResult>? {
    HistoryEntities.request(for: HistoryEntities.transaction)
  }
}

/// For the predicates and sort descriptors of history requests.
extension NSPersistentHistoryTransaction: KeyValueCodable {
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

  /// Stops the program: history cannot be changed.
  public func setValue(_ value: Any?, forKey key: String) { setValue(value, forUndefinedKey: key) }
}
