import CoreData
import CoreDataSupport
import PostgreSQLServer
import Testing

@testable import PostgreSQLStore

/// How many rows memory has to look at where the server does not say all of a predicate.
@Suite(.enabled(if: PostgreSQLServer.isAvailable)) struct NarrowingTests {
  private static let count = 40

  /// Shelves with two books each, of which one title has an accent.
  private func makeStore(accented: Bool) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
    let name = "n\(UUID().uuidString.lowercased().filter { $0 != "-" })"
    try coordinator.addPersistentStore(
      type: .postgreSQL, at: PostgreSQLServer.url(schema: name))
    let context = coordinator.makeContext()
    try context.performAndWait {
      for number in 0..<Self.count {
        let shelf = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
        shelf.setValue("Shelf \(number)", forKey: "name")
        for place in 0..<2 {
          let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
          let isAccented = accented && number == 7 && place == 1
          book.setValue(isAccented ? "Élan" : "Title \(number).\(place)", forKey: "title")
          book.setValue(shelf, forKey: "shelf")
        }
      }
      try context.save()
    }
    return coordinator
  }

  private static func model() -> NSManagedObjectModel {
    let (shelf, book) = (NSEntityDescription(), NSEntityDescription())
    (shelf.name, book.name) = ("Shelf", "Book")
    let (one, many) = (NSRelationshipDescription(), NSRelationshipDescription())
    (one.name, one.maxCount, one.destinationEntity) = ("shelf", 1, shelf)
    (many.name, many.maxCount, many.destinationEntity) = ("books", 0, book)
    (one.inverseRelationship, many.inverseRelationship) = (many, one)
    let attributes = ["name", "title"].map { name in
      let attribute = NSAttributeDescription()
      (attribute.name, attribute.attributeType) = (name, .stringAttributeType)
      return attribute
    }
    shelf.properties = [attributes[0], many]
    book.properties = [attributes[1], one]
    let model = NSManagedObjectModel()
    model.entities = [shelf, book]
    return model
  }

  /// Whether the server does the fetch alone, and how many rows it gives where memory finishes.
  private func asked(
    _ coordinator: NSPersistentStoreCoordinator, _ entity: String, _ format: String,
    _ sort: [NSSortDescriptor] = []
  ) throws -> (isAlone: Bool, rows: Int) {
    let store = try #require(coordinator.persistentStores[0] as? PostgreSQLStore)
    let layout = try #require(coordinator.managedObjectModel.entitiesByName[entity]).layout
    var plan = FetchPlan(layout: layout)
    plan.predicate = NSPredicate(format: format)
    plan.sortDescriptors = sort
    let contents = try store.contents
    let mapping = try contents.schema.entity(layout)
    let fetch = try NarrowedFetch(plan, entity: mapping, store: contents.queryContext)
    return try contents.pool.with { connection in
      let rows = try contents.rows(
        contents.selection(of: mapping), fetch: fetch, limit: 0, connection: connection)
      return (
        try fetch.isOrdered || fetch.plain?.fetch(connection) != nil, rows.count
      )
    }
  }

  /// How many shelves the server gives when one title has an accent: those that are found, and that one's where its other
  /// book does not settle it. Then the server does it alone after all.
  @Test(arguments: [
    ("ANY books.title ==[c] 'TITLE 3.0'", 2),
    ("ANY books.title IN[c] {'TITLE 3.0', 'title 4.1'}", 3),
    ("ANY books.title BETWEEN[c] {'title 3.0', 'TITLE 3.1'}", 2),
    ("NONE books.title BEGINSWITH[c] 'TITLE'", 0),
    ("ALL books.title CONTAINS[c] 'E 3.'", 1), ("NOT (ALL books.title CONTAINS[c] 'TITLE')", 1),
    ("books.title CONTAINS[c] 'title 3.0'", 2),
    ("books.@max.title ==[c] 'TITLE 3.1'", 2),
    ("ANY books.title ==[c] 'TITLE 3.0' AND ANY books.title MATCHES 'T.*'", 2),
    ("ANY SUBQUERY(books, $b, $b.title ENDSWITH[c] '3.0').shelf.name ==[c] 'shelf 3'", 1),
  ])
  func membersThatDoNotFitAreLeftOut(_ format: String, _ rows: Int) throws {
    let isWhole = !format.contains("MATCHES")
    let plain = try asked(makeStore(accented: false), "Shelf", format)
    #expect(plain.isAlone == isWhole)
    let accented = try asked(makeStore(accented: true), "Shelf", format)
    let isSettled = format.hasPrefix("NONE") || format.hasPrefix("ALL") || format.contains("SUBQ")
    #expect(accented.isAlone == isSettled)
    #expect(accented.rows == rows)
  }

  @Test func aListInWhichCaseDoesNotCountIsTheServers() throws {
    let coordinator = try makeStore(accented: true)
    let list = "title IN[c] {'TITLE 3.0', 'title 4.1', 'none'}"
    #expect(try asked(coordinator, "Book", list) == (false, 3))
    // What has an accent is left out by what the server says by itself.
    #expect(try asked(coordinator, "Book", "\(list) AND title < 'Z'") == (true, 2))
    let sorted = NSSortDescriptor(
      key: "title", ascending: true, selector: "caseInsensitiveCompare:")
    #expect(try asked(coordinator, "Book", "title < 'Z'", [sorted]).isAlone)
    #expect(try !asked(coordinator, "Book", "TRUEPREDICATE", [sorted]).isAlone)
  }

  /// A pattern says how a text begins.
  @Test func aPatternIsNarrowedByItsBeginning() throws {
    let coordinator = try makeStore(accented: true)
    #expect(try asked(coordinator, "Book", "title MATCHES 'Title 31.*'") == (false, 2))
    #expect(try asked(coordinator, "Book", "NOT title MATCHES 'Title 31.*'") == (false, 80))
  }

  /// Memory chooses among them, and needs no more than the first ones.
  @Test func theFirstRowsOfAListComeInItsOrder() throws {
    let coordinator = try makeStore(accented: true)
    let store = try #require(coordinator.persistentStores[0] as? PostgreSQLStore)
    let layout = try #require(coordinator.managedObjectModel.entitiesByName["Book"]).layout
    var plan = FetchPlan(layout: layout)
    plan.predicate = NSPredicate(format: "title CONTAINS[c] 'TITLE 1'")
    plan.sortDescriptors = [NSSortDescriptor(key: "title", ascending: false)]
    let contents = try store.contents
    let mapping = try contents.schema.entity(layout)
    let fetch = try NarrowedFetch(plan, entity: mapping, store: contents.queryContext)
    #expect(fetch.isSorted && !fetch.isFiltered)
    let titles = try contents.pool.with { connection in
      try contents.rows(
        contents.selection(of: mapping), fetch: fetch.first(3), limit: 3, connection: connection
      )
      .map { row in row.layout.slot(of: "title").flatMap { row[$0].text } }
    }
    #expect(titles == ["Élan", "Title 19.1", "Title 19.0"])
    (plan.limit, plan.offset) = (2, 1)
    #expect(
      try store.rows(plan).map { row in row.layout.slot(of: "title").flatMap { row[$0].text } } == [
        "Title 19.0", "Title 18.1",
      ])
  }
}

extension Value {
  fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
}
