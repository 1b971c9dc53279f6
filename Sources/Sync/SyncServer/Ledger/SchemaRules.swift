import CoreDataSync

/// What of a schema the server's rules ask, prepared.
struct SchemaRules {
  struct Entity {
    /// References that the record lives and dies with.
    var lives: Set<String> = []
    /// References that keep their target from being deleted.
    var denials: [String] = []
    /// References that may not lead back to where they begin.
    var acyclic: Set<String> = []
    var uniqueness: [[String]] = []
    var editWins = false
  }

  let schema: SyncSchema
  /// Whether any reference keeps its target from being deleted.
  let hasDenials: Bool
  private let entities: [String: Entity]
  private static let unknown = Entity()

  init(_ schema: SyncSchema) {
    self.schema = schema
    entities = schema.entities.mapValues { entity in
      let references = entity.references.sorted { $0.key < $1.key }
      return Entity(
        lives: Set(
          references.filter { $0.value.isRequired || $0.value.rule == .cascade }.map(\.key)),
        denials: references.filter { $0.value.rule == .deny }.map(\.key),
        acyclic: Set(references.filter(\.value.isAcyclic).map(\.key)),
        uniqueness: entity.uniqueness, editWins: entity.editWins)
    }
    hasDenials = entities.values.contains { !$0.denials.isEmpty }
  }

  subscript(entity: String) -> Entity { entities[entity] ?? Self.unknown }
}

extension SyncSchema {
  /// This schema with what another says besides. Where both speak of one reference, the other
  /// is the newer.
  func union(_ other: SyncSchema) -> SyncSchema {
    var all = self
    all.entities.merge(other.entities) { $0.union($1) }
    return all
  }
}

extension SyncSchema.Entity {
  fileprivate func union(_ other: SyncSchema.Entity) -> SyncSchema.Entity {
    var all = self
    all.attributes.merge(other.attributes) { $1 }
    all.counters.formUnion(other.counters)
    all.references.merge(other.references) { $1 }
    all.uniqueness += other.uniqueness.filter { !uniqueness.contains($0) }
    all.editWins = editWins || other.editWins
    return all
  }
}

/// The key of an entity's constraint in the index: a hash of its values.
struct UniqueKey {
  /// Nil unless every property has a value: nothing is equal to nothing.
  static func make(_ record: LedgerRecord, for constraint: [String]) -> (Int64, [SyncValue])? {
    var values: [SyncValue] = []
    for property in constraint {
      let value = record.value(at: property)
      guard value != .null else { return nil }
      values.append(value)
    }
    guard !values.isEmpty else { return nil }
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    for name in [record.entity] + constraint {
      for byte in name.utf8 { add(byte) }
      add(0)
    }
    for byte in values.flatMap({ RegistersBlob.bytes(of: $0) }) { add(byte) }
    return (Int64(bitPattern: hash), values)
  }
}
