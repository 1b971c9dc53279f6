/// The bytes of a binary store's file while it is being written.
struct BinaryBytes {
  var bytes: [UInt8] = []

  mutating func append(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(text: String) {
    append(UInt32(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  mutating func append(data: Data) {
    append(UInt32(data.count))
    bytes.append(contentsOf: data)
  }
}

/// Reads the bytes of a binary store's file. They may be damaged or hostile: every count is checked
/// against the rest.
struct BinaryCursor {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func bytes(_ count: Int) throws -> ArraySlice<UInt8> {
    guard count >= 0, count <= rest.count else {
      throw FileDamage(text: "it ends before its end")
    }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  private mutating func number<Number: FixedWidthInteger>(_: Number.Type) throws -> Number {
    var number = Number.zero
    let bytes = try bytes(MemoryLayout<Number>.size)
    withUnsafeMutableBytes(of: &number) { $0.copyBytes(from: bytes) }
    return Number(littleEndian: number)
  }

  mutating func u8() throws -> UInt8 { try number(UInt8.self) }
  mutating func u32() throws -> UInt32 { try number(UInt32.self) }
  mutating func i64() throws -> Int64 { try number(Int64.self) }
  mutating func f64() throws -> Double { Double(bitPattern: try number(UInt64.self)) }

  mutating func count64() throws -> Int {
    guard let count = Int(exactly: try number(UInt64.self)) else {
      throw FileDamage(text: "a count is too large")
    }
    return count
  }

  mutating func text() throws -> String {
    let bytes = try bytes(Int(u32()))
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw FileDamage(text: "a text is not UTF-8")
    }
    return text
  }

  mutating func data() throws -> Data { Data(try bytes(Int(u32()))) }

  /// Reads a list whose elements have at least `size` bytes each, so that a false count allocates
  /// no memory.
  mutating func list<Element>(
    count: Int, size: Int, _ read: (inout BinaryCursor) throws -> Element
  ) throws -> [Element] {
    guard count >= 0, count <= rest.count / size else {
      throw FileDamage(text: "a list is longer than the file")
    }
    var list: [Element] = []
    list.reserveCapacity(count)
    for _ in 0..<count { list.append(try read(&self)) }
    return list
  }
}
