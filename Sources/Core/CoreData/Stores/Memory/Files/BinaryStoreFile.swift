internal import CZlib

/// The file of a binary store. The format is this package's own: Apple's is an archive of private
/// classes, without public documentation.
///
///     magic        "OCDBINARY" and a version byte, 1
///     metadata     count of bytes u32, CRC-32 u32, a binary property list
///     body         count of bytes u64, CRC-32 u32, then:
///       last key     u64
///       names        count u32, texts: of entities and properties, each once
///       objects      count u64, and for each
///                    entity u32 (number of its name) · key u64 · version u64
///                    attributes: count u32, each name u32 · tag u8 · value
///                    relationships: count u32, each name u32 · count u32 · keys u64
///     values       1 integer i64 · 2 real f64 · 3 text · 4 data
///     text, data   count of bytes u32, bytes (UTF-8)
///
/// Integers are little-endian. Nothing follows the body.
enum BinaryStoreFile: AtomicFileFormat {
  static let magic = Array("OCDBINARY".utf8) + [1]

  static var storeType: String { NSBinaryStoreType }

  static func metadata(of url: URL) throws -> [String: Any] {
    var parts = try BinaryParts(url)
    return try parts.metadata()
  }

  static func replaceMetadata(_ metadata: [String: Any], of url: URL) throws {
    var parts = try BinaryParts(url)
    _ = try parts.metadata()
    let header = try header(metadata)
    let body = parts.rest
    try FileReplacement.write(to: url) {
      try $0.write(header, for: url)
      try $0.write(body, for: url)
    }
  }

  static func read(_ url: URL, layouts: [EntityLayout]) throws -> StoredContents {
    var parts = try BinaryParts(url)
    let metadata = try parts.metadata()
    var reader = BinaryBodyReader(try parts.body())
    return try reader.contents(metadata)
  }

  static func write(_ contents: StoredContents, layouts: [EntityLayout], to url: URL) throws {
    let header = try header(contents.metadata)
    var writer = BinaryBodyWriter()
    let body = writer.body(contents)
    var frame = BinaryBytes()
    frame.append(UInt64(body.count))
    frame.append(checksum(body))
    try FileReplacement.write(to: url) {
      try $0.write(header, for: url)
      try $0.write(frame.bytes, for: url)
      try $0.write(body, for: url)
    }
  }

  private static func header(_ metadata: [String: Any]) throws -> [UInt8] {
    let list = try PropertyListSerialization.data(
      fromPropertyList: checked(metadata), format: .binary, options: 0)
    var header = BinaryBytes(bytes: magic)
    header.append(UInt32(list.count))
    header.append(checksum(Array(list)))
    header.bytes += list
    return header.bytes
  }

  static func checksum(_ bytes: some Collection<UInt8>) -> UInt32 {
    let bytes = Array(bytes)
    var sum = crc32(0, nil, 0)
    var start = 0
    while start < bytes.count {
      let count = min(bytes.count - start, 1 << 30)
      sum = bytes.withUnsafeBufferPointer {
        crc32(sum, $0.baseAddress?.advanced(by: start), UInt32(count))
      }
      start += count
    }
    return UInt32(truncatingIfNeeded: sum)
  }
}

/// The parts of a binary store's file, read one after the other.
private struct BinaryParts {
  private var cursor: BinaryCursor

  init(_ url: URL) throws {
    cursor = BinaryCursor([UInt8](try Data(contentsOf: url))[...])
    guard try cursor.bytes(BinaryStoreFile.magic.count) == BinaryStoreFile.magic[...] else {
      throw FileDamage(text: "it begins with bytes of another format")
    }
  }

  mutating func metadata() throws -> [String: Any] {
    let list = try part(count: Int(cursor.u32()))
    guard let value = BinaryPropertyListReader.value(of: Data(list)) as? [String: Any] else {
      throw FileDamage(text: "its metadata are no property list")
    }
    return value
  }

  var rest: ArraySlice<UInt8> { cursor.rest }

  mutating func body() throws -> ArraySlice<UInt8> {
    let body = try part(count: cursor.count64())
    guard cursor.rest.isEmpty else { throw FileDamage(text: "it is longer than it says") }
    return body
  }

  private mutating func part(count: Int) throws -> ArraySlice<UInt8> {
    let sum = try cursor.u32()
    let bytes = try cursor.bytes(count)
    guard BinaryStoreFile.checksum(bytes) == sum else {
      throw FileDamage(text: "its checksum is wrong")
    }
    return bytes
  }
}
