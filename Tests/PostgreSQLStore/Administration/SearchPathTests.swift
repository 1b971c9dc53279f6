import CoreData
import PostgreSQLServer
import Testing

@testable import PostgreSQLStore

/// Search paths as administrators write them, and several stores in one database.
@Suite(.enabled(if: PostgreSQLServer.isAvailable)) struct SearchPathTests {
  @Test(arguments: [
    ("books, public", ["books", "public"]), ("\"$user\", public", ["$user", "public"]),
    ("\"A, b\",\"c\"\"d\" ,E", ["A, b", "c\"d", "e"]), ("\"\"", [""]), ("", [""]),
  ])
  func namesAreReadAsTheServerReadsThem(path: String, names: [String]) {
    #expect(StorePlace.names(in: path) == names)
  }

  private func address(_ path: String) throws -> URL {
    let one = try PostgreSQLServer.url(schema: "x").absoluteString
    let escaped =
      path.replacing("\\", with: "\\\\").replacing(" ", with: "\\ ")
      .addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    return try #require(
      URL(string: one.replacing("search_path%3Dx", with: "search_path%3D\(escaped)")))
  }

  private func titles(_ url: URL, adding title: String? = nil, history: Bool = false) throws
    -> [String]
  {
    let coordinator = try ServerStack.open(url, [NSPersistentHistoryTrackingKey: history])
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    return try context.performAndWait { () throws in
      if let title {
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue(title, forKey: "title")
        try context.save()
      }
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      return try context.fetch(request).map { $0.value(forKey: "title") as? String ?? "" }
    }
  }

  /// The schema that comes first is made, whatever others follow it, and a store of a later one is another store.
  @Test func aStoreLiesInTheSchemaThatComesFirst() throws {
    #expect(try titles(address("path_a"), adding: "a", history: true) == ["a"])
    #expect(try titles(address("path_b,path_a,public"), adding: "b") == ["b"])
    #expect(try titles(address("path_b")) == ["b"])
    #expect(try titles(address("path_b, path_a")) == ["b"])
    #expect(try titles(address("path_a,path_b"), history: true) == ["a"])
    #expect(try titles(address("\"Path, \"\"C\"\"\",path_a"), adding: "c") == ["c"])
    let server = try PostgreSQLConnection(ServerAddress(address("public")), timeout: nil)
    let found = try server.query(
      "SELECT count(*) FROM pg_namespace WHERE nspname IN ('path_a', 'path_b', 'Path, \"C\"')")
    #expect(found.integer(0, 0) == 3)
    let history = try server.query(
      "SELECT schemaname::text FROM pg_tables WHERE tablename = '_coredata_changes' "
        + "AND schemaname LIKE 'path\\_%'")
    #expect((0..<history.count).map { history.text($0, 0) } == ["path_a"])
  }

  /// A user without a schema of the same name has the next one.
  @Test func theSchemaOfTheUserIsTakenWhereThereIsOne() throws {
    let server = try PostgreSQLConnection(ServerAddress(address("public")), timeout: nil)
    try server.execute("CREATE ROLE pathuser LOGIN; GRANT CREATE ON DATABASE postgres TO pathuser")
    let url = try #require(
      URL(
        string: try address("\"$user\",path_user_other").absoluteString
          .replacing("user=coredata", with: "user=pathuser")))
    #expect(try titles(url, adding: "other") == ["other"])
    try server.execute("CREATE SCHEMA AUTHORIZATION pathuser")
    #expect(try titles(url, adding: "own") == ["own"])
    #expect(
      try server.query("SELECT title FROM path_user_other.\"Book\"").text(0, 0) == "other")
  }

  @Test func aPathWithoutASchemaIsRefusedWithAdvice() throws {
    let error = #expect(throws: NSError.self) { try titles(address("\"\"")) }
    #expect(error?.localizedFailureReason?.contains("search_path") == true, "\(error as Any)")
  }

  /// Nothing of one shows in the other, and each is destroyed alone.
  @Test func twoStoresOfOneDatabaseAreTwo() throws {
    #expect(try titles(address("twin_one"), adding: "one", history: true) == ["one"])
    #expect(try titles(address("twin_two"), adding: "two", history: true) == ["two"])
    let coordinator = try ServerStack.open(
      address("twin_one"), [NSPersistentHistoryTrackingKey: true])
    try coordinator.replacePersistentStore(
      at: address("twin_three,twin_one"), withPersistentStoreFrom: address("twin_one"),
      type: .postgreSQL)
    #expect(try titles(address("twin_three"), history: true) == ["one"])
    try coordinator.destroyPersistentStore(at: address("twin_three"), type: .postgreSQL)
    #expect(try titles(address("twin_one"), history: true) == ["one"])
    #expect(try titles(address("twin_two"), history: true) == ["two"])
  }
}
