import KeyValueCoding

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
