import CoreData
import PostgreSQLServer
import TestSupport
import Testing

@testable import PostgreSQLStore

/// Tables and programs beside a store.
@Suite(.enabled(if: PostgreSQLServer.isAvailable)) struct ForeignTableTests {
  /// A schema with a table of somebody else, and its connection.
  private func schema(_ sql: String) throws -> (url: URL, connection: PostgreSQLConnection) {
    let name = TestName.make("beside").lowercased()
    let url = try PostgreSQLServer.url(schema: name)
    let connection = try PostgreSQLConnection(ServerAddress(url), timeout: nil)
    try connection.execute("CREATE SCHEMA \"\(name)\"")
    try connection.execute(sql)
    return (url, connection)
  }

  /// A store is not made over a table that somebody has.
  @Test func aTableOfAnEntitysNameStays() throws {
    let (url, connection) = try schema(
      "CREATE TABLE \"Book\" (id int); INSERT INTO \"Book\" VALUES (7)")
    #expect(throws: NSError.self) { try ServerStack.open(url) }
    #expect(try connection.query("SELECT id::text FROM \"Book\"").text(0, column: 0) == "7")
  }

  @Test func tablesOfOtherNamesAreInNobodysWay() throws {
    let (url, connection) = try schema("CREATE TABLE orders (id int)")
    let coordinator = try ServerStack.open(url)
    #expect(coordinator.persistentStores.count == 1)
    #expect(try connection.query("SELECT count(*)::text FROM orders").text(0, column: 0) == "0")
  }

  /// What another program changes is seen when it is read anew, and a save of the old row is refused
  /// if the version was counted up.
  @Test func aRowThatSQLChangesIsAConflictByItsVersion() throws {
    let stack = try ServerStack()
    try stack.add("Emma")
    let context = stack.context()
    let connection = try stack.connection()
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      let book = try #require(try context.fetch(request).first)
      #expect(book.value(forKey: "title") as? String == "Emma")
      try connection.execute(
        "UPDATE \"Book\" SET title = 'Sense', _version = _version + 1")
      book.setValue(3, forKey: "pages")
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSManagedObjectMergeError)
      context.refresh(book, mergeChanges: false)
      #expect(book.value(forKey: "title") as? String == "Sense")
    }
  }
}
