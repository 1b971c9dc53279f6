import Foundation

// What CBOR has of its own is written so; the rest is an array that begins with its kind.
//
// | kind | parts |
// |---|---|
// | 0 decimal | text |
// | 1 date | a number |
// | 2 UUID | 16 bytes |
// | 3 URL | text |
// | 4 reference | an ID |
// | 5 position | an ID or null, text |
// | 6 blob | bytes, an integer |
// | 7 composite | an array of names and values |

extension WireWriter {
  mutating func value(_ value: SyncValue) {
    switch value {
    case .null: body.null()
    case .bool(let flag): body.bool(flag)
    case .integer(let number): body.integer(number)
    case .double(let number): body.double(number)
    case .text(let text): body.text(text)
    case .data(let data): body.data(data)
    case .decimal(let digits): kind(0, parts: 1) { $0.body.text(digits) }
    case .date(let seconds): kind(1, parts: 1) { $0.body.double(seconds) }
    case .uuid(let uuid): kind(2, parts: 1) { $0.id(RecordID(uuid)) }
    case .url(let text): kind(3, parts: 1) { $0.body.text(text) }
    case .reference(let id): kind(4, parts: 1) { $0.id(id) }
    case .position(let list, let key):
      kind(5, parts: 2) {
        if let list { $0.id(list) } else { $0.body.null() }
        $0.body.text(key)
      }
    case .blob(let hash, let size):
      kind(6, parts: 2) {
        $0.body.data(hash)
        $0.body.integer(size)
      }
    case .composite(let values):
      kind(7, parts: values.count * 2) {
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
          $0.name(name)
          $0.value(value)
        }
      }
    }
  }

  private mutating func kind(_ kind: UInt64, parts: Int, by write: (inout WireWriter) -> Void) {
    body.array(count: parts + 1)
    body.unsigned(kind)
    write(&self)
  }
}

extension WireReader {
  mutating func value(depth: Int = 0) throws -> SyncValue {
    let initial = try body.peek()
    switch initial >> 5 {
    case 0, 1: return .integer(try body.integer())
    case 2: return .data(Data(try body.data()))
    case 3: return .text(try body.text())
    case 4: return try compound(depth: depth)
    case 7 where initial == 0xF6:
      try body.null()
      return .null
    case 7 where initial == 0xFB: return .double(try body.double())
    case 7: return .bool(try body.bool())
    default: throw body.failure(.form, expected: "expected a value")
    }
  }

  private mutating func compound(depth: Int) throws -> SyncValue {
    let parts = try body.array()
    guard parts > 0 else {
      throw body.failure(.form, expected: "a value of parts begins with its kind")
    }
    let kind = try body.unsigned()
    switch (kind, parts) {
    case (0, 2): return .decimal(try body.text(most: 256))
    case (1, 2): return .date(try body.double())
    case (2, 2): return .uuid(UUID(try id()))
    case (3, 2): return .url(try body.text())
    case (4, 2): return .reference(try id())
    case (5, 3):
      let list = try optionalID()
      return .position(list: list, key: try body.text())
    case (6, 3):
      let hash = Data(try body.data(most: 64))
      return .blob(hash: hash, size: try body.integer())
    case (7, _) where parts % 2 == 1: return try composite(parts / 2, depth: depth)
    default:
      throw body.failure(.form, expected: "there is no value of kind \(kind) and \(parts) parts")
    }
  }

  private mutating func composite(_ count: Int, depth: Int) throws -> SyncValue {
    guard depth < CBORReader.maximumDepth else {
      throw body.failure(.limit, expected: "composites are nested too deep")
    }
    var values: [String: SyncValue] = [:]
    for _ in 0..<count {
      let name = try name()
      guard values.updateValue(try value(depth: depth + 1), forKey: name) == nil else {
        throw body.failure(.form, expected: "a composite has each name once")
      }
    }
    return .composite(values)
  }

  mutating func optionalID() throws -> RecordID? {
    guard body.isNull else { return try id() }
    try body.null()
    return nil
  }
}

extension UUID {
  /// The UUID whose bytes are those of a record's name.
  public init(_ id: RecordID) {
    let bytes = id.bytes
    self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
