/// A store that is held in memory whole and reads from its contents. Such stores differ in how they
/// are filled and in what else a save does.
package protocol MemoryRowStore: RowStore {
  var core: MemoryCore { get }

  /// The contents to read now.
  func contents() throws -> MemoryContents
}

extension MemoryRowStore {
  package func contents() throws -> MemoryContents { core.current }

  private var snapshot: MemorySnapshot {
    get throws { MemorySnapshot(try contents(), nilRule: StoreOptions(options).nilRule) }
  }

  package func rows(_ plan: FetchPlan) throws -> [Row] {
    try snapshot.rows(plan).map(Self.published)
  }

  package func identities(_ plan: FetchPlan) throws -> ContiguousArray<PackedIdentity> {
    ContiguousArray(try snapshot.rows(plan).map(\.packed))
  }

  package func count(_ plan: FetchPlan) throws -> Int { try snapshot.rows(plan).count }

  package func table(_ plan: TablePlan) throws -> [[Any?]] { try snapshot.table(plan) }

  package func row(of identity: NSManagedObjectID) throws -> Row? {
    try contents().row(of: identity).map(Self.published)
  }

  package func rows(of identities: [NSManagedObjectID]) throws -> [Row] {
    let contents = try contents()
    return identities.compactMap(contents.row).map(Self.published)
  }

  package func members(
    of relationship: NSRelationshipDescription, owner: NSManagedObjectID
  ) throws -> [NSManagedObjectID] {
    try contents().members(of: relationship, owner: owner)
  }

  package func reserveKeys(_ count: Int, for layout: EntityLayout) throws -> Int64 {
    core.reserveKeys(count, root: layout.rootNumber)
  }

  /// The row that contexts share, if it has the same version; else `row`, which becomes shared.
  private static func published(_ row: Row) -> Row {
    if let cached = row.space?.cachedRow(row.layout, packed: row.packed),
      cached.version == row.version
    {
      return cached
    }
    row.space?.offer(row)
    return row
  }
}

extension MemoryRowStore {
  /// Adds the version hashes of the model to the metadata, unless the metadata have some.
  func addVersions() {
    guard metadata?[NSStoreModelVersionHashesKey] == nil,
      let model = coordinatorModel
    else { return }
    let versions = StoreMetadata.versions(of: model, configuration: configurationName)
    metadata?.merge(versions) { own, _ in own }
  }

  /// Throws, as Apple's stores do, if an entity of the store has a derived attribute, which only
  /// SQL stores compute.
  func refuseDerivedAttributes() throws {
    let model = coordinatorModel
    let entities = model?.entities(forConfigurationName: configurationName) ?? model?.entities ?? []
    for entity in entities {
      let derived = entity.properties.first { $0 is NSDerivedAttributeDescription }
      guard let derived else { continue }
      throw CoreDataError.make(
        .coreData,
        reason: "Core Data provided atomic stores do not support derived properties "
          + "(\(entity.name ?? "").\(derived.name)); use a store of type \(NSSQLiteStoreType).")
    }
  }
}
