/// The whole contents of an atomic store's file.
struct StoredContents {
  var metadata: [String: Any]
  /// The last key that was reserved for an object.
  var lastKey: Int64
  var objects: [StoredObject]
}

extension StoredContents {
  /// The contents to write. Throws for a value that cannot be stored.
  init(_ contents: MemoryContents, metadata: [String: Any], lastKey: Int64) throws {
    self.metadata = metadata
    self.lastKey = lastKey
    var codecs = CodecTable()
    let rows = contents.trees.values.flatMap(\.values)
    objects =
      try rows
      .sorted { $0.packed.key < $1.packed.key }
      .map { try Self.object($0, contents: contents, codecs: &codecs) }
  }

  private static func object(
    _ row: Row, contents: MemoryContents, codecs: inout CodecTable
  ) throws -> StoredObject {
    let layout = row.layout
    var object = StoredObject(
      entity: layout.entity.name ?? "", key: row.packed.key, version: row.version)
    for (index, slot) in layout.slots.enumerated() where slot.isStored {
      if slot.kind == .toOne {
        object.relationships.append((slot.name, row[index].key.map { [$0] } ?? []))
      } else if let value = try codecs.codec(slot)?.stored(row[index]) {
        object.attributes.append((slot.name, value))
      }
    }
    for relationship in layout.toMany where !relationship.isTransient {
      let members = contents.members(of: relationship, owner: row.identity)
      object.relationships.append((relationship.name, members.map(\.packed.key)))
    }
    return object
  }
}

extension Value {
  /// The key of a to-one relationship's destination.
  fileprivate var key: Int64? {
    if case .identity(let target) = self { target.packed.key } else { nil }
  }
}

/// The codecs of a model's attributes, made when they are first needed.
struct CodecTable {
  private var codecs: [ObjectIdentifier: AttributeCodec] = [:]

  /// The codec of a slot's attribute; nil for a relationship.
  mutating func codec(_ slot: EntityLayout.Slot) -> AttributeCodec? {
    guard let attribute = slot.property as? NSAttributeDescription else { return nil }
    let place = ObjectIdentifier(attribute)
    if let codec = codecs[place] { return codec }
    let codec = AttributeCodec(attribute)
    codecs[place] = codec
    return codec
  }
}

/// Looks up names as a file writes them: the element of exactly that name, else the only one whose
/// name differs in case alone. Names in Apple's XML stores differ from the model's in case.
struct NameTable<Element> {
  private var exact: [String: Element] = [:]
  private var folded: [String: Element?] = [:]

  init(_ elements: [(name: String, element: Element)]) {
    for (name, element) in elements {
      exact[name] = element
      let lower = name.lowercased()
      folded[lower] = .some(folded[lower] == nil ? element : nil)
    }
  }

  subscript(name: String) -> Element? {
    exact[name] ?? folded[name.lowercased()] ?? nil
  }
}
