import KeyValueCoding

/// A stored object as predicates and sort descriptors see it: it reads keys from its row, and
/// compares as its object ID.
///
/// Made by a ``RowReader`` and used on the reader's thread while it reads.
final class RowObject: NSObject, KeyValueCodable, ComparedByIdentity {
  let packed: PackedIdentity
  private let layout: EntityLayout
  private let space: IdentitySpace?
  private let reader: RowReader
  private(set) lazy var identity = NSManagedObjectID.of(packed, layout: layout, in: space)
  private(set) lazy var row: Row? = reader.row(of: identity)

  init(_ identity: NSManagedObjectID, reader: RowReader) {
    packed = identity.packed
    layout = identity.layout
    space = identity.space
    self.reader = reader
    super.init()
    self.identity = identity
  }

  init(_ row: Row, reader: RowReader) {
    packed = row.packed
    layout = row.layout
    space = row.space
    self.reader = reader
    super.init()
    self.row = row
  }

  var comparedIdentity: AnyObject { identity }

  // Equals the hash of the object ID.
  override var hash: Int { Int(truncatingIfNeeded: packed.key) }

  override func isEqual(_ object: Any?) -> Bool {
    switch object {
    case let other as RowObject: packed == other.packed || identity.isEqual(other.identity)
    case let other as any ComparedByIdentity: identity.isEqual(other.comparedIdentity)
    default: identity.isEqual(object)
    }
  }

  func value(forKey key: String) -> Any? {
    switch layout.place(of: key) {
    case .slot(let slot): return value(inSlot: slot).any
    case .composite(let index):
      guard let row else { return nil }
      return layout.compositeValue(index) { row[$0] }
    case .toMany(let index): return members(layout.relationship(toMany: index))
    case .fetched: return value(forUndefinedKey: key)
    case nil: return ownValue(forKey: key) ?? value(forUndefinedKey: key)
    }
  }

  /// The value of a slot, for a predicate.
  func value(inSlot slot: Int) -> TypedValue {
    guard let row else { return .null }
    switch row[slot].loaded {
    case .null: return .null
    case .integer(let value): return .integer(value)
    case .real(let value): return real(value, inSlot: slot)
    case .text(let value): return .string(value)
    case .data(let value): return .data(value)
    case .identity(let value): return .object(reader.object(value))
    case .object(let value): return TypedValue(value)
    }
  }

  private func real(_ value: Double, inSlot slot: Int) -> TypedValue {
    guard case .attribute(.dateAttributeType) = layout.slots[slot].kind else {
      return .double(value)
    }
    return .date(Date(timeIntervalSinceReferenceDate: value))
  }

  private func members(_ relationship: NSRelationshipDescription) -> Any {
    let identities =
      relationship.isTransient ? [] : reader.members(of: relationship, owner: identity)
    let members = identities.map { reader.object($0) }
    return relationship.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members)
  }

  private func ownValue(forKey key: String) -> Any? {
    switch key {
    case "self": self
    case "objectID": identity
    case "entity": layout.entity
    default: nil
    }
  }

  func value(forUndefinedKey key: String) -> Any? {
    reader.fail(
      CoreDataError.make(
        .coreData,
        reason: "keypath \(key) not found in entity \(layout.entity.name ?? "")"))
    return nil
  }

  /// Traps: only saves change rows.
  func setValue(_ value: Any?, forKey key: String) {
    fatalError("A row that a predicate looks at cannot be changed (key \(key))")
  }
}

extension RowObject: RelatedObject {
  func leadsToOneValue(_ keyPath: String) -> Bool { layout.leadsToOneValue(keyPath) }
}

extension RowObject: NamedKind {
  /// In error messages a row appears as the object that it stands for.
  var kindName: String { "an object of the entity “\(identity.layout.entity.name ?? "")”" }
}
