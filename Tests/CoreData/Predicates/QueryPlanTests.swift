import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// How SQLite finds the rows of typical predicates: by `EXPLAIN QUERY PLAN`.
@Suite struct QueryPlanTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture(IndexedModel.make()) }

  struct Case: Sendable, CustomTestStringConvertible {
    let format: String
    var arguments: @Sendable () -> [Any] = { [] }
    /// What the plan says, somewhere.
    let plan: [String]
    var entity = "Book"
    var sortKey: String?

    var testDescription: String { "\(format) \(sortKey ?? "")" }
  }

  private static let byTitle = "USING INDEX Z_Book_byTitle (ZTITLE"
  private static let byDate = "USING INDEX Z_Book_byDate (ZDATE"

  static let cases: [Case] = [
    Case(format: "title == 'a'", plan: ["SEARCH t0 \(byTitle)=?)"]),
    Case(format: "title ==[n] 'a'", plan: ["SEARCH t0 \(byTitle)=?)"]),
    Case(format: "title BEGINSWITH 'ab'", plan: ["SEARCH t0 \(byTitle)>? AND ZTITLE<?)"]),
    Case(format: "title BEGINSWITH[n] 'ab'", plan: ["SEARCH t0 \(byTitle)>? AND ZTITLE<?)"]),
    Case(format: "title LIKE 'ab*'", plan: ["SEARCH t0 \(byTitle)>? AND ZTITLE<?)"]),
    Case(format: "title LIKE 'ab?d*'", plan: ["SEARCH t0 \(byTitle)>? AND ZTITLE<?)"]),
    Case(format: "title LIKE 'abc'", plan: ["SEARCH t0 \(byTitle)=?)"]),
    Case(format: "title MATCHES 'ab[0-9]+'", plan: ["SEARCH t0 \(byTitle)>? AND ZTITLE<?)"]),
    Case(format: "title IN {'a', 'b'}", plan: ["SEARCH t0 \(byTitle)=?)"]),
    Case(
      format: "title IN %@", arguments: { [(0..<100).map { "book \($0)" }] },
      plan: ["SEARCH t0 \(byTitle)=?)", "SCAN json_each"]),
    Case(format: "date > CAST(now(), 'NSDate')", plan: ["SEARCH t0 \(byDate)>?)"]),
    Case(
      format: "CAST(CAST(now(), 'NSNumber') - 60, 'NSDate') < date",
      plan: ["SEARCH t0 \(byDate)>?)"]),
    Case(
      format: "date BETWEEN {%@, %@}", arguments: { [Date.distantPast, Date.distantFuture] },
      plan: ["SEARCH t0 \(byDate)>? AND ZDATE<?)"]),
    Case(format: "title == nil", plan: ["SEARCH t0 \(byTitle)=?)"]),
    Case(format: "author == nil", plan: ["SEARCH t0 USING INDEX ZBOOK_ZAUTHOR_INDEX (ZAUTHOR=?)"]),
    Case(
      format: "title == 'a' OR date == nil", plan: ["MULTI-INDEX OR", byTitle, byDate]),
    Case(format: "title == 'a' AND pages > 3 AND note CONTAINS[cd] 'x'", plan: [byTitle]),
    Case(
      format: "author.name == 'a'",
      plan: ["SCAN t1", "SEARCH t0 USING INDEX ZBOOK_ZAUTHOR_INDEX (ZAUTHOR=?)"]),
    Case(
      format: "ANY books.title == 'a'", plan: ["CORRELATED SCALAR SUBQUERY", "SEARCH t1"],
      entity: "Author"),
    Case(
      format: "books.@count > 2", plan: ["USING COVERING INDEX ZBOOK_ZAUTHOR_INDEX (ZAUTHOR=?)"],
      entity: "Author"),
    Case(
      format: "SUBQUERY(books, $b, $b.pages > 3).@count == 0",
      plan: ["SEARCH t1 USING INDEX ZBOOK_ZAUTHOR_INDEX (ZAUTHOR=?)"], entity: "Author"),
    Case(
      format: "ANY tags.name == 'a'",
      plan: [
        "SEARCH t2 USING COVERING INDEX sqlite_autoindex_Z_2TAGS_1",
        "SEARCH t1 USING INTEGER PRIMARY KEY",
      ]),
    Case(
      format: "tags.@count > 2",
      plan: ["SEARCH t1 USING COVERING INDEX sqlite_autoindex_Z_2TAGS_1 (Z_2BOOKS=?)"]),
    Case(format: "pages > 3", plan: ["SEARCH t0 USING INDEX ZBOOK_Z_ENT_INDEX"], entity: "Novel"),
    Case(format: "TRUEPREDICATE", plan: ["SCAN t0 USING INDEX Z_Book_byTitle"], sortKey: "title"),
    Case(format: "noindex:(title) == 'a'", plan: ["SCAN t0"]),
  ]

  @Test(arguments: cases) func usesTheIndex(_ test: Case) throws {
    let plan = try queryPlan(test)
    for part in test.plan { #expect(plan.contains(part), "\(plan)") }
  }

  private func queryPlan(_ test: Case) throws -> String {
    let store = try #require(fixture.store as? SQLiteStore)
    let contents = try store.contents
    let entity = try contents.entity(fixture.layout(test.entity))
    var plan = try fixture.plan(
      test.entity, where: NSPredicate(format: test.format, argumentArray: test.arguments()))
    if let key = test.sortKey {
      plan.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
    }
    let query = try SQLQuery(plan, entity: entity, store: store.queryContext(contents))
    let sql = "EXPLAIN QUERY PLAN SELECT t0.Z_PK, t0.Z_OPT FROM \(entity.table) t0\(query.tail)"
    return try contents.database.read { connection in
      try connection.withStatement(sql) { statement in
        query.bind(to: statement)
        var lines: [String] = []
        while try statement.step() { lines.append(statement.text(3) ?? "") }
        return lines.joined(separator: "\n")
      }
    }
  }
}

/// Authors with books, of which some are novels; books with tags. Titles and dates have indexes.
private enum IndexedModel {
  static func make() -> NSManagedObjectModel {
    let (author, book) = (ModelPart.entity("Author"), ModelPart.entity("Book"))
    let (novel, tag) = (ModelPart.entity("Novel"), ModelPart.entity("Tag"))
    book.subentities = [novel]
    let books = ModelPart.relationship("books", to: book, maxCount: 0)
    let bookAuthor = ModelPart.relationship("author", to: author, maxCount: 1)
    let tags = ModelPart.relationship("tags", to: tag, maxCount: 0)
    let tagBooks = ModelPart.relationship("books", to: book, maxCount: 0)
    ModelPart.connect(books, bookAuthor)
    ModelPart.connect(tags, tagBooks)
    let title = ModelPart.attribute("title")
    let date = ModelPart.attribute("date", .dateAttributeType)
    author.properties = [ModelPart.attribute("name"), books]
    tag.properties = [ModelPart.attribute("name"), tagBooks]
    book.properties = [
      title, date, ModelPart.attribute("pages", .integer32AttributeType),
      ModelPart.attribute("note"), bookAuthor, tags,
    ]
    book.indexes = [index("byTitle", title), index("byDate", date)]
    let model = NSManagedObjectModel()
    model.entities = [author, book, novel, tag]
    return model
  }

  private static func index(
    _ name: String, _ property: NSPropertyDescription
  ) -> NSFetchIndexDescription {
    let element = NSFetchIndexElementDescription(property: property, collationType: .binary)
    return NSFetchIndexDescription(name: name, elements: [element])
  }
}
