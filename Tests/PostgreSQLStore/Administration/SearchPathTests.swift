import CoreData
import CoreDataSupport
import PostgreSQLServer
import Testing
import TestSupport

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
    let context = coordinator.makeContext()
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
    let name = TestName.make("path")
    let (a, b, c) = ("\(name)_a", "\(name)_b", "\"\(name), \"\"C\"\"\"")
    #expect(try titles(address(a), adding: "a", history: true) == ["a"])
    #expect(try titles(address("\(b),\(a),public"), adding: "b") == ["b"])
    #expect(try titles(address(b)) == ["b"])
    #expect(try titles(address("\(b), \(a)")) == ["b"])
    #expect(try titles(address("\(a),\(b)"), history: true) == ["a"])
    #expect(try titles(address("\(c),\(a)"), adding: "c") == ["c"])
    let server = try PostgreSQLConnection(ServerAddress(address("public")), timeout: nil)
    let found = try server.query(
      "SELECT count(*) FROM pg_namespace WHERE nspname IN ('\(a)', '\(b)', '\(name), \"C\"')")
    #expect(found.integer(0, column: 0) == 3)
    let history = try server.query(
      "SELECT schemaname::text FROM pg_tables WHERE tablename = '_coredata_changes' "
        + "AND starts_with(schemaname::text, '\(name)')")
    #expect((0..<history.count).map { history.text($0, column: 0) } == [a])
  }

  /// A user without a schema of the same name has the next one.
  @Test func theSchemaOfTheUserIsTakenWhereThereIsOne() throws {
    let (user, other) = (TestName.make("user"), TestName.make("other"))
    let server = try PostgreSQLConnection(ServerAddress(address("public")), timeout: nil)
    try server.execute("CREATE ROLE \(user) LOGIN; GRANT CREATE ON DATABASE postgres TO \(user)")
    let url = try #require(
      URL(
        string: try address("\"$user\",\(other)").absoluteString
          .replacing("user=coredata", with: "user=\(user)")))
    #expect(try titles(url, adding: "other") == ["other"])
    try server.execute("CREATE SCHEMA AUTHORIZATION \(user)")
    #expect(try titles(url, adding: "own") == ["own"])
    #expect(try server.query("SELECT title FROM \(other).\"Book\"").text(0, column: 0) == "other")
  }

  @Test func aPathWithoutASchemaIsRefusedWithAdvice() throws {
    let error = #expect(throws: NSError.self) { try titles(address("\"\"")) }
    #expect(error?.localizedFailureReason?.contains("search_path") == true, "\(error as Any)")
  }

  /// Nothing of one shows in the other, and each is destroyed alone.
  @Test func twoStoresOfOneDatabaseAreTwo() throws {
    let name = TestName.make("twin")
    let (one, two, three) = ("\(name)_one", "\(name)_two", "\(name)_three")
    #expect(try titles(address(one), adding: "one", history: true) == ["one"])
    #expect(try titles(address(two), adding: "two", history: true) == ["two"])
    let coordinator = try ServerStack.open(address(one), [NSPersistentHistoryTrackingKey: true])
    try coordinator.replacePersistentStore(
      at: address("\(three),\(one)"), withPersistentStoreFrom: address(one), type: .postgreSQL)
    #expect(try titles(address(three), history: true) == ["one"])
    try coordinator.destroyPersistentStore(at: address(three), type: .postgreSQL)
    #expect(try titles(address(one), history: true) == ["one"])
    #expect(try titles(address(two), history: true) == ["two"])
  }

  /// What the server would cut is refused: two such names would be one schema.
  @Test func schemasWithTooLongNamesAreRefused() throws {
    let name = String(repeating: "x", count: 64)
    let error = #expect(throws: NSError.self) {
      try ServerStack.open(PostgreSQLServer.url(schema: name))
    }
    #expect(error?.localizedFailureReason?.contains("shorter name") == true)
    _ = try ServerStack.open(PostgreSQLServer.url(schema: String(name.dropFirst())))
  }

  /// Tables that a store did not make are left alone.
  @Test(arguments: ["\"Book\"", "_coredata_store"]) func othersTablesAreLeftAlone(_ table: String)
    throws
  {
    let stack = try ServerStack()
    let schema = TestName.make("others").lowercased().filter { $0.isLetter || $0.isNumber }
    let connection = try stack.connection()
    try connection.execute("CREATE SCHEMA \(schema)")
    try connection.execute("CREATE TABLE \(schema).\(table) (a int)")
    let error = #expect(throws: NSError.self) {
      try ServerStack.open(PostgreSQLServer.url(schema: schema))
    }
    let reason = error?.localizedFailureReason ?? ""
    #expect(reason.contains("one of its own"), "\(reason)")
  }
}
