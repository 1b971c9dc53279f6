import Foundation

/// Reads what `CBORWriter` writes, from anybody: every length is compared with the bytes that are
/// left before anything is allocated, and nesting has a limit.
struct CBORReader {
  private let bytes: [UInt8]
  private(set) var position: Int
  private let end: Int

  /// Items deeper than that are refused.
  static let maximumDepth = 16

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    position = 0
    end = bytes.count
  }

  var isAtEnd: Bool { position == end }
  var remaining: Int { end - position }

  func failure(_ reason: SyncWireError.Reason, expected: String) -> SyncWireError {
    SyncWireError(reason, "Byte \(position): \(expected)")
  }

  /// The initial byte of the next item.
  func peek() throws -> UInt8 {
    guard position < end else { throw failure(.length, expected: "the message ends too early") }
    return bytes[position]
  }

  var isNull: Bool { position < end && bytes[position] == 0xF6 }

  // MARK: - Heads

  /// The argument of a head of this major type, in its shortest form.
  mutating func head(_ major: UInt8, expected: String) throws -> UInt64 {
    let initial = try peek()
    guard initial >> 5 == major else {
      throw failure(
        .form, expected: "expected \(expected), found a byte \(String(initial, radix: 16))")
    }
    position += 1
    let short = initial & 31
    if short < 24 { return UInt64(short) }
    guard short < 28 else { throw failure(.form, expected: "lengths are definite") }
    let size = 1 << (short - 24)
    let number = try fixed(size)
    let least: UInt64 = size == 1 ? 24 : 1 << UInt64(size * 4)
    guard number >= least else {
      throw failure(.form, expected: "a head is not in its shortest form")
    }
    return number
  }

  private mutating func fixed(_ size: Int) throws -> UInt64 {
    guard size <= remaining else { throw failure(.length, expected: "the message ends too early") }
    var number: UInt64 = 0
    for _ in 0..<size {
      number = number << 8 | UInt64(bytes[position])
      position += 1
    }
    return number
  }

  /// A length that the bytes left can hold, with so many for an element at least.
  private mutating func count(
    _ major: UInt8, expected: String, least: Int = 1, most: Int = .max
  ) throws -> Int {
    let number = try head(major, expected: expected)
    guard number <= UInt64(remaining / least) else {
      throw failure(.length, expected: "\(expected) of \(number) is longer than the message")
    }
    guard number <= UInt64(most) else {
      throw failure(.limit, expected: "\(expected) has at most \(most) elements, found \(number)")
    }
    return Int(number)
  }

  // MARK: - Items

  mutating func unsigned() throws -> UInt64 { try head(0, expected: "a number") }

  mutating func integer() throws -> Int64 {
    let isNegative = try peek() >> 5 == 1
    let number = try head(isNegative ? 1 : 0, expected: "an integer")
    guard let number = Int64(exactly: number) else {
      throw failure(.form, expected: "an integer has 64 bits")
    }
    return isNegative ? ~number : number
  }

  mutating func double() throws -> Double {
    guard try peek() == 0xFB else { throw failure(.form, expected: "expected a number of 64 bits") }
    position += 1
    return Double(bitPattern: try fixed(8))
  }

  mutating func bool() throws -> Bool {
    let byte = try peek()
    guard byte == 0xF4 || byte == 0xF5 else {
      throw failure(.form, expected: "expected true or false")
    }
    position += 1
    return byte == 0xF5
  }

  mutating func null() throws {
    guard try peek() == 0xF6 else { throw failure(.form, expected: "expected null") }
    position += 1
  }

  mutating func array(most: Int = .max) throws -> Int {
    try count(4, expected: "an array", most: most)
  }
  mutating func map(most: Int = .max) throws -> Int {
    try count(5, expected: "a map", least: 2, most: most)
  }

  mutating func data(most: Int = .max) throws -> ArraySlice<UInt8> {
    let length = try count(2, expected: "bytes", most: most)
    position += length
    return bytes[position - length..<position]
  }

  mutating func text(most: Int = .max) throws -> String {
    let length = try count(3, expected: "text", most: most)
    position += length
    let utf8 = bytes[position - length..<position]
    let text = String(decoding: utf8, as: UTF8.self)
    // What is no UTF-8 was replaced.
    guard text.utf8.elementsEqual(utf8) else { throw failure(.form, expected: "text is in UTF-8") }
    return text
  }

  // MARK: - Unknown items

  mutating func skip(depth: Int = 0) throws {
    guard depth < Self.maximumDepth else {
      throw failure(.limit, expected: "items are nested too deep")
    }
    let major = try peek() >> 5
    switch major {
    case 0, 1: _ = try head(major, expected: "an integer")
    case 2, 3: position += try count(major, expected: "bytes")
    case 4: for _ in 0..<(try array()) { try skip(depth: depth + 1) }
    case 5:
      for _ in 0..<(try map()) {
        try skip(depth: depth + 1)
        try skip(depth: depth + 1)
      }
    case 6:
      _ = try head(6, expected: "a tag")
      try skip(depth: depth + 1)
    default:
      let short = try peek() & 31
      position += 1
      switch short {
      case 0..<24: break
      case 24...27: _ = try fixed(1 << Int(short - 24))
      default: throw failure(.form, expected: "lengths are definite")
      }
    }
  }
}
