import KeyValueCoding

/// What a transaction did to an object.
public enum NSPersistentHistoryChangeType: Int, Sendable {
  case insert = 0
  case update = 1
  case delete = 2
}

/// The change of one object by one transaction.
///
/// Equal to every other object for the same change of the same store.
///
/// Source: developer.apple.com/documentation/coredata/nspersistenthistorychange
///
/// Sendable: nothing changes after `init`; descriptions of a frozen model do not either, and the values of a
/// tombstone are plain.
public final class NSPersistentHistoryChange: NSObject, NSCopying, @unchecked Sendable {
  /// The change's number in its store, from 1; later ones are greater.
  public let changeID: Int64
  /// The object, which may be gone.
  public let changedObjectID: NSManagedObjectID
  public let changeType: NSPersistentHistoryChangeType
  /// Of a deleted object: the attributes with `preservesValueInHistoryOnDeletion` that had a value.
  public let tombstone: [AnyHashable: Any]?
  /// Of an updated object: the attributes and relationships that were changed.
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

  /// The transaction, without its changes.
  public var transaction: NSPersistentHistoryTransaction? {
    NSPersistentHistoryTransaction(transactionRecord)
  }

  /// A change is immutable: its copy is itself.
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
  /// The entity that fetch requests for changes name.
  public class var entityDescription: NSEntityDescription? { HistoryEntities.change }

  /// The entity that fetch requests for changes name.
  public class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription?
  {
    HistoryEntities.change
  }

  /// A new request for changes, to be given to a ``NSPersistentHistoryChangeRequest``.
  public class var fetchRequest: NSFetchRequest<NSFetchRequestResult>? {
    HistoryEntities.request(for: HistoryEntities.change)
  }
}

/// For the predicates and sort descriptors of history requests.
extension NSPersistentHistoryChange: KeyValueCodable {
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

  /// Stops the program: history cannot be changed.
  public func setValue(_ value: Any?, forKey key: String) { setValue(value, forUndefinedKey: key) }
}
