import Foundation

/// Reads binary property lists, including identifiers, from data that may be damaged or hostile.
///
/// The format is described at `BinaryPropertyList`. Foundation's reader is unsuitable: it hides
/// identifiers, and randomly changed bytes make it corrupt memory. Here every access is checked,
/// nesting is limited, and the work is bounded by the size of the data.
package struct BinaryPropertyListReader {
  private struct Damage: Error {}

  private static let deepest = 16
  private static let trailerSize = 32

  private let bytes: [UInt8]
  private var numberSize = 0
  private var offsets: [Int] = []
  private var budget: Int

  /// The value of a binary property list, with numbers as `NSNumber` and identifiers as
  /// ``ArchiveReference``. Returns nil if the data is no property list.
  package static func value(of data: Data) -> Any? {
    var reader = BinaryPropertyListReader(bytes: [UInt8](data), budget: data.count + 1000)
    // Every error means the same to callers: the bytes are no property list.
    return try? reader.root()
  }

  private init(bytes: [UInt8], budget: Int) {
    self.bytes = bytes
    self.budget = budget
  }

  private mutating func root() throws -> Any {
    guard bytes.count >= 8 + Self.trailerSize, bytes.starts(with: "bplist0".utf8) else {
      throw Damage()
    }
    let trailer = bytes.count - Self.trailerSize
    let offsetSize = Int(bytes[trailer + 6])
    numberSize = Int(bytes[trailer + 7])
    let count = try integer(at: trailer + 8, size: 8)
    let root = try integer(at: trailer + 16, size: 8)
    let start = try integer(at: trailer + 24, size: 8)
    guard (1...8).contains(offsetSize), (1...8).contains(numberSize), start <= trailer,
      count <= (trailer - start) / offsetSize
    else { throw Damage() }
    offsets = try (0..<count).map { try integer(at: start + $0 * offsetSize, size: offsetSize) }
    return try object(root, depth: 0)
  }

  /// Reads an unsigned integer that fits an `Int`.
  private func integer(at start: Int, size: Int) throws -> Int {
    let number = try slice(start, count: size).reduce(UInt64(0)) { ($0 << 8) | UInt64($1) }
    guard let integer = Int(exactly: number) else { throw Damage() }
    return integer
  }

  private func slice(_ start: Int, count: Int) throws -> ArraySlice<UInt8> {
    guard start >= 0, count >= 0, start <= bytes.count, count <= bytes.count - start else {
      throw Damage()
    }
    return bytes[start..<start + count]
  }

  private mutating func object(_ number: Int, depth: Int) throws -> Any {
    budget -= 1
    guard budget > 0, depth < Self.deepest, offsets.indices.contains(number) else { throw Damage() }
    let start = offsets[number]
    guard start < bytes.count else { throw Damage() }
    let kind = bytes[start] >> 4
    let low = Int(bytes[start] & 15)
    switch kind {
    case 0x0: return try flag(low)
    case 0x1: return try signed(at: start + 1, size: 1 << low)
    case 0x2, 0x3: return try real(at: start + 1, size: 1 << low, isDate: kind == 3)
    case 0x8: return ArchiveReference(identifier: try integer(at: start + 1, size: low + 1))
    default: return try sized(kind: kind, low: low, at: start + 1, depth: depth)
    }
  }

  private func flag(_ low: Int) throws -> NSNumber {
    guard low == 8 || low == 9 else { throw Damage() }
    return NSNumber(value: low == 9)
  }

  /// Reads an integer. Eight bytes are signed, fewer unsigned; of sixteen bytes only the lower
  /// eight are kept, since models have no larger numbers.
  private func signed(at start: Int, size: Int) throws -> NSNumber {
    guard size <= 16 else { throw Damage() }
    let number = try slice(start, count: size).suffix(8).reduce(UInt64(0)) {
      ($0 << 8) | UInt64($1)
    }
    return NSNumber(value: Int64(bitPattern: number))
  }

  private func real(at start: Int, size: Int, isDate: Bool) throws -> Any {
    let bits = try slice(start, count: size).reduce(UInt64(0)) { ($0 << 8) | UInt64($1) }
    switch size {
    case 4: return NSNumber(value: Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case 8 where isDate: return Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits))
    case 8: return NSNumber(value: Double(bitPattern: bits))
    default: throw Damage()
    }
  }

  private mutating func sized(kind: UInt8, low: Int, at place: Int, depth: Int) throws -> Any {
    var (count, start) = (low, place)
    if low == 15 {
      guard place < bytes.count, bytes[place] >> 4 == 1 else { throw Damage() }
      let size = 1 << Int(bytes[place] & 15)
      guard size <= 8 else { throw Damage() }
      (count, start) = (try integer(at: place + 1, size: size), place + 1 + size)
    }
    switch kind {
    case 0x4: return Data(try slice(start, count: count))
    case 0x5: return String(decoding: try slice(start, count: count), as: UTF8.self)
    case 0x6: return try wideText(at: start, count: count)
    case 0xa: return try list(at: start, count: count, depth: depth)
    case 0xd: return try table(at: start, count: count, depth: depth)
    default: throw Damage()
    }
  }

  private func wideText(at start: Int, count: Int) throws -> String {
    guard count <= bytes.count else { throw Damage() }
    let content = Array(try slice(start, count: count * 2))
    let units = stride(from: 0, to: content.count, by: 2).map {
      UInt16(content[$0]) << 8 | UInt16(content[$0 + 1])
    }
    return String(decoding: units, as: UTF16.self)
  }

  private func numbers(at start: Int, count: Int) throws -> [Int] {
    guard count <= bytes.count else { throw Damage() }
    _ = try slice(start, count: count * numberSize)
    return try (0..<count).map { try integer(at: start + $0 * numberSize, size: numberSize) }
  }

  private mutating func list(at start: Int, count: Int, depth: Int) throws -> [Any] {
    var list: [Any] = []
    for number in try numbers(at: start, count: count) {
      list.append(try object(number, depth: depth + 1))
    }
    return list
  }

  private mutating func table(at start: Int, count: Int, depth: Int) throws -> [String: Any] {
    let keys = try numbers(at: start, count: count)
    let values = try numbers(at: start + count * numberSize, count: count)
    var table: [String: Any] = [:]
    for (key, value) in zip(keys, values) {
      guard let name = try object(key, depth: depth + 1) as? String else { throw Damage() }
      table[name] = try object(value, depth: depth + 1)
    }
    return table
  }
}
