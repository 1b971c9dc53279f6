import KeyValueCoding

/// For predicates that speak of a description, as `$FETCHED_PROPERTY.userInfo.key` does.
extension NSPropertyDescription: KeyValueCodable {
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

  /// Stops the program: descriptions are changed through their properties.
  public func setValue(_ value: Any?, forKey key: String) { setValue(value, forUndefinedKey: key) }
}
