/// Copies every object of one store into an empty one, under new keys.
///
///     keys of every tree of entities ─► rows, some at a time ─► members of the relationships that
///                                                              rows do not contain
///
/// Used by one thread, once.
struct StoreCopy {
  private static let size = 500

  private let source: any RowStore
  private let target: any RowStore
  private let layouts: [EntityLayout]
  /// The new keys by old key, by the number of the root entity.
  private var keys: [Int: [Int64: Int64]] = [:]
  private var identities: [[PackedIdentity]] = []

  init(from source: any RowStore, to target: any RowStore, layouts: [EntityLayout]) {
    self.source = source
    self.target = target
    self.layouts = layouts
  }

  mutating func run() throws {
    for layout in layouts { try reserve(layout) }
    for (layout, identities) in zip(layouts, identities) {
      for part in Self.parts(identities) { try copyRows(layout, part: part) }
    }
    for (layout, identities) in zip(layouts, identities) {
      for relationship in layout.toMany where relationship.speaks {
        for part in Self.parts(identities) {
          try copyMembers(relationship, layout: layout, part: part)
        }
      }
    }
  }

  private static func parts(_ identities: [PackedIdentity]) -> [ArraySlice<PackedIdentity>] {
    stride(from: 0, to: identities.count, by: size).map { identities[$0...].prefix(size) }
  }

  private mutating func reserve(_ layout: EntityLayout) throws {
    var plan = FetchPlan(layout: layout)
    plan.includesSubentities = false
    let found = try source.identities(plan).sorted { $0.key < $1.key }
    identities.append(found)
    guard !found.isEmpty else { return }
    let first = try target.reserveKeys(found.count, for: layout)
    for (offset, identity) in found.enumerated() {
      keys[layout.rootNumber, default: [:]][identity.key] = first + Int64(offset)
    }
  }

  private func copyRows(_ layout: EntityLayout, part: ArraySlice<PackedIdentity>) throws {
    var changes = StoreChanges()
    for row in try source.rows(of: part.map(source.identities.identity)) {
      guard let identity = moved(layout, key: row.packed.key) else { continue }
      let copy = Row.empty(identity)
      for slot in 0..<row.count { copy[slot] = moved(row[slot]) }
      changes.inserted.append(copy)
    }
    try target.save(changes)
  }

  private func copyMembers(
    _ relationship: NSRelationshipDescription, layout: EntityLayout,
    part: ArraySlice<PackedIdentity>
  ) throws {
    let members = try source.members(of: relationship, owners: Array(part))
    var changes = StoreChanges()
    for (owner, members) in zip(part, members) where !members.isEmpty {
      guard let owner = moved(layout, key: owner.key) else { continue }
      let new = members.compactMap { moved($0.layout, key: $0.packed.key) }
      changes.members.append(
        StoreChanges.MemberChange(
          relationship: relationship, owner: owner, added: new, removed: [],
          order: relationship.isOrdered ? new : nil))
    }
    try target.save(changes)
  }

  /// The ID of each object in the old store, each followed by its ID in the new store.
  var identityPairs: [NSManagedObjectID] {
    zip(layouts, identities).flatMap { layout, identities in
      identities.flatMap { old in
        [source.identities.identity(old), moved(layout, key: old.key)].compactMap { $0 }
      }
    }
  }

  // MARK: - In the new store

  /// The ID in the new store; nil for an object that was not copied.
  private func moved(_ layout: EntityLayout, key: Int64) -> NSManagedObjectID? {
    keys[layout.rootNumber]?[key].map { target.identities.identity(layout, key: $0) }
  }

  private func moved(_ value: Value) -> Value {
    switch value.loaded {
    case .identity(let id): moved(id.layout, key: id.packed.key).map(Value.identity) ?? .null
    case let value: value
    }
  }
}
