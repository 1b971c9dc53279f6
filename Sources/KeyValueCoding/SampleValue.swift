import Foundation

/// Some value of a type, for the property of a probe whose value nobody looks at.
enum SampleValue {
  /// nil for a type that nothing can be made of without knowing it: a class of a client's own, a structure
  /// with references in it.
  static func make<T>(_ type: T.Type) -> T? {
    if let none = Optional<Any>.none as? T { return none }
    for value in values {
      if let value = value as? T { return value }
    }
    return zeroes(type)
  }

  /// The same for a type that is known at run time alone.
  static func exists(_ type: Any.Type) -> Bool {
    func exists<T>(_ type: T.Type) -> Bool { make(type) != nil }
    return _openExistential(type, do: exists)
  }

  /// By casting, one of these is a value of every type that a model has, and of their collections.
  private static var values: [Any] {
    [
      NSNumber(value: 0), "", Date(timeIntervalSinceReferenceDate: 0), Data(), UUID(), Decimal(0),
      URL(fileURLWithPath: "/"), NSDecimalNumber.zero, NSArray(), NSSet(), NSOrderedSet(),
      NSDictionary(), NSMutableSet(), NSMutableOrderedSet(), NSMutableArray(),
      NSMutableDictionary(), NSObject(),
    ]
  }

  /// Sound for a type without references: an enumeration's first case, a structure of zeroes.
  private static func zeroes<T>(_ type: T.Type) -> T? {
    guard _isPOD(type) else { return nil }
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: max(MemoryLayout<T>.size, 1), alignment: MemoryLayout<T>.alignment)
    defer { memory.deallocate() }
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: MemoryLayout<T>.size)
    return memory.load(as: type)
  }
}
