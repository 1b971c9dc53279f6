/// What is in an `Any`, looked at where it lies: a cast looks for bridges and conformances, and opening the box counts
/// what is in it.
///
/// A box of Swift's is three words, in which a value that fits lies as it is, and the address of its type.
struct BoxedValue {
  let typeAddress: UInt
  private let first: UInt
  private let second: UInt

  /// nil where boxes are made in another way than this expects.
  @inline(__always)
  init?(_ any: Any) {
    guard MemoryLayout<Any>.size == 32, MemoryLayout<UInt>.size == 8 else { return nil }
    // Without `as Any` it would be opened, and its value taken for the box.
    (first, second, _, typeAddress) = unsafeBitCast(any as Any, to: (UInt, UInt, UInt, UInt).self)
  }

  @inline(__always)
  func holds<Known>(_: Known.Type) -> Bool {
    typeAddress == unsafeBitCast(Known.self as Any.Type, to: UInt.self)
  }

  @inline(__always)
  var text: String? {
    // As long as its box; a copy of it is counted.
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
