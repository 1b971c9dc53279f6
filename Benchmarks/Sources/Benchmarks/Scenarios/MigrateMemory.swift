import CoreData
import CSQLite

/// What a migration by a mapping model takes at its peak, beyond a process that has the models:
///
///     migrate-mapping-memory   as rows, where mappings say nothing but which property comes from which
///     migrate-policy-memory    object by object, for a policy of the program's
///
/// Items are in families of a hundred, so that no object has as many members as there are rows. The peer is a
/// loop over the rows, which knows none but the one at hand.
extension Scenario {
  static func migrateMappingMemory(_ count: Int, in workspace: Workspace) throws -> Scenario {
    try migrationMemory(count, .migrateRows, in: workspace)
  }

  static func migratePolicyMemory(_ count: Int, in workspace: Workspace) throws -> Scenario {
    try migrationMemory(count, .migrateObjects, in: workspace)
  }

  private static func migrationMemory(
    _ count: Int, _ work: MemoryWork, in workspace: Workspace
  ) throws -> Scenario {
    let store = try Fixture(count: count, in: workspace).url
    let raw = try RawConnection(store)
    try raw.execute("UPDATE ZITEM SET ZPARENT = Z_PK / 100 * 100 + 2")
    try raw.execute("UPDATE ZITEM SET ZPARENT = NULL WHERE ZPARENT = Z_PK OR Z_PK % 100 < 2")
    try raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    func run(_ work: MemoryWork) -> (Int) throws -> Outcome {
      { _ in
        let target = MemoryWork.target(of: store)
        defer { workspace.delete(target) }
        return try MemoryProbe.measure(work, on: store, count: count)
      }
    }
    return Scenario(
      unit: .megabytes,
      contestants: [
        .ours(run: run(work)), Contestant(name: "raw", run: run(.migrateRaw)),
      ])
  }
}

/// Does nothing of its own, and has all objects made.
final class PlainPolicy: NSEntityMigrationPolicy {}

extension MemoryWork {
  fileprivate static func target(of store: URL) -> URL { store.appendingPathExtension("migrated") }

  static var migrateRows: MemoryWork { migration("migrate, as rows", policy: nil) }

  static var migrateObjects: MemoryWork {
    migration("migrate, as objects", policy: NSStringFromClass(PlainPolicy.self))
  }

  private static func migration(_ name: String, policy: String?) -> MemoryWork {
    MemoryWork(name: name) { store, _, begin in
      let (source, destination) = (ItemModel.make(), Scenario.withoutDate)
      let mapping = try NSMappingModel.inferredMappingModel(
        forSourceModel: source, destinationModel: destination)
      for entity in mapping.entityMappings { entity.entityMigrationPolicyClassName = policy }
      let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
      manager.usesStoreSpecificMigrationManager = false
      begin()
      try manager.migrateStore(
        from: store, sourceType: NSSQLiteStoreType, options: nil, with: mapping,
        toDestinationURL: target(of: store), destinationType: NSSQLiteStoreType,
        destinationOptions: nil)
      return try Scenario.migratedChecksum(of: target(of: store))
    }
  }

  static var migrateRaw: MemoryWork {
    MemoryWork(name: "migrate, raw") { store, _, begin in
      begin()
      _ = try Scenario.mapRaw(store, target(of: store))
      return try Scenario.migratedChecksum(of: target(of: store))
    }
  }
}
