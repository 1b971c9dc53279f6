/// What is in an `Any`, looked at where it lies: a cast looks for bridges and conformances, and opening the box counts
/// what is in it.
///
/// A box of Swift's is three words, in which a value that fits lies as it is, and the address of its type.
struct BoxedValue {
  private let typeAddress: UInt
  private let first: UInt
  private let second: UInt

  /// Looks into a box, which stays as it is until `look` has returned; nil where boxes are made in another way than
  /// this expects.
  @inline(__always)
  static func look<Result>(into any: Any, _ look: (BoxedValue) -> Result?) -> Result? {
    // Without `as Any` it would be opened, and its value taken for the box.
    withUnsafeBytes(of: any as Any) { box in BoxedValue(box).flatMap(look) }
  }

  /// The same for a box that may be missing, without copying it.
  @inline(__always)
  static func look<Result>(into any: Any?, _ look: (BoxedValue) -> Result?) -> Result? {
    withUnsafeBytes(of: any as Any?) { box in BoxedValue(box).flatMap(look) }
  }

  @inline(__always)
  private init?(_ box: UnsafeRawBufferPointer) {
    guard box.count == 32, MemoryLayout<UInt>.size == 8 else { return nil }
    typeAddress = box.load(fromByteOffset: 24, as: UInt.self)
    // In place of nil there is no type.
    if typeAddress == 0 { return nil }
    first = box.load(as: UInt.self)
    second = box.load(fromByteOffset: 8, as: UInt.self)
  }

  @inline(__always)
  func holds<Known>(_: Known.Type) -> Bool {
    typeAddress == unsafeBitCast(Known.self as Any.Type, to: UInt.self)
  }

  /// An object that somebody has as one of Foundation's root class, as `==` has both of its sides.
  @inline(__always)
  var object: Unmanaged<NSObject>? {
    guard holds(NSObject.self) else { return nil }
    return UnsafeRawPointer(bitPattern: first).map { .fromOpaque($0) }
  }

  @inline(__always)
  var text: String? {
    holds(String.self) ? unsafeBitCast((first, second), to: String.self) : nil
  }

  @inline(__always)
  var real: Double? {
    holds(Double.self) ? Double(bitPattern: UInt64(first)) : nil
  }

  @inline(__always)
  var seconds: Double? {
    guard holds(Date.self), MemoryLayout<Date>.size == 8 else { return nil }
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
