// On Apple's systems a key is the same key in both forms: `values["a"]` finds what `values[NSString(string: "a")]` was set
// for, also where the object is known as an NSObject only. Here Foundation says so of data and UUIDs alone.

extension NSString: @retroactive _HasCustomAnyHashableRepresentation {
  public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(self as String) }
}

extension NSNumber: @retroactive _HasCustomAnyHashableRepresentation {
  /// By value, whatever the number was made of, as Swift's own numbers are.
  public func _toCustomAnyHashable() -> AnyHashable? {
    // Only a truth value has this type here.
    if objCType.pointee == CChar(UInt8(ascii: "c")) { return AnyHashable(boolValue) }
    if self is NSDecimalNumber { return AnyHashable(decimalValue) }
    if self == NSNumber(value: int64Value) { return AnyHashable(int64Value) }
    return self == NSNumber(value: uint64Value)
      ? AnyHashable(uint64Value) : AnyHashable(doubleValue)
  }
}

extension NSDate: @retroactive _HasCustomAnyHashableRepresentation {
  public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(self as Date) }
}

extension NSURL: @retroactive _HasCustomAnyHashableRepresentation {
  public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(self as URL) }
}
