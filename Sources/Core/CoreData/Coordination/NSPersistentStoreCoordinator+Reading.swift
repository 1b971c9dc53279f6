// The reads of contexts, without pending changes, which the context adds.
extension NSPersistentStoreCoordinator {
  /// The rows of a plan, from all stores with its entity, or from those of them that are in
  /// `stores`. The rows of several stores are merged by the sort descriptors, or else come in the
  /// order of the stores; limit and offset are applied to the whole.
  package final func rows(
    _ plan: FetchPlan, in stores: [NSPersistentStore]?
  ) throws -> [Row] {
    let stores = try self.stores(for: plan, among: stores)
    if stores.count == 1 { return try stores[0].rows(plan) }
    let rows = try stores.flatMap { try $0.rows(plan.forOneOfSeveralStores) }
    return Array(plan.window(try sorted(rows, by: plan.sortDescriptors)))
  }

  /// The identities of a plan's rows, in the order of the rows.
  package final func identities(
    _ plan: FetchPlan, in stores: [NSPersistentStore]? = nil
  ) throws -> ContiguousArray<PackedIdentity> {
    let answering = try self.stores(for: plan, among: stores)
    if answering.count == 1 { return try answering[0].identities(plan) }
    // Merging by sort descriptors needs the values.
    if !plan.sortDescriptors.isEmpty {
      return ContiguousArray(try rows(plan, in: stores).map(\.packed))
    }
    let all = try answering.flatMap { try $0.identities(plan.forOneOfSeveralStores) }
    return ContiguousArray(plan.window(all))
  }

  /// The number of rows of a plan, after its limit and offset.
  package final func count(_ plan: FetchPlan, in stores: [NSPersistentStore]? = nil) throws -> Int {
    let stores = try self.stores(for: plan, among: stores)
    if stores.count == 1 { return try stores[0].count(plan) }
    var everything = plan
    everything.limit = 0
    everything.offset = 0
    let total = try stores.reduce(0) { try $0 + $1.count(everything) }
    let rest = max(0, total - plan.offset)
    return plan.limit > 0 ? min(plan.limit, rest) : rest
  }

  /// The results of a fetch of dictionaries. Rows of several stores are read and grouped in memory.
  package final func table(
    _ plan: TablePlan, in stores: [NSPersistentStore]? = nil
  ) throws -> [[Any?]] {
    let answering = try self.stores(for: plan.rows, among: stores)
    if answering.count == 1 { return try answering[0].table(plan) }
    var everything = plan.rows
    everything.limit = 0
    everything.offset = 0
    return try TableReader(reader: RowReader(source: self), plan: plan)
      .table(rows(everything, in: stores))
  }

  /// The newest row of an object; nil if the object is gone. The ID must be of this coordinator.
  package final func row(of identity: NSManagedObjectID) throws -> Row? {
    try rowStore(of: identity).row(of: identity)
  }

  /// The newest row of an object, mostly without making an object ID; nil if the object is gone.
  final func row(of object: NSManagedObject) throws -> Row? {
    let layout = object.layout
    // In a tree of entities, the object's ID decides which entity the row is read for.
    guard !layout.isInTree, let store = object.space?.store, isOwn(store) else {
      return try row(of: object.objectID)
    }
    return try rowStore(store).row(object.packedIdentity.key, of: layout)
  }

  /// The newest rows of these objects, in any order; objects that are gone are left out.
  package final func rows(of identities: [NSManagedObjectID]) throws -> [Row] {
    let byStore = Dictionary(grouping: identities, by: \.packed.storeOrdinal)
    if byStore.count == 1 { return try rowStore(of: identities[0]).rows(of: identities) }
    return try byStore.sorted { $0.key < $1.key }.flatMap { _, identities in
      try rowStore(of: identities[0]).rows(of: identities)
    }
  }

  /// The newest rows of these packed identities; objects that are gone are left out.
  final func rows(of identities: [PackedIdentity]) throws -> [Row] {
    var rows: [Row] = []
    var rest = identities[...]
    while let first = rest.first {
      let run = rest.prefix {
        $0.storeOrdinal == first.storeOrdinal && $0.entityNumber == first.entityNumber
      }
      rest = rest[run.endIndex...]
      let store = try rowStore(of: first)
      guard let layout = store.identities.layout(number: first.entityNumber) else { continue }
      let read = try store.rows(run.map(\.key), of: layout)
      if rows.isEmpty { rows = read } else { rows += read }
    }
    return rows
  }

  /// The members of an object's to-many relationship, in order if the relationship is ordered.
  package final func members(
    of relationship: NSRelationshipDescription, owner: NSManagedObjectID
  ) throws -> [NSManagedObjectID] {
    if relationship.isTransient { return [] }
    return try rowStore(of: owner).members(of: relationship, owner: owner)
  }

  /// The members of a to-many relationship for each of `owners`, in their order.
  package final func members(
    of relationship: NSRelationshipDescription, owners: [PackedIdentity]
  ) throws -> [[NSManagedObjectID]] {
    if relationship.isTransient { return owners.map { _ in [] } }
    var lists: [[NSManagedObjectID]] = []
    var rest = owners[...]
    while let first = rest.first {
      let run = rest.prefix { $0.storeOrdinal == first.storeOrdinal }
      lists += try rowStore(of: first).members(of: relationship, owners: Array(run))
      rest = rest[run.endIndex...]
    }
    return lists
  }

  private func rowStore(of packed: PackedIdentity) throws -> any RowStore {
    guard let store = state.withLock({ $0.storesByOrdinal[packed.storeOrdinal] }) else {
      throw CoreDataError.make(
        .persistentStoreOperation,
        reason: "The store that the objects were fetched from was removed from its coordinator. "
          + "Fetch again.")
    }
    return try rowStore(store)
  }

  private func sorted(_ rows: [Row], by descriptors: [NSSortDescriptor]) throws -> [Row] {
    guard !descriptors.isEmpty else { return rows }
    return try RowReader(source: self).sorted(rows, by: descriptors)
  }
}

extension FetchPlan {
  /// The plan for each one of several stores: enough rows for the window to be cut from all of
  /// them.
  fileprivate var forOneOfSeveralStores: FetchPlan {
    var plan = self
    plan.limit = limit > 0 ? limit + offset : 0
    plan.offset = 0
    return plan
  }
}

extension NSPersistentStoreCoordinator: RowSource {
  package final func rows(_ plan: FetchPlan) throws -> [Row] { try rows(plan, in: nil) }
}
