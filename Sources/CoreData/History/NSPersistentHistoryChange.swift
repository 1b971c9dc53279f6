import KeyValueCoding

/// The kinds of changes.
public enum NSPersistentHistoryChangeType: Int, Sendable {
  /// The object was inserted.
  case insert = 0
  /// The object was updated.
  case update = 1
  /// The object was deleted.
  case delete = 2
}

/// The change of one object by one transaction.
///
/// Equal to every other instance for the same change of the same store.
///
/// Source: developer.apple.com/documentation/coredata/nspersistenthistorychange
///
/// Sendable: immutable after `init`; so are the property descriptions, which belong to a frozen
/// model, and the values of a tombstone, which are plain.
public final class NSPersistentHistoryChange: NSObject, NSCopying, @unchecked Sendable {
  /// The change's number in its store, from 1, ascending.
  public let changeID: Int64
  /// The ID of the object, which may no longer exist.
  public let changedObjectID: NSManagedObjectID
  /// The kind of the change.
  public let changeType: NSPersistentHistoryChangeType
  /// Of a deleted object: its attributes with `preservesValueInHistoryOnDeletion` that had a value.
  public let tombstone: [AnyHashable: Any]?
  /// Of an updated object: the attributes and relationships that changed.
  public let updatedProperties: Set<NSPropertyDescription>?
  package let transactionRecord: NSPersistentHistoryTransaction.Record

  package init(
    _ changeID: Int64, _ type: NSPersistentHistoryChangeType, of identity: NSManagedObjectID,
    in transaction: NSPersistentHistoryTransaction.Record, tombstone: [AnyHashable: Any]?,
    updatedProperties: Set<NSPropertyDescription>?
  ) {
    self.changeID = changeID
    changeType = type
    changedObjectID = identity
    transactionRecord = transaction
    self.tombstone = tombstone
    self.updatedProperties = updatedProperties
  }

  /// The transaction that made the change, without its changes.
  public var transaction: NSPersistentHistoryTransaction? {
    NSPersistentHistoryTransaction(transactionRecord)
  }

  /// The change itself, which is immutable.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPersistentHistoryChange else { return false }
    return other.changeID == changeID
      && other.transactionRecord.storeUUID == transactionRecord.storeUUID
  }

  public override var hash: Int { changeID.hashValue ^ transactionRecord.storeUUID.hashValue }

  public override var description: String {
    "<NSPersistentHistoryChange: \(changeID), \(changeType) of \(changedObjectID) in transaction "
      + "\(transactionRecord.number)>"
  }
}

extension NSPersistentHistoryChange {
  /// The entity to use in fetch requests for changes.
  public class var entityDescription: NSEntityDescription? { HistoryEntities.change }

  /// The entity to use in fetch requests for changes.
  public class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription?
  {
    HistoryEntities.change
  }

  /// A new fetch request for changes, to be passed to an ``NSPersistentHistoryChangeRequest``.
  public class var fetchRequest: NSFetchRequest<NSFetchRequestResult>? {
    HistoryEntities.request(for: HistoryEntities.change)
  }
}

/// Key-value coding for the predicates and sort descriptors of history requests.
extension NSPersistentHistoryChange: KeyValueCodable {
  /// The value of a change's attribute by the name that fetch requests use.
  public func value(forKey key: String) -> Any? {
    switch key {
    case "changeID", "changedID": NSNumber(value: changeID)
    case "changeType": NSNumber(value: changeType.rawValue)
    case "changedEntity": changedObjectID.entity
    case "changedObjectID": changedObjectID
    case "tombstone": tombstone
    case "updatedProperties": updatedProperties
    case "transaction": transaction
    case "token": NSPersistentHistoryToken([transactionRecord.storeUUID: transactionRecord.number])
    default: value(forUndefinedKey: key)
    }
  }

  /// Traps: history is immutable.
  public func setValue(_ value: Any?, forKey key: String) { setValue(value, forUndefinedKey: key) }
}
