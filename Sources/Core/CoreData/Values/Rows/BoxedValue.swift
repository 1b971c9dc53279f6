/// The content of an `Any`, read in place: a cast searches bridges and conformances, and opening
/// the box retains its content.
///
/// A box is four words: three for the value, which lies inline if it fits, and the address of its
/// type.
struct BoxedValue {
  private let typeAddress: UInt
  private let first: UInt
  private let second: UInt

  /// Calls `look` with the content of a box, which is unchanged until `look` returns. Returns nil
  /// if boxes have another layout than expected.
  @inline(__always)
  static func look<Result>(into any: Any, _ look: (BoxedValue) -> Result?) -> Result? {
    // Without `as Any` the box would be opened, and the bytes would be those of its value.
    withUnsafeBytes(of: any as Any) { box in BoxedValue(box).flatMap(look) }
  }

  /// Calls `look` with the content of an optional box, without copying it.
  @inline(__always)
  static func look<Result>(into any: Any?, _ look: (BoxedValue) -> Result?) -> Result? {
    withUnsafeBytes(of: any as Any?) { box in BoxedValue(box).flatMap(look) }
  }

  @inline(__always)
  private init?(_ box: UnsafeRawBufferPointer) {
    guard box.count == 32, MemoryLayout<UInt>.size == 8 else { return nil }
    typeAddress = box.load(fromByteOffset: 24, as: UInt.self)
    // nil has no type.
    if typeAddress == 0 { return nil }
    first = box.load(as: UInt.self)
    second = box.load(fromByteOffset: 8, as: UInt.self)
  }

  @inline(__always)
  func holds<Known>(_: Known.Type) -> Bool {
    // Sound: a metatype is the address of its metadata, one word.
    typeAddress == unsafeBitCast(Known.self as Any.Type, to: UInt.self)
  }

  /// The object of a box that holds exactly an `NSObject`, as both operands of `==` do. Unretained:
  /// the box keeps it alive.
  @inline(__always)
  var object: Unmanaged<NSObject>? {
    guard holds(NSObject.self) else { return nil }
    return UnsafeRawPointer(bitPattern: first).map { .fromOpaque($0) }
  }

  @inline(__always)
  var text: String? {
    // Sound: a string is two words, which lie inline; the copy is retained.
    holds(String.self) ? unsafeBitCast((first, second), to: String.self) : nil
  }

  @inline(__always)
  var real: Double? {
    holds(Double.self) ? Double(bitPattern: UInt64(first)) : nil
  }

  @inline(__always)
  var seconds: Double? {
    guard holds(Date.self), MemoryLayout<Date>.size == 8 else { return nil }
    // Sound: a date of 8 bytes lies inline and holds nothing but its seconds.
    return unsafeBitCast(first, to: Date.self).timeIntervalSinceReferenceDate
  }

  @inline(__always)
  var truth: Bool? {
    holds(Bool.self) ? first & 1 == 1 : nil
  }

  @inline(__always)
  var integer: Int64? {
    if holds(Int64.self) || holds(Int.self) { return Int64(bitPattern: UInt64(first)) }
    if holds(Int32.self) { return Int64(Int32(truncatingIfNeeded: first)) }
    return holds(Int16.self) ? Int64(Int16(truncatingIfNeeded: first)) : nil
  }
}
