@testable import CoreData
import PostgreSQLServer
import Testing

@testable import PostgreSQLStore

/// Groups that the server makes and those that memory makes of all rows: 3,000 books, or `GROUP_ROWS`, whose times are
/// printed.
@Suite(.enabled(if: PostgreSQLServer.isAvailable)) struct GroupingTests {
  private static let count =
    ProcessInfo.processInfo.environment["GROUP_ROWS"].flatMap(Int.init) ?? 3000

  private static func column(
    _ name: String, _ function: String, _ path: String
  ) -> NSExpressionDescription {
    let description = NSExpressionDescription()
    description.name = name
    description.expression = NSExpression(
      forFunction: function, arguments: [NSExpression(forKeyPath: path)])
    description.expressionResultType = .undefinedAttributeType
    return description
  }

  @Test func theServerGivesGroupsInThePlaceOfRows() throws {
    let stack = try ServerStack()
    let context = stack.context()
    try context.performAndWait {
      var number = 0
      _ = try context.execute(
        NSBatchInsertRequest(
          entityName: "Book",
          dictionaryHandler: { row in
            guard number < Self.count else { return true }
            row["title"] = "Title \(number)"
            row["pages"] = number % 20
            row["date"] = Date(timeIntervalSinceReferenceDate: Double(number))
            number += 1
            return false
          }))
    }
    let request = NSFetchRequest<NSDictionary>(entityName: "Book")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = [
      "pages", Self.column("count", "count:", "title"), Self.column("sum", "sum:", "pages"),
      Self.column("first", "min:", "title"), Self.column("last", "max:", "date"),
    ]
    request.propertiesToGroupBy = ["pages"]
    request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: false)]
    request.predicate = NSPredicate(format: "title CONTAINS[c] 'TITLE'")
    request.fetchLimit = 15
    var found: [NSDictionary] = []
    let onServer = try ContinuousClock().measure {
      found = try context.performAndWait { try context.fetch(request) }
    }
    let contents = try stack.contents
    let layout = try #require(
      stack.coordinator.managedObjectModel.entitiesByName["Book"]
    ).layout
    let plan = try DictionaryFetch(request.settings, layout: layout).plan
    try contents.pool.with { connection in
      try connection.snapshot {
        let session = ReadSession(contents, connection: connection)
        let fetch = try #require(TableFetch(plan, contents: contents))
        let table = try #require(try fetch.table(plan, contents: contents, connection: connection))
        var computed: [[Any?]] = []
        let inMemory = try ContinuousClock().measure {
          computed = try session.computedTable(plan)
        }
        print(
          "groups: \(table.count) results of \(Self.count) rows in \(onServer), by memory in \(inMemory)"
        )
        #expect(table.map { "\($0)" } == computed.map { "\($0)" })
        #expect(found.count == 15 && table.count == 15)
      }
    }
    #expect(found.first?["pages"] as? Int == 19)
    #expect(found.first?["count"] as? Int == Self.count / 20)
  }

  /// Sums whose parts are beyond 64 bits, though they are not.
  @Test func whatTheServerWouldComputeOtherwiseIsMemorys() throws {
    let stack = try ServerStack()
    let context = stack.context()
    try context.performAndWait {
      for (number, pages) in [Int64.max, 5, .min, 7].enumerated() {
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue("\(number)", forKey: "title")
        book.setValue(pages, forKey: "pages")
      }
      try context.save()
      let request = NSFetchRequest<NSDictionary>(entityName: "Book")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = [
        Self.column("sum", "sum:", "pages"), Self.column("average", "average:", "pages"),
      ]
      let found = try context.fetch(request)
      #expect(found.first?["sum"] as? Int == 11)
      #expect(found.first?["average"] as? Double == 11.0 / 4)
    }
  }
}
