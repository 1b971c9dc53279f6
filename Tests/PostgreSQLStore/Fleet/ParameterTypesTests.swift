import CoreData
import CoreDataSupport
import PostgreSQLServer
import Testing
import TestSupport

@testable import PostgreSQLStore

/// Values go to the server with their types: what it would cast is cast for each row that it looks at.
@Suite(.enabled(if: PostgreSQLServer.isAvailable)) struct ParameterTypesTests {
  private static let attributes = [
    "title", "pages", "price", "weight", "date", "isRead", "number", "link",
  ]

  private static let formats = [
    "%K == %@", "%K != %@", "%K < %@", "%K >= %@", "%K IN %@", "NOT (%K IN %@)", "%K BETWEEN %@",
  ]

  @Test(arguments: [3, 40]) func noValueIsCastAndAllFindWhatMemoryFinds(_ listed: Int) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ShelfModel.make())
    let name = "p\(UUID().uuidString.lowercased().filter { $0 != "-" })"
    try coordinator.addPersistentStore(
      type: .postgreSQL, at: PostgreSQLServer.url(schema: name))
    let context = coordinator.makeContext()
    let store = try #require(coordinator.persistentStores[0] as? PostgreSQLStore)
    try context.performAndWait {
      try ShelfModel.fill(context, shelves: 30, "Book")
      let books = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book"))
      for attribute in Self.attributes {
        let values = books.compactMap { $0.value(forKey: attribute) }
        // URLs and truths have no order.
        let isOrdered = !["link", "isRead"].contains(attribute)
        for format in Self.formats where isOrdered || !format.contains(#/<|>|BETWEEN/#) {
          let value: Any =
            format.contains("IN %@")
            ? Array(values.prefix(listed))
            : format.contains("BETWEEN") ? [values[0], values[1]].sortedForTest : values[1]
          let predicate = NSPredicate(format: format, argumentArray: [attribute, value])
          let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
          request.predicate = predicate
          let found = try Set(context.fetch(request).map(\.objectID))
          let expected = Set(
            books.filter {
              // SQL's answer to nil is no.
              $0.value(forKey: attribute) != nil && predicate.evaluate(with: $0)
            }.map(\.objectID))
          #expect(found == expected, "\(attribute): \(format)")
          let sql = try sql(predicate, store)
          #expect(sql.firstMatch(of: #/\$[0-9]+\)*::/#) == nil, "\(sql)")
        }
      }
    }
  }

  private func sql(_ predicate: NSPredicate, _ store: PostgreSQLStore) throws -> String {
    let contents = try store.contents
    let layout = try #require(
      store.persistentStoreCoordinator?.managedObjectModel.entitiesByName["Book"]
    ).layout
    var plan = FetchPlan(layout: layout)
    plan.predicate = predicate
    return try NarrowedFetch(
      plan, entity: contents.schema.entity(layout), store: contents.queryContext
    ).tail
  }

  /// A list of a thousand, and a column without an index.
  @Test func aLongListIsReadOnce() throws {
    let stack = try ServerStack()
    try stack.connection().execute(
      "INSERT INTO \"Book\" (_key, _version, _entity, title, pages) "
        + "SELECT n, 1, (SELECT number FROM _coredata_entities), n::text, n "
        + "FROM generate_series(1, 50000) n")
    let start = ContinuousClock.now
    #expect(try stack.count("pages IN %@", Array(1...1000)) == 1000)
    #expect(try stack.count("NOT (pages IN %@)", Array(1...1000)) == 49_000)
    // Read for each row it takes nine seconds.
    #expect((ContinuousClock.now - start) / .seconds(1) < 1.5 * Patience.stretch)
  }
}

extension [Any] {
  /// The lesser one first.
  fileprivate var sortedForTest: [Any] {
    let isOrdered = NSPredicate(format: "%@ <= %@", argumentArray: self).evaluate(with: nil)
    return isOrdered ? self : reversed()
  }
}
