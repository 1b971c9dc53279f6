/// Runs a mapping model over rows, without objects, if no code of the developer would see the
/// objects and every mapping only copies properties. The result equals that of a migration with
/// objects.
///
///     first pass     rows of each entity, 5000 at a time, with their attributes and to-one
///                    relationships
///     second pass    members of many-to-many and ordered relationships
///
/// Memory holds the keys of all rows, eight bytes each, and one batch of rows.
struct RowMigration {
  /// Thrown if objects turn out to be required: for a missing value, whose error names its object.
  struct NeedsObjects: Error {}

  private static let batch = 5000

  private let manager: NSMigrationManager
  private let plans: [EntityRowPlan]
  private let from: any RowStore
  private let to: any RowStore
  /// By the number of the source entity.
  private var tables: [Int: KeyTable] = [:]
  /// The changes for a store of one file, saved at the end: each save of such a store writes the
  /// whole file.
  private var pending = StoreChanges()
  private var (done, total) = (0, 1)

  /// The key mapping of one entity: the row with the n-th key got the n-th key from `first`.
  private struct KeyTable {
    let mapping: String
    let destination: EntityLayout
    let keys: [Int64]
    let first: Int64

    func destination(of key: Int64) -> Int64? {
      var (low, high) = (0, keys.count)
      while low < high {
        let middle = (low + high) / 2
        if keys[middle] < key { low = middle + 1 } else { high = middle }
      }
      return low < keys.count && keys[low] == key ? first + Int64(low) : nil
    }
  }

  /// Returns nil if objects are required.
  init?(_ manager: NSMigrationManager, mappings: NSMappingModel) {
    guard type(of: manager) == NSMigrationManager.self,
      let coordinator = manager.sourceContext.persistentStoreCoordinator,
      let from = coordinator.persistentStores.first?.rowStore,
      let to = manager.destinationContext.persistentStoreCoordinator?.persistentStores.first?
        .rowStore
    else { return nil }
    (self.manager, self.from, self.to) = (manager, from, to)
    var plans: [EntityRowPlan] = []
    for mapping in mappings.entityMappings
    where ![.addEntityMappingType, .removeEntityMappingType].contains(mapping.mappingType) {
      guard mapping.entityMigrationPolicyClassName?.isEmpty ?? true,
        let source = manager.sourceEntity(for: mapping)?.layout,
        let destination = manager.destinationEntity(for: mapping)?.layout
      else { return nil }
      // An abstract entity has no rows and is not instantiated; entities of another configuration
      // are in another store.
      if source.isAbstract && destination.isAbstract
        || !coordinator.holds(source.entity, in: from)
      {
        continue
      }
      guard
        let plan = EntityRowPlan(
          mapping, from: source, to: destination, isInferred: mappings.isInferred)
      else { return nil }
      plans.append(plan)
    }
    guard Set(plans.map(\.source.number)).count == plans.count,
      RelationshipPairs(plans).areWhole
    else { return nil }
    self.plans = plans
  }

  mutating func run() throws {
    for plan in plans { try readKeys(of: plan) }
    // Each pass over an entity counts as a row.
    total = plans.reduce(1) { $0 + 3 + count(of: $1) * (1 + $1.members.count) }
    for plan in plans {
      try advance(plan, by: 1)
      try copyRows(plan)
    }
    for plan in plans {
      try advance(plan, by: 1)
      for members in plan.members { try copyMembers(members, of: plan) }
    }
    for plan in plans { try advance(plan, by: 1) }
    if !pending.isEmpty { try to.save(pending) }
  }

  private func count(of plan: EntityRowPlan) -> Int {
    tables[plan.source.number]?.keys.count ?? 0
  }

  /// Reports that further rows, or members of rows, are done.
  private mutating func advance(_ plan: EntityRowPlan, by rows: Int) throws {
    done += rows
    try manager.advance(to: plan.mapping, progress: Float(done) / Float(total))
  }

  private mutating func readKeys(of plan: EntityRowPlan) throws {
    var fetch = FetchPlan(layout: plan.source)
    fetch.includesSubentities = false
    let keys = try from.identities(fetch).map(\.key).sorted()
    guard !keys.isEmpty else { return }
    tables[plan.source.number] = KeyTable(
      mapping: plan.mapping.name, destination: plan.destination, keys: keys,
      first: try to.reserveKeys(keys.count, for: plan.destination))
  }

  /// The destination identity of a source identity; nil if the object is not migrated, or is not a
  /// member of the relationship.
  private func destination(
    of identity: PackedIdentity, in relationship: NSRelationshipDescription, _ mapping: String?
  ) -> PackedIdentity? {
    guard let table = tables[identity.entityNumber], mapping == nil || mapping == table.mapping,
      let kind = relationship.destinationEntity, table.destination.entity.isKindOf(entity: kind)
    else { return nil }
    return table.destination(of: identity.key).map {
      to.identities.packed(table.destination, key: $0)
    }
  }

  private mutating func forEachBatch(
    of plan: EntityRowPlan, _ body: (ArraySlice<Int64>) throws -> StoreChanges
  ) throws {
    guard let keys = tables[plan.source.number]?.keys else { return }
    for start in stride(from: 0, to: keys.count, by: Self.batch) {
      let batch = keys[start..<min(start + Self.batch, keys.count)]
      try save(body(batch))
      try advance(plan, by: batch.count)
    }
  }

  private mutating func save(_ changes: StoreChanges) throws {
    if to is SQLiteStore {
      if !changes.isEmpty { try to.save(changes) }
    } else {
      pending.inserted += changes.inserted
      pending.members += changes.members
    }
  }

  // MARK: - Rows

  private mutating func copyRows(_ plan: EntityRowPlan) throws {
    let reader = self
    try forEachBatch(of: plan) { keys in
      var changes = StoreChanges()
      changes.inserted.reserveCapacity(keys.count)
      let rows = try reader.from.rows(Array(keys), of: plan.source)
      for row in rows.sorted(by: { $0.packed.key < $1.packed.key }) {
        changes.inserted.append(try reader.copy(row, plan: plan))
      }
      return changes
    }
  }

  private func copy(_ row: Row, plan: EntityRowPlan) throws -> Row {
    guard let key = tables[plan.source.number]?.destination(of: row.packed.key) else {
      throw NeedsObjects()
    }
    let layout = plan.destination
    let space = to.identities
    let copy = Row.make(layout, packed: space.packed(layout, key: key), in: space, version: 0)
    for (slot, source) in plan.sources.enumerated() {
      switch source {
      case nil: copy.initialize(slot, value: layout.defaults[slot])
      case .attribute(let index):
        let value = row[index].loaded
        if case .object(is ExternalData) = value { throw NeedsObjects() }
        let isDefault = value.isNull && plan.filled.contains(slot)
        copy.initialize(slot, value: isDefault ? layout.defaults[slot] : value)
      case .toOne(let index, let mapping):
        guard let relationship = layout.slots[slot].property as? NSRelationshipDescription,
          let identity = row.permanentIdentity(index),
          let member = destination(of: identity, in: relationship, mapping)
        else { continue }
        copy.initialize(slot, packed: member)
      }
    }
    if plan.required.contains(where: { copy[$0].isNull }) { throw NeedsObjects() }
    return copy
  }

  // MARK: - Members

  private mutating func copyMembers(
    _ members: EntityRowPlan.Members, of plan: EntityRowPlan
  ) throws {
    let reader = self
    try forEachBatch(of: plan) { keys in
      var changes = StoreChanges()
      let owners = keys.map { reader.from.identities.packed(plan.source, key: $0) }
      for (owner, found) in zip(owners, try reader.members(of: members.source, owners, plan: plan))
      {
        guard let change = reader.change(members, owner: owner, found: found) else { continue }
        changes.members.append(change)
      }
      return changes
    }
  }

  private func members(
    of relationship: NSRelationshipDescription, _ owners: [PackedIdentity], plan: EntityRowPlan
  ) throws -> [[PackedIdentity]] {
    guard let slot = plan.source.slot(of: relationship) else {
      return try from.members(of: relationship, owners: owners).map { $0.map(\.packed) }
    }
    let rows = try from.rows(owners.map(\.key), of: plan.source)
    let members = Dictionary(
      rows.map { ($0.packed, $0.permanentIdentity(slot)) }, uniquingKeysWith: { first, _ in first })
    return owners.map { owner in members[owner].flatMap { $0 }.map { [$0] } ?? [] }
  }

  private func change(
    _ members: EntityRowPlan.Members, owner: PackedIdentity, found: [PackedIdentity]
  ) -> StoreChanges.MemberChange? {
    let space = to.identities
    let kept = found.compactMap { destination(of: $0, in: members.relationship, members.mapping) }
      .map(space.identity)
    guard !kept.isEmpty, let table = tables[owner.entityNumber],
      let key = table.destination(of: owner.key)
    else { return nil }
    return StoreChanges.MemberChange(
      relationship: members.relationship, owner: space.identity(table.destination, key: key),
      added: kept, removed: [], order: members.relationship.isOrdered ? kept : nil)
  }
}
