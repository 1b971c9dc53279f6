import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// The SQL in the article on the predicate language is what comes out. With `UPDATE_DOCUMENTATION` set, the
/// article gets what comes out.
@Suite struct DocumentedSQLTests {
  private static let article = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
    .appendingPathComponent("Documentation/OpenCoreData.docc/PredicateLanguage.md")

  @Test func theArticleShowsWhatComesOut() throws {
    let documented = try String(contentsOf: Self.article, encoding: .utf8)
    let fixture = try StoreFixture(DocumentedModel.make())
    let lines = documented.components(separatedBy: "\n")
    let generated = try lines.map { try line($0, fixture) }
    if ProcessInfo.processInfo.environment["UPDATE_DOCUMENTATION"] != nil {
      try generated.joined(separator: "\n").write(
        to: Self.article, atomically: true, encoding: .utf8)
    }
    #expect(generated == lines)
    #expect(generated.count { $0.contains("` | `") } > 50)
  }

  /// A row of a table of predicates with its SQL; other lines as they are.
  private func line(_ line: String, _ fixture: StoreFixture) throws -> String {
    let cells = line.components(separatedBy: " | ")
    guard cells.count == 2, cells[0].hasPrefix("| `"), cells[1].hasPrefix("`") else { return line }
    let format = String(cells[0].dropFirst(3).dropLast())
    return "\(cells[0]) | `\(try sql(format, fixture))` |"
  }

  private func sql(_ format: String, _ fixture: StoreFixture) throws -> String {
    let store = try #require(fixture.store as? SQLiteStore)
    let contents = try store.contents
    let plan = try fixture.plan("Book", where: try predicate(format, fixture))
    let query = try SQLQuery(
      plan, entity: try contents.entity(plan.layout), store: store.queryContext(contents))
    return String(query.tail.drop { $0 == " " }.trimmingPrefix("WHERE "))
  }

  private func predicate(_ format: String, _ fixture: StoreFixture) throws -> NSPredicate {
    let book = fixture.store.identities.identity(try fixture.layout("Book"), key: 1)
    let argument: Any =
      switch format {
      case "pages IN %@": Array(0..<100)
      case "title IN %@": (0..<100).map { "title \($0)" }
      case "price IN %@": (0..<100).map { Double($0) + 0.5 }
      case "entity == %@": try fixture.layout("Book").entity
      case "ANY tags == %@": fixture.store.identities.identity(try fixture.layout("Tag"), key: 1)
      default: fixture.store.identities.identity(try fixture.layout("Author"), key: 1)
      }
    let text = format.replacingOccurrences(of: "$book.objectID", with: "%@")
    return NSPredicate(format: text, argumentArray: text == format ? [argument] : [book])
  }
}

/// Books with an author, who lives in a city; with tags and chapters.
private enum DocumentedModel {
  static func make() -> NSManagedObjectModel {
    let (book, author, city) = (
      ModelPart.entity("Book"), ModelPart.entity("Author"), ModelPart.entity("City")
    )
    let (tag, chapter) = (ModelPart.entity("Tag"), ModelPart.entity("Chapter"))
    for named in [author, city, tag] {
      named.properties = [ModelPart.attribute("name")]
    }
    chapter.properties = [
      ModelPart.attribute("title"),
      ModelPart.attribute("pages", .integer32AttributeType),
    ]
    book.properties = [
      ModelPart.attribute("title"),
      ModelPart.attribute("pages", .integer32AttributeType),
      ModelPart.attribute("price", .decimalAttributeType),
      ModelPart.attribute("date", .dateAttributeType),
    ]
    ModelPart.join(book, "author", 1, author, "books", 0)
    ModelPart.join(author, "city", 1, city, "authors", 0)
    ModelPart.join(book, "tags", 0, tag, "books", 0)
    ModelPart.join(chapter, "book", 1, book, "chapters", 0)
    return ModelPart.model([book, author, city, tag, chapter])
  }

}
