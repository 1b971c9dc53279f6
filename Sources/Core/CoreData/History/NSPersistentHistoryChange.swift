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
/// model, and the values of a tombstone, which are plain. Subclasses stand in for changes in tests.
open class NSPersistentHistoryChange: NSObject, NSCopying, @unchecked Sendable {
  /// The change's number in its store, from 1, ascending.
  open var changeID: Int64 { facts.changeID }
  /// The ID of the object, which may no longer exist.
  open var changedObjectID: NSManagedObjectID { facts.changedObjectID }
  /// The kind of the change.
  open var changeType: NSPersistentHistoryChangeType { facts.changeType }
  /// Of a deleted object: its attributes with `preservesValueInHistoryOnDeletion` that had a value.
  open var tombstone: [AnyHashable: Any]? { facts.tombstone }
  /// Of an updated object: the attributes and relationships that changed.
  open var updatedProperties: Set<NSPropertyDescription>? { facts.updatedProperties }
  package let transactionRecord: NSPersistentHistoryTransaction.Record
  private let facts: Facts

  /// What the properties of the same names give unless a subclass overrides them.
  private struct Facts {
    let changeID: Int64
    let changedObjectID: NSManagedObjectID
    let changeType: NSPersistentHistoryChangeType
    let tombstone: [AnyHashable: Any]?
    let updatedProperties: Set<NSPropertyDescription>?
  }

  package init(
    _ changeID: Int64, _ type: NSPersistentHistoryChangeType, of identity: NSManagedObjectID,
    in transaction: NSPersistentHistoryTransaction.Record, tombstone: [AnyHashable: Any]?,
    updatedProperties: Set<NSPropertyDescription>?
  ) {
    facts = Facts(
      changeID: changeID, changedObjectID: identity, changeType: type, tombstone: tombstone,
      updatedProperties: updatedProperties)
    transactionRecord = transaction
  }

  /// Makes a change of no store, for subclasses in tests.
  public override init() {
    facts = Facts(
      changeID: 0, changedObjectID: NSManagedObjectID(), changeType: .insert, tombstone: nil,
      updatedProperties: nil)
    transactionRecord = NSPersistentHistoryTransaction().record
  }

  /// The transaction that made the change, without its changes.
  open var transaction: NSPersistentHistoryTransaction? {
    NSPersistentHistoryTransaction(transactionRecord)
  }

  /// The change itself, which is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPersistentHistoryChange else { return false }
    return other.changeID == changeID
      && other.transactionRecord.storeUUID == transactionRecord.storeUUID
  }

  open override var hash: Int { changeID.hashValue ^ transactionRecord.storeUUID.hashValue }

  open override var description: String {
    "<NSPersistentHistoryChange: \(changeID), \(changeType) of \(changedObjectID) in transaction "
      + "\(transactionRecord.number)>"
  }
}

extension NSPersistentHistoryChange {
  /// The entity to use in fetch requests for changes.
  public class var entityDescription: NSEntityDescription? { HistoryEntities.change }

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
