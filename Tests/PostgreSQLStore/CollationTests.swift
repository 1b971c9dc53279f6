import CoreData
import PostgreSQLServer
import Testing

@testable import PostgreSQLStore

/// A database that orders texts as a language does.
@Suite(.enabled(if: PostgreSQLServer.isAvailable)) struct CollationTests {
  /// In that order “a” comes before “B”, byte by byte after it.
  @Test(arguments: [
    ("TERNARY(pages > 3, 'a', 'b') < 'B'", 0), ("TERNARY(pages > 3, 'a', 'b') > 'B'", 2),
    ("TERNARY(pages > 3, 'a', 'B') < 'C'", 1), ("TERNARY(pages > 3, 'B', title) < 'a'", 1),
    ("TERNARY(pages > 3, 'a', 'B') BETWEEN {'A', 'C'}", 1),
    ("TERNARY(pages > 3, 'a', 'B') < TERNARY(pages > 3, 'B', 'a')", 1), ("title < 'B'", 0),
  ])
  func textsAreComparedByteByByteWhereverTheyComeFrom(_ format: String, _ count: Int) throws {
    let plain = try ServerStack()
    #expect(try found(format, plain) == count)
    let database = "d" + UUID().uuidString.lowercased().filter { $0 != "-" }
    try plain.connection().execute(
      "CREATE DATABASE \(database) TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en'")
    let server = try #require(plain.url.absoluteString.components(separatedBy: "&options").first)
    let stack = try ServerStack(
      server: server.replacingOccurrences(of: "/postgres?", with: "/\(database)?"))
    let order = try stack.connection().query("SELECT 'a'::text < 'B'::text")
    #expect(order.integer(0, column: 0) == 1)
    #expect(try found(format, stack) == count)
  }

  /// How many of two books memory finds, and the server.
  private func found(_ format: String, _ stack: ServerStack) throws -> Int {
    try stack.add("a", "b")
    let context = stack.context()
    return try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      let books = try context.fetch(request)
      for book in books {
        book.setValue(book.value(forKey: "title") as? String == "a" ? 4 : 2, forKey: "pages")
      }
      try context.save()
      let predicate = NSPredicate(format: format)
      request.predicate = predicate
      let inMemory = books.filter { predicate.evaluate(with: $0) }.count
      let onServer = try context.count(for: request)
      #expect(onServer == inMemory)
      return onServer
    }
  }
}
