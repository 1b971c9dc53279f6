import CoreData
import CoreDataSupport
import PostgreSQLServer
import Synchronization
import Testing
import TestSupport

@testable import PostgreSQLStore

/// What adding a store and watching it have to do with a fleet.
@Suite(.enabled(if: PostgreSQLServer.isAvailable)) struct OpeningAgainTests {
  /// Wherever the connection is cut.
  @Test(arguments: [0, 60, 300, 700, 1500, 3000, 6000]) func aStoreIsAddedThoughItsConnectionIsCut(
    _ bytes: Int
  ) throws {
    let id = UUID().uuidString.lowercased().filter { $0 != "-" }
    let (proxy, address) = try CuttingProxy.before(PostgreSQLServer.url(schema: "s\(id)"))
    defer { proxy.close() }
    proxy.cut(after: bytes)
    _ = try ServerStack.open(address)
    proxy.stopCutting()
  }

  @Test(arguments: ["&sslmod=require", "&sslmode=sometimes"]) func aMisspelledAddressIsSaid(
    _ parameter: String
  ) throws {
    let url = try PostgreSQLServer.url(schema: "x").absoluteString + parameter
    let address = try #require(URL(string: url))
    let error = #expect(throws: (any Error).self) { try ServerStack.open(address) }
    let reason = (error as NSError?)?.localizedFailureReason ?? ""
    #expect(reason.contains("invalid") && reason.contains("Correct the address"), "\(reason)")
    #expect(!reason.contains("Is the server running"))
  }

  @Test(arguments: ["pg_class", "pg_stat_activity", "pg_type"])
  func anEntityMayBeCalledAsATableOfTheServers(_ name: String) throws {
    let entity = NSEntityDescription()
    entity.name = name
    let attribute = NSAttributeDescription()
    (attribute.name, attribute.attributeType) = ("name", .stringAttributeType)
    entity.properties = [attribute]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let id = UUID().uuidString.lowercased().filter { $0 != "-" }
    let url = try PostgreSQLServer.url(schema: "s\(id)")
    for count in 1...2 {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      try coordinator.addPersistentStore(type: .postgreSQL, at: url)
      let context = coordinator.makeContext()
      try context.performAndWait {
        NSEntityDescription.insertNewObject(forEntityName: name, into: context)
          .setValue("x", forKey: "name")
        try context.save()
        let found = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: name))
        #expect(found == count)
      }
    }
  }

  @Test func connectionsThatNobodyUsesGo() throws {
    let stack = try ServerStack()
    let pool = try ConnectionPool(
      ServerAddress(stack.url), limit: 4, limits: TimeLimits(nil), rest: 0.2)
    try pool.with { _ in try pool.with { _ in } }
    #expect(pool.connectionCount == 2)
    try Patience.wait(for: "the connections to go") { pool.connectionCount == 0 }
    try pool.with { #expect($0.isIdle) }
  }

  // MARK: - Statements

  @Test func statementsAreTold() throws {
    let told = Mutex<[StoreStatement]>([])
    StoreStatements.observe { statement in told.withLock { $0.append(statement) } }
    defer { StoreStatements.stopObserving() }
    let stack = try ServerStack()
    try stack.add("watched \(stack.url.hashValue)", "other")
    _ = try stack.count("title BEGINSWITH 'watched'")
    let statements = told.withLock { $0 }.filter { $0.engine == "PostgreSQL" }
    #expect(statements.contains { $0.sql.hasPrefix("INSERT INTO \"Book\"") && $0.rows == 1 })
    #expect(statements.contains { $0.sql.contains("starts_with") && $0.rows == 1 })
    // No value is.
    #expect(!statements.contains { $0.sql.contains("\(stack.url.hashValue)") })
    let folder = try TestFolder()
    try withExtendedLifetime(folder) {
      let coordinator = NSPersistentStoreCoordinator(
        managedObjectModel: stack.coordinator.managedObjectModel)
      try coordinator.addPersistentStore(type: .sqlite, at: folder.file("books.sqlite"))
      try stack.add("a", "b", in: stack.context(coordinator))
      #expect(try SilentStack.count(stack.context(coordinator)) == 2)
    }
    let ofFiles = told.withLock { $0 }.filter { $0.engine == "SQLite" }
    #expect(ofFiles.contains { $0.sql.contains("INSERT INTO ZBOOK") })
    #expect(ofFiles.contains { $0.sql.contains("COUNT") && $0.rows == 1 })
  }
}
