/// Writes the body of a binary store's file; the format is described at ``BinaryStoreFile``.
struct BinaryBodyWriter {
  private var names: [String: UInt32] = [:]
  private var list = BinaryBytes()
  private var objects = BinaryBytes()

  mutating func body(_ contents: StoredContents) -> [UInt8] {
    for object in contents.objects { append(object) }
    var body = BinaryBytes()
    body.append(contents.lastKey)
    body.append(UInt32(names.count))
    body.bytes += list.bytes
    body.append(UInt64(contents.objects.count))
    return body.bytes + objects.bytes
  }

  private mutating func number(of name: String) -> UInt32 {
    if let known = names[name] { return known }
    let number = UInt32(names.count)
    names[name] = number
    list.append(text: name)
    return number
  }

  private mutating func append(_ object: StoredObject) {
    objects.append(number(of: object.entity))
    objects.append(object.key)
    objects.append(object.version)
    objects.append(UInt32(object.attributes.count))
    for (name, value) in object.attributes {
      objects.append(number(of: name))
      append(value)
    }
    objects.append(UInt32(object.relationships.count))
    for (name, keys) in object.relationships {
      objects.append(number(of: name))
      objects.append(UInt32(keys.count))
      for key in keys { objects.append(key) }
    }
  }

  private mutating func append(_ value: StoredValue) {
    switch value {
    case .integer(let value):
      objects.append(UInt8(1))
      objects.append(value)
    case .real(let value):
      objects.append(UInt8(2))
      objects.append(value.bitPattern)
    case .text(let text):
      objects.append(UInt8(3))
      objects.append(text: text)
    case .data(let data):
      objects.append(UInt8(4))
      objects.append(data: data)
    }
  }
}

/// Reads the body of a binary store's file. The body may be hostile even if its checksum is right.
struct BinaryBodyReader {
  private var cursor: BinaryCursor
  private var names: [String] = []

  init(_ body: ArraySlice<UInt8>) { cursor = BinaryCursor(body) }

  mutating func contents(_ metadata: [String: Any]) throws -> StoredContents {
    let lastKey = try cursor.i64()
    guard lastKey >= 0, lastKey < 1 << 40 else {
      throw FileDamage(text: "its last key is too large")
    }
    names = try cursor.list(count: Int(cursor.u32()), size: 4) { try $0.text() }
    let names = names
    let objects = try cursor.list(count: cursor.count64(), size: 28) {
      try Self.object(&$0, names: names)
    }
    guard cursor.rest.isEmpty else { throw FileDamage(text: "there is more than its objects") }
    return StoredContents(metadata: metadata, lastKey: lastKey, objects: objects)
  }

  private static func name(_ cursor: inout BinaryCursor, names: [String]) throws -> String {
    let number = Int(try cursor.u32())
    guard names.indices.contains(number) else { throw FileDamage(text: "a name is missing") }
    return names[number]
  }

  private static func object(
    _ cursor: inout BinaryCursor, names: [String]
  ) throws -> StoredObject {
    var object = StoredObject(
      entity: try name(&cursor, names: names), key: try cursor.i64(), version: try cursor.i64())
    object.attributes = try cursor.list(count: Int(cursor.u32()), size: 9) {
      (try name(&$0, names: names), try value(&$0))
    }
    object.relationships = try cursor.list(count: Int(cursor.u32()), size: 8) { cursor in
      let name = try name(&cursor, names: names)
      return (name, try cursor.list(count: Int(cursor.u32()), size: 8) { try $0.i64() })
    }
    return object
  }

  private static func value(_ cursor: inout BinaryCursor) throws -> StoredValue {
    switch try cursor.u8() {
    case 1: return .integer(try cursor.i64())
    case 2: return .real(try cursor.f64())
    case 3: return .text(try cursor.text())
    case 4: return .data(try cursor.data())
    default: throw FileDamage(text: "a value is of an unknown kind")
    }
  }
}
