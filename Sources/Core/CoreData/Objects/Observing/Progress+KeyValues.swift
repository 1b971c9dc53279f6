import KeyValueCoding

extension Progress: KeyValueObservable {
  /// The value of a property by name, including the names of getters in Objective-C (`finished`).
  public func value(forKey key: String) -> Any? {
    switch key {
    case "fractionCompleted": fractionCompleted
    case "completedUnitCount": completedUnitCount
    case "totalUnitCount": totalUnitCount
    case "isFinished", "finished": isFinished
    case "isIndeterminate", "indeterminate": isIndeterminate
    case "isCancelled", "cancelled": isCancelled
    case "isPaused", "paused": isPaused
    case "localizedDescription": localizedDescription
    case "localizedAdditionalDescription": localizedAdditionalDescription
    default: value(forUndefinedKey: key)
    }
  }

  /// Sets `completedUnitCount` or `totalUnitCount`.
  public func setValue(_ value: Any?, forKey key: String) {
    switch (key, value) {
    case ("completedUnitCount", let value as NSNumber): completedUnitCount = value.int64Value
    case ("totalUnitCount", let value as NSNumber): totalUnitCount = value.int64Value
    default: setValue(value, forUndefinedKey: key)
    }
  }
}
