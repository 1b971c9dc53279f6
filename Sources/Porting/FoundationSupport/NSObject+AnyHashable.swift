// Makes Foundation's objects equal to Swift's values as keys, as on Apple's systems: `values["a"]`
// finds the value that was set for `values[NSString(string: "a")]`, also if the object is
// statically an NSObject. Foundation itself does this on this platform only for data and UUIDs.

extension NSString: @retroactive _HasCustomAnyHashableRepresentation {
  /// The string as a key.
  public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(self as String) }
}

extension NSNumber: @retroactive _HasCustomAnyHashableRepresentation {
  /// The number as a key, by value, independent of its type, like Swift's own numbers.
  public func _toCustomAnyHashable() -> AnyHashable? {
    // On this platform only truth values have this type code.
    if objCType.pointee == CChar(UInt8(ascii: "c")) { return AnyHashable(boolValue) }
    if self is NSDecimalNumber { return AnyHashable(decimalValue) }
    if self == NSNumber(value: int64Value) { return AnyHashable(int64Value) }
    return self == NSNumber(value: uint64Value)
      ? AnyHashable(uint64Value) : AnyHashable(doubleValue)
  }
}

extension NSDate: @retroactive _HasCustomAnyHashableRepresentation {
  /// The date as a key.
  public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(self as Date) }
}

extension NSURL: @retroactive _HasCustomAnyHashableRepresentation {
  /// The URL as a key.
  public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(self as URL) }
}
