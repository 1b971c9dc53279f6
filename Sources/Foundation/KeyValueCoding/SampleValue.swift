import Foundation

/// An arbitrary value of a type, returned by a property of a probe. Its content does not matter.
enum SampleValue {
  /// A value of the type. Nil for a type of unknown layout: a class of a client's own, a structure
  /// with references.
  static func make<T>(_ type: T.Type) -> T? {
    if let none = Optional<Any>.none as? T { return none }
    for value in values {
      if let value = value as? T { return value }
    }
    return zeroes(type)
  }

  /// Returns whether `make` has a value of a type that is known at run time only.
  static func exists(_ type: Any.Type) -> Bool {
    func exists<T>(_ type: T.Type) -> Bool { make(type) != nil }
    return _openExistential(type, do: exists)
  }

  /// Values that cast to every type of a model attribute, and to the collections of them.
  private static var values: [Any] {
    [
      NSNumber(value: 0), "", Date(timeIntervalSinceReferenceDate: 0), Data(), UUID(), Decimal(0),
      URL(fileURLWithPath: "/"), NSDecimalNumber.zero, NSArray(), NSSet(), NSOrderedSet(),
      NSDictionary(), NSMutableSet(), NSMutableOrderedSet(), NSMutableArray(),
      NSMutableDictionary(), NSObject(),
    ]
  }

  /// A value of zero bytes: the first case of an enumeration, a structure of zeroes. Sound for a
  /// type without references only.
  private static func zeroes<T>(_ type: T.Type) -> T? {
    guard _isPOD(type) else { return nil }
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: max(MemoryLayout<T>.size, 1), alignment: MemoryLayout<T>.alignment)
    defer { memory.deallocate() }
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: MemoryLayout<T>.size)
    return memory.load(as: type)
  }
}
