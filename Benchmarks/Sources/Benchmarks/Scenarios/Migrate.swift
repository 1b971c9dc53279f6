import CoreData
import CSQLite

/// A store comes to the next version of its model. Every run gets a new copy of the store.
///
///     migrate-inplace   a mandatory attribute with a default is added: a column, and a value in every row
///     migrate-rebuild   an attribute is removed: a new table without its column, filled from the old one
///     migrate-mapping   the same object by object, into a new file, as a mapping model says
///
/// The peer does what it takes in plain SQL, or a loop over the rows, and nothing else.
extension Scenario {
  static func migrateInPlace(_ count: Int, in workspace: Workspace) throws -> Scenario {
    let fixture = try Fixture(count: count, in: workspace)
    let model = ItemModel.make()
    let rank = NSAttributeDescription()
    rank.name = "rank"
    rank.attributeType = .integer64AttributeType
    rank.isOptional = false
    rank.defaultValue = 5
    model.entities[0].properties.append(rank)
    return migration(of: fixture.url, to: model, in: workspace) { connection in
      try connection.execute("ALTER TABLE ZITEM ADD COLUMN ZRANK INTEGER")
      try connection.execute("UPDATE ZITEM SET ZRANK = 5")
    }
  }

  static func migrateRebuild(_ count: Int, in workspace: Workspace) throws -> Scenario {
    let fixture = try Fixture(count: count, in: workspace)
    return migration(of: fixture.url, to: withoutDate, in: workspace) { connection in
      try connection.execute("ALTER TABLE ZITEM RENAME TO OLD")
      try connection.execute(newTable)
      try connection.execute(
        "INSERT INTO ZITEM SELECT Z_PK, Z_ENT, Z_OPT, ZORDER, ZPARENT, ZVALUE, ZTITLE FROM OLD")
      try connection.execute("DROP TABLE OLD")
      try connection.execute("CREATE INDEX ZITEM_ZPARENT_INDEX ON ZITEM (ZPARENT)")
    }
  }

  private static let newTable =
    "CREATE TABLE ZITEM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZORDER INTEGER, "
    + "ZPARENT INTEGER, ZVALUE FLOAT, ZTITLE VARCHAR)"

  static var withoutDate: NSManagedObjectModel {
    let model = ItemModel.make()
    model.entities[0].properties.removeAll { $0.name == "date" }
    return model
  }

  private static func migration(
    of store: URL, to model: NSManagedObjectModel, in workspace: Workspace,
    raw: @escaping (RawConnection) throws -> Void
  ) -> Scenario {
    Scenario(
      unit: .milliseconds,
      contestants: [
        .ours { _ in
          try onCopy(of: store, workspace) { try migrateOurs($0, model) }
        },
        Contestant(name: "raw") { _ in
          try onCopy(of: store, workspace) { copy in
            let connection = try RawConnection(copy, settings: workspace.settings)
            return try ContinuousClock().measure {
              try connection.execute("BEGIN IMMEDIATE")
              try raw(connection)
              try connection.execute("COMMIT")
            }
          }
        },
      ])
  }

  private static func migrateOurs(
    _ store: URL, _ model: NSManagedObjectModel
  ) throws -> Duration {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    var added: NSPersistentStore?
    let duration = try ContinuousClock().measure {
      added = try coordinator.addPersistentStore(
        type: .sqlite, at: store,
        options: [
          NSMigratePersistentStoresAutomaticallyOption: true,
          NSInferMappingModelAutomaticallyOption: true,
        ])
    }
    if let added { try coordinator.remove(added) }
    return duration
  }

  // MARK: - Object by object

  static func migrateMapping(_ count: Int, in workspace: Workspace) throws -> Scenario {
    let fixture = try Fixture(count: count, in: workspace)
    return Scenario(
      unit: .milliseconds,
      contestants: [
        .ours { _ in try toNewFile(workspace) { try mapOurs(fixture.url, $0) } },
        Contestant(name: "raw") { _ in try toNewFile(workspace) { try mapRaw(fixture.url, $0) } },
      ])
  }

  private static func mapOurs(_ store: URL, _ target: URL) throws -> Duration {
    let (source, destination) = (ItemModel.make(), withoutDate)
    let mapping = try NSMappingModel.inferredMappingModel(
      forSourceModel: source, destinationModel: destination)
    let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
    manager.usesStoreSpecificMigrationManager = false
    return try ContinuousClock().measure {
      try manager.migrateStore(
        from: store, sourceType: NSSQLiteStoreType, options: nil, with: mapping,
        toDestinationURL: target, destinationType: NSSQLiteStoreType, destinationOptions: nil)
    }
  }

  static func mapRaw(_ store: URL, _ target: URL) throws -> Duration {
    let from = try RawConnection(store)
    let to = try RawConnection(target)
    try to.execute("PRAGMA journal_mode = WAL")
    return try ContinuousClock().measure {
      try to.execute("BEGIN IMMEDIATE")
      try to.execute(newTable)
      try to.execute("CREATE INDEX ZITEM_ZPARENT_INDEX ON ZITEM (ZPARENT)")
      let rows = try RawStatement(
        "SELECT Z_PK, ZORDER, ZPARENT, ZVALUE, ZTITLE FROM ZITEM", on: from.handle)
      let insertion = try RawStatement(
        "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZORDER, ZPARENT, ZVALUE, ZTITLE) "
          + "VALUES (?, 1, 1, ?, ?, ?, ?)", on: to.handle)
      while try rows.step() {
        for column in Int32(0)...4 {
          sqlite3_bind_value(
            insertion.handle, column + 1, sqlite3_column_value(rows.handle, column))
        }
        _ = try insertion.step()
        sqlite3_reset(insertion.handle)
      }
      try to.execute("COMMIT")
    }
  }

  // MARK: - Proof

  private static func onCopy(
    of store: URL, _ workspace: Workspace, _ work: (URL) throws -> Duration
  ) throws -> Outcome {
    let copy = try workspace.copy(of: store)
    defer { workspace.delete(copy) }
    return Outcome(duration: try work(copy), checksum: try migratedChecksum(of: copy))
  }

  private static func toNewFile(
    _ workspace: Workspace, _ work: (URL) throws -> Duration
  ) throws -> Outcome {
    let file = workspace.newFile()
    defer { workspace.delete(file) }
    return Outcome(duration: try work(file), checksum: try migratedChecksum(of: file))
  }

  /// Of what all versions have; keys are free.
  static func migratedChecksum(of store: URL) throws -> Checksum {
    let connection = try RawConnection(store)
    var checksum = Checksum()
    checksum.add(try connection.number("SELECT COUNT(*) FROM ZITEM"))
    checksum.add(try connection.number("SELECT SUM(ZORDER) FROM ZITEM"))
    checksum.add(try connection.number("SELECT SUM(LENGTH(ZTITLE)) FROM ZITEM"))
    checksum.add(try connection.number("SELECT COUNT(ZPARENT) FROM ZITEM"))
    return checksum
  }
}
