import KeyValueCoding

/// Keys for predicates that use a description, such as `$FETCHED_PROPERTY.userInfo.key`.
extension NSPropertyDescription: KeyValueCodable {
  /// The value of a key of the description: `name`, `userInfo`, `entity`, `optional`, `transient`,
  /// `versionHash`, `versionHashModifier` or `renamingIdentifier`. Traps for other keys.
  public func value(forKey key: String) -> Any? {
    switch key {
    case "name": name
    case "userInfo": userInfo
    case "entity": declaringEntity
    case "optional", "isOptional": NSNumber(value: isOptional)
    case "transient", "isTransient": NSNumber(value: isTransient)
    case "versionHash": versionHash
    case "versionHashModifier": versionHashModifier
    case "renamingIdentifier": renamingIdentifier
    default: value(forUndefinedKey: key)
    }
  }

  /// Traps: descriptions are changed through their properties.
  public func setValue(_ value: Any?, forKey key: String) { setValue(value, forUndefinedKey: key) }
}
