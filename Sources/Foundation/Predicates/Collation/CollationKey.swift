import Foundation

/// The sort key of a string that is compared many times: bytes whose order is the order of the
/// strings. The first eight bytes are also kept as a number, which decides most comparisons.
struct CollationKey: Comparable {
  private let start: UInt64
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var start: UInt64 = 0
    for index in 0..<min(8, bytes.count) {
      start |= UInt64(bytes[index]) << (56 - 8 * UInt64(index))
    }
    self.start = start
  }

  static func < (left: CollationKey, right: CollationKey) -> Bool {
    if left.start != right.start { return left.start < right.start }
    return left.order(to: right) == .orderedAscending
  }

  static func == (left: CollationKey, right: CollationKey) -> Bool {
    left.start == right.start && left.bytes == right.bytes
  }

  @inline(__always)
  func order(to other: CollationKey) -> ComparisonResult {
    if start != other.start { return start < other.start ? .orderedAscending : .orderedDescending }
    let difference = bytes.withUnsafeBytes { first in
      other.bytes.withUnsafeBytes { second in
        guard let start = first.baseAddress, let other = second.baseAddress else { return 0 }
        return Int(memcmp(start, other, min(first.count, second.count)))
      }
    }
    let order = difference == 0 ? bytes.count - other.bytes.count : difference
    return order == 0 ? .orderedSame : order < 0 ? .orderedAscending : .orderedDescending
  }
}
