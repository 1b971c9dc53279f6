import Foundation

/// Writes CBOR (RFC 8949) in one form for each value: shortest heads, definite lengths, floating
/// point numbers of 64 bits.
///
/// | major type | here |
/// |---|---|
/// | 0, 1 | integers |
/// | 2, 3 | bytes, text in UTF-8 |
/// | 4, 5 | arrays, maps; the keys of a map ascend |
/// | 7 | false (F4), true (F5), null (F6), a number of 64 bits (FB) |
struct CBORWriter {
  private(set) var bytes: [UInt8] = []
  /// The fields that the map being written has so far.
  private var fieldCount = 0

  mutating func head(_ major: UInt8, argument: UInt64) {
    let type = major << 5
    switch argument {
    case 0..<24: bytes.append(type | UInt8(argument))
    case ...0xFF: append(type | 24, number: argument, size: 1)
    case ...0xFFFF: append(type | 25, number: argument, size: 2)
    case ...0xFFFF_FFFF: append(type | 26, number: argument, size: 4)
    default: append(type | 27, number: argument, size: 8)
    }
  }

  private mutating func append(_ initial: UInt8, number: UInt64, size: Int) {
    bytes.append(initial)
    for shift in (0..<size).reversed() {
      bytes.append(UInt8(truncatingIfNeeded: number >> (UInt64(shift) * 8)))
    }
  }

  mutating func unsigned(_ number: UInt64) { head(0, argument: number) }

  mutating func integer(_ number: Int64) {
    // −1 − n is the complement of n.
    number < 0 ? head(1, argument: UInt64(~number)) : head(0, argument: UInt64(number))
  }

  mutating func double(_ number: Double) { append(0xFB, number: number.bitPattern, size: 8) }
  mutating func bool(_ flag: Bool) { bytes.append(flag ? 0xF5 : 0xF4) }
  mutating func null() { bytes.append(0xF6) }
  mutating func array(count: Int) { head(4, argument: UInt64(count)) }
  mutating func map(count: Int) { head(5, argument: UInt64(count)) }

  mutating func text(_ text: String) {
    head(3, argument: UInt64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  mutating func data(_ data: some Collection<UInt8>) {
    head(2, argument: UInt64(data.count))
    bytes.append(contentsOf: data)
  }

  mutating func raw(_ encoded: [UInt8]) { bytes.append(contentsOf: encoded) }

  // MARK: - Fields

  /// Begins a map of numbered fields, of which there are fewer than 24: its head is one byte, which
  /// is set when the fields are written.
  mutating func beginFields() -> (start: Int, outer: Int) {
    let mark = (bytes.count, fieldCount)
    bytes.append(0xA0)
    fieldCount = 0
    return mark
  }

  /// Fields are written in ascending order.
  mutating func field(_ key: UInt64) {
    fieldCount += 1
    unsigned(key)
  }

  mutating func endFields(_ mark: (start: Int, outer: Int)) {
    precondition(fieldCount < 24, "A map of fields has fewer than 24")
    bytes[mark.start] = 0xA0 | UInt8(fieldCount)
    fieldCount = mark.outer
  }
}
