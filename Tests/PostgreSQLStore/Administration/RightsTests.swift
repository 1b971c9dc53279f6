import CoreData
import PostgreSQLServer
import TestSupport
import Testing

@testable import PostgreSQLStore

/// Users who may do less than the store's owner.
@Suite(.enabled(if: PostgreSQLServer.isAvailable)) struct RightsTests {
  /// A user of its own and the address of the stack's store for it.
  private func user(_ name: String, of url: URL, _ server: PostgreSQLConnection) throws -> URL {
    try server.execute("CREATE ROLE \(name) LOGIN")
    return try #require(
      URL(string: url.absoluteString.replacing("user=coredata", with: "user=\(name)")))
  }

  private func schema(_ server: PostgreSQLConnection) throws -> String {
    try server.query("SELECT current_schema()::text").text(0, column: 0)
  }

  @Test func whoMayMakeNothingIsToldWhatIsNeeded() throws {
    let server = try ServerStack().connection()
    let place = try PostgreSQLServer.url(schema: TestName.make("nobodys"))
    let url = try user(TestName.make("nobody"), of: place, server)
    let error = #expect(throws: NSError.self) { try ServerStack.open(url) }
    #expect(error?.code == CocoaError.Code.persistentStoreOpen.rawValue)
    #expect(error?.localizedFailureReason?.contains("42501") == true, "\(error as Any)")
    #expect(error?.localizedFailureReason?.contains("CREATE") == true)
  }

  /// Rights on rows are enough for all but making and changing tables.
  @Test func whoMayWriteRowsSavesWithoutMakingTables() throws {
    let options = [NSPersistentHistoryTrackingKey: true]
    let stack = try ServerStack(options: options)
    try stack.add("a")
    let server = try stack.connection()
    let name = TestName.make("writer")
    let url = try user(name, of: stack.url, server)
    let place = try schema(server)
    try server.execute(
      "GRANT USAGE ON SCHEMA \(place) TO \(name); "
        + "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(place) TO \(name); "
        + "GRANT USAGE ON ALL SEQUENCES IN SCHEMA \(place) TO \(name)")
    let own = try ServerStack.open(url, options)
    try stack.add("b", in: stack.context(own))
    // Many go by COPY.
    let context = stack.context(own)
    try context.performAndWait { () throws in
      for number in 0..<40 {
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue("many \(number)", forKey: "title")
      }
      try context.save()
      for book in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book")) {
        context.delete(book)
      }
      try context.save()
    }
    #expect(try stack.titles() == [])
  }

  /// A user for reports.
  @Test(arguments: [false, true]) func whoMayReadReads(saysSo: Bool) throws {
    let stack = try ServerStack()
    try stack.add("a")
    let server = try stack.connection()
    let name = TestName.make("reader")
    let url = try user(name, of: stack.url, server)
    let place = try schema(server)
    try server.execute(
      "GRANT USAGE ON SCHEMA \(place) TO \(name); "
        + "GRANT SELECT ON ALL TABLES IN SCHEMA \(place) TO \(name)")
    let coordinator = try ServerStack.open(url, [NSReadOnlyPersistentStoreOption: saysSo])
    let context = stack.context(coordinator)
    try context.performAndWait { () throws in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      let books = try context.fetch(request)
      #expect(books.map { $0.value(forKey: "title") as? String } == ["a"])
      books[0].setValue("b", forKey: "title")
      let error = #expect(throws: NSError.self) { try context.save() }
      let reason = error?.localizedFailureReason ?? error?.localizedDescription ?? ""
      #expect(saysSo || reason.contains("SELECT, INSERT, UPDATE"), "\(error as Any)")
    }
    #expect(try stack.titles() == ["a"])
  }
}
