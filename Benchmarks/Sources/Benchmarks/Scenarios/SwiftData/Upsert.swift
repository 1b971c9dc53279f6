import CoreData
import CSQLite
import SwiftData

/// New models with unique values that the store has already, in one save: each becomes an update of a row. Beside it
/// Core Data under the policy that does the same, their insertion into an empty store, and SQL's own upsert.
extension Scenario {
  @Model
  final class Coded {
    @Attribute(.unique) var code: Int
    var title: String?
    var value = 0.5

    init(code: Int, title: String) {
      self.code = code
      self.title = title
    }
  }

  static func swiftUpsert(_ count: Int, in workspace: Workspace) throws -> Scenario {
    let empty = workspace.newFile()
    try insert(0, "", empty)
    let full = try workspace.copy(of: empty)
    try insert(count, "old", full)
    func run(
      on store: URL, _ work: @escaping (URL) throws -> Duration
    ) -> (Int) throws -> Outcome {
      { _ in
        let copy = try workspace.copy(of: store)
        defer { workspace.delete(copy) }
        return Outcome(duration: try work(copy), checksum: try codedChecksum(copy))
      }
    }
    return Scenario(
      unit: .milliseconds,
      contestants: [
        .ours(run: run(on: full) { try insert(count, "new", $0) }),
        Contestant(
          name: "Core Data", run: run(on: full) { try upsertByCoreData(count, $0) }),
        Contestant(name: "insertion", run: run(on: empty) { try insert(count, "new", $0) }),
        Contestant(
          name: "ON CONFLICT",
          run: run(on: full) { try upsertBySQL(count, $0, workspace.settings) }),
      ])
  }

  @discardableResult
  private static func insert(_ count: Int, _ title: String, _ url: URL) throws -> Duration {
    let schema = Schema([Coded.self])
    let container = try ModelContainer(
      for: schema, configurations: SwiftData.ModelConfiguration(schema: schema, url: url))
    let context = ModelContext(container)
    return try ContinuousClock().measure {
      for code in 0..<count { context.insert(Coded(code: code, title: title)) }
      try context.save()
    }
  }

  private static func upsertByCoreData(_ count: Int, _ url: URL) throws -> Duration {
    let model = NSManagedObjectModel.makeManagedObjectModel(for: [Coded.self])!
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    _ = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url,
      options: [NSPersistentHistoryTrackingKey: true as NSNumber])
    let context = NSManagedObjectContext(.mainQueue)
    context.persistentStoreCoordinator = coordinator
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    return try ContinuousClock().measure {
      for code in 0..<count {
        let object = NSEntityDescription.insertNewObject(forEntityName: "Coded", into: context)
        object.setValue(code, forKey: "code")
        object.setValue("new", forKey: "title")
      }
      try context.save()
    }
  }

  private static func upsertBySQL(
    _ count: Int, _ url: URL, _ settings: ConnectionSettings?
  ) throws -> Duration {
    let connection = try RawConnection(url, settings: settings)
    let statement = try RawStatement(
      """
      INSERT INTO ZCODED (Z_PK, Z_ENT, Z_OPT, ZCODE, ZVALUE, ZTITLE) VALUES (?, 1, 1, ?, 0.5, 'new') \
      ON CONFLICT (ZCODE) DO UPDATE SET Z_OPT = Z_OPT + 1, ZVALUE = excluded.ZVALUE, ZTITLE = excluded.ZTITLE
      """, on: connection.handle)
    return try ContinuousClock().measure {
      try connection.execute("BEGIN IMMEDIATE")
      for code in 0..<count {
        sqlite3_bind_int64(statement.handle, 1, Int64(count + code + 1))
        sqlite3_bind_int64(statement.handle, 2, Int64(code))
        _ = try statement.step()
        sqlite3_reset(statement.handle)
      }
      try connection.execute("COMMIT")
    }
  }

  private static func codedChecksum(_ url: URL) throws -> Checksum {
    let connection = try RawConnection(url)
    let statement = try RawStatement("SELECT ZCODE, ZTITLE FROM ZCODED", on: connection.handle)
    var checksum = Checksum()
    while try statement.step() {
      checksum.addRow()
      checksum.add(sqlite3_column_int64(statement.handle, 0))
      checksum.add(statement.text(1))
    }
    return checksum
  }
}
