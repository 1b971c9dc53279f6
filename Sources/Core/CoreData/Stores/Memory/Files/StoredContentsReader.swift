/// Makes the contents of a store from the contents of its file, by the store's model. Used once, on
/// one thread.
struct StoredContentsReader {
  private let identities: IdentitySpace
  private let entities: NameTable<EntityLayout>
  /// Whether objects and properties that the model does not have are skipped; else they are damage.
  private let skipsUnknown: Bool
  /// Whether a reference to a missing object is damage; else it is skipped.
  private let isStrict: Bool
  private var codecs = CodecTable()
  private var properties: [ObjectIdentifier: NameTable<EntityLayout.Place>] = [:]
  private var objects: [Int64: NSManagedObjectID] = [:]
  private var builder = ContentsBuilder()

  init(
    _ identities: IdentitySpace, layouts: [EntityLayout], skipsUnknown: Bool, isStrict: Bool
  ) {
    self.identities = identities
    self.skipsUnknown = skipsUnknown
    self.isStrict = isStrict
    entities = NameTable(layouts.map { ($0.entity.name ?? "", $0) })
  }

  /// The contents for the store. Throws ``FileDamage``.
  mutating func contents(_ stored: StoredContents) throws -> MemoryContents {
    for object in stored.objects { try note(object) }
    for object in stored.objects { try add(object) }
    var contents = builder.finished()
    contents.setLastKey(max(stored.lastKey, objects.keys.max() ?? 0), root: 0)
    return contents
  }

  private mutating func note(_ object: StoredObject) throws {
    guard object.key > 0, object.key < 1 << 40 else {
      throw FileDamage(text: "an object has the number \(object.key)")
    }
    guard let layout = entities[object.entity] else {
      if skipsUnknown { return }
      throw FileDamage(text: "the model has no entity “\(object.entity)”")
    }
    let identity = identities.identity(layout, key: object.key)
    guard objects.updateValue(identity, forKey: object.key) == nil else {
      throw FileDamage(text: "there are two objects with the number \(object.key)")
    }
  }

  private mutating func add(_ object: StoredObject) throws {
    guard let identity = objects[object.key] else { return }
    let row = Row.make(
      identity.layout, packed: identity.packed, in: identities, version: object.version)
    for (name, value) in object.attributes { try set(name, value: value, in: row) }
    var members: [(NSRelationshipDescription, [NSManagedObjectID])] = []
    for (name, keys) in object.relationships {
      try relate(name, keys: keys, row: row, members: &members)
    }
    for (relationship, targets) in members {
      builder.add(targets, of: relationship, owner: identity)
    }
    _ = builder.add(row)  // `note` has checked that the keys are unique.
  }

  private mutating func place(_ name: String, layout: EntityLayout) throws -> EntityLayout.Place? {
    let table = properties[ObjectIdentifier(layout)] ?? makeTable(layout)
    if let place = table[name] { return place }
    if skipsUnknown { return nil }
    throw FileDamage(text: "“\(layout.entity.name ?? "")” has no property “\(name)”")
  }

  private mutating func makeTable(_ layout: EntityLayout) -> NameTable<EntityLayout.Place> {
    let names = layout.slots.map(\.name) + layout.toMany.map(\.name)
    let table = NameTable(names.compactMap { name in layout.place(of: name).map { (name, $0) } })
    properties[ObjectIdentifier(layout)] = table
    return table
  }

  private mutating func set(_ name: String, value: StoredValue, in row: Row) throws {
    guard case .slot(let slot)? = try place(name, layout: row.layout) else { return }
    if let value = codecs.codec(row.layout.slots[slot])?.value(value) {
      row[slot] = value
    } else if !skipsUnknown {
      throw FileDamage(text: "a value of “\(name)” is not of the type that the model says")
    }
  }

  private mutating func relate(
    _ name: String, keys: [Int64], row: Row,
    members: inout [(NSRelationshipDescription, [NSManagedObjectID])]
  ) throws {
    let targets = keys.compactMap { objects[$0] }
    if isStrict, targets.count < keys.count {
      throw FileDamage(text: "“\(name)” refers to an object that is not there")
    }
    switch try place(name, layout: row.layout) {
    case .slot(let slot) where row.layout.slots[slot].kind == .toOne:
      guard row.layout.slots[slot].isStored else { return }
      if let target = targets.first { row[slot] = .identity(target) }
    case .toMany(let index): members.append((row.layout.toMany[index], targets))
    default: if !skipsUnknown { throw FileDamage(text: "“\(name)” is no relationship") }
    }
  }
}
