import Synchronization

/// The store of type `NSInMemoryStoreType`: everything in memory, gone with the store.
///
/// Sendable: the contents have their lock.
final class InMemoryStore: NSPersistentStore, RowStore, @unchecked Sendable {
  private let contents = Mutex(MemoryContents())

  override var type: String { NSInMemoryStoreType }

  override func loadMetadata() throws {
    metadata = StoreMetadata.new(
      type: NSInMemoryStoreType, model: persistentStoreCoordinator?.managedObjectModel,
      configuration: configurationName)
  }

  /// A store that is not open does not exist, so there is nothing to be destroyed.
  override class func destroy(at url: URL, options: StoreOptions) throws {}

  private var snapshot: MemorySnapshot {
    MemorySnapshot(contents.withLock { $0 }, nilRule: StoreOptions(options).nilRule)
  }

  func rows(_ plan: FetchPlan) throws -> [Row] {
    try snapshot.rows(plan).map(Self.published)
  }

  func identities(_ plan: FetchPlan) throws -> ContiguousArray<PackedIdentity> {
    ContiguousArray(try snapshot.rows(plan).map(\.packed))
  }

  func count(_ plan: FetchPlan) throws -> Int { try snapshot.rows(plan).count }

  func table(_ plan: TablePlan) throws -> [[Any?]] { try snapshot.table(plan) }

  func row(of identity: NSManagedObjectID) throws -> Row? {
    snapshot.row(of: identity).map(Self.published)
  }

  func rows(of identities: [NSManagedObjectID]) throws -> [Row] {
    let snapshot = snapshot
    return identities.compactMap(snapshot.row).map(Self.published)
  }

  func members(
    of relationship: NSRelationshipDescription, owner: NSManagedObjectID
  ) throws -> [NSManagedObjectID] {
    snapshot.members(of: relationship, owner: owner)
  }

  func reserveKeys(_ count: Int, for layout: EntityLayout) throws -> Int64 {
    contents.withLock { $0.reserveKeys(count, root: layout.rootNumber) }
  }

  func save(_ changes: StoreChanges) throws {
    let conflicts = contents.withLock { contents in
      let conflicts = contents.conflicts(changes)
      if conflicts.isEmpty { contents.apply(changes) }
      return SaveConflicts(conflicts: conflicts)
    }
    if !conflicts.conflicts.isEmpty { throw conflicts }
  }

  /// The row that contexts share already, when there is one of the same version.
  private static func published(_ row: Row) -> Row {
    if let cached = row.space?.cachedRow(row.layout, row.packed), cached.version == row.version {
      return cached
    }
    row.share()
    return row
  }
}

/// The contents as they were at one moment, for the length of a fetch.
private final class MemorySnapshot: RowSource {
  private let contents: MemoryContents
  private let nilRule: NilRule

  init(_ contents: MemoryContents, nilRule: NilRule) {
    self.contents = contents
    self.nilRule = nilRule
  }

  func row(of identity: NSManagedObjectID) -> Row? { contents.row(of: identity) }

  func members(
    of relationship: NSRelationshipDescription, owner: NSManagedObjectID
  ) -> [NSManagedObjectID] {
    contents.members(of: relationship, owner: owner)
  }

  func rows(_ plan: FetchPlan) throws -> [Row] {
    plan.window(try everyRow(plan, RowReader(source: self, nilRule: nilRule)))
  }

  func table(_ plan: TablePlan) throws -> [[Any?]] {
    let reader = RowReader(source: self, nilRule: nilRule)
    return try TableReader(reader: reader, plan: plan).table(everyRow(plan.rows, reader))
  }

  private func everyRow(_ plan: FetchPlan, _ reader: RowReader) throws -> [Row] {
    let all = contents.rows(
      of: plan.layout, includesSubentities: plan.includesSubentities)
    let found = try reader.filtered(all, by: plan.predicate, layout: plan.layout)
    return try reader.sorted(found, by: plan.sortDescriptors)
  }
}
