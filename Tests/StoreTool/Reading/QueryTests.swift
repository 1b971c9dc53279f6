import CoreData
import Foundation
import StoreTool
import Testing

struct QueryTests {
  @Test func everyTypeHasItsTextInJSON() throws {
    let lines = try Library().lines("Book") { $0.sort = "title" }
    #expect(
      lines == [
        #"{"objectID":"Book/p1","author":"Author/p1","code":null,"cover":null,"isRead":true,"pages":474,"price":9.99,"published":"2001-01-01T00:00:00Z","title":"Emma"}"#,
        #"{"objectID":"Novel/p2","author":"Author/p2","code":"00112233-4455-6677-8899-AABBCCDDEEFF","cover":"AQID","isRead":false,"pages":635,"price":null,"published":"2001-01-02T00:00:00.500Z","title":"Moby \"Dick\"\n"}"#,
      ])
  }

  @Test func columnsFollowRelationshipsCountAndCompute() throws {
    let lines = try Library().lines("Book") {
      $0.columns = "title,author.name,tags.@count as tags,pages * 2 as double"
      $0.condition = "author.name BEGINSWITH 'A' AND pages > 100"
    }
    #expect(lines == [#"{"title":"Emma","author.name":"Austen","tags":1,"double":948}"#])
  }

  @Test func groupsHaveCountsAndSums() throws {
    let lines = try Library().lines("Book", .csv) {
      $0.group = "author.name"
      $0.columns = "author.name,@count,sum(pages) as pages"
      $0.sort = "author.name"
    }
    #expect(lines == ["author.name,@count,pages", "Austen,1,474", "Melville,1,635"])
  }

  @Test func limitOffsetAndOrder() throws {
    let library = try Library()
    let lines = try library.lines("Author", .csv) {
      $0.columns = "name"
      $0.sort = "-name"
      $0.limit = 1
    }
    #expect(lines == ["name", "Melville"])
    let rest = try library.lines("Author", .csv) {
      $0.columns = "name"
      $0.sort = "name desc"
      $0.offset = 1
    }
    #expect(rest == ["name", "Austen"])
  }

  @Test func textsForPeopleHaveNoControlCharacters() throws {
    let library = try Library()
    try library.sql("UPDATE ZBOOK SET ZTITLE = 'a' || char(27) || '[31mb|c' WHERE Z_PK = 1")
    for format in [RowFormat.table, .markdown] {
      let text = try library.lines("Book", format) { $0.columns = "title" }.joined()
      #expect(!text.contains("\u{1B}"))
      #expect(text.contains("\u{FFFD}[31mb"))
    }
    #expect(
      try library.lines("Book", .markdown) { $0.columns = "title" }.joined().contains("b\\|c"))
  }

  @Test func fieldsOfCSVAreQuoted() throws {
    let lines = try Library().lines("Novel", .csv) { $0.columns = "title,genre" }
    #expect(lines == ["title,genre", #""Moby ""Dick"""#, #"",adventure"#])
  }

  @Test(arguments: [
    ("Book", "pages >", nil as String?, "at position 7"),
    ("Book", "prix > 3", nil, "Book has no property “prix”; it has: author"),
    (
      "Book", "pages > 3 AND NOT author.nam == 'x'", nil,
      "Author has no property “nam” (author.nam)"
    ),
    ("Book", "titel CONTAINS 'x'", nil, "Book has no property “titel”"),
    ("Bok", nil, nil, "it has: Author, Book, Novel, Tag"),
    ("Book", nil, "titel", "Book has no property “titel”"),
    ("Book", nil, "tags", "tags.@count"),
    ("Book", nil, "title,title", "is there twice"),
    ("Book", nil, "author.nam", "Author has no property “nam”"),
  ])
  func aWrongQuestionIsAnErrorOfUsage(
    _ entity: String, _ condition: String?, _ columns: String?, _ part: String
  ) throws {
    let library = try Library()
    let error = #expect(throws: ToolError.self) {
      try library.lines(entity) {
        $0.condition = condition
        $0.columns = columns
      }
    }
    #expect(error?.status == .usage)
    #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
  }

  @Test(arguments: ["titel", "-titel", "title,author.titel desc"])
  func anUnknownKeyOfAnOrderIsAnErrorThatNamesTheKnownOnes(_ order: String) throws {
    let library = try Library()
    let error = #expect(throws: ToolError.self) { try library.lines("Book") { $0.sort = order } }
    #expect(error?.status == .usage)
    #expect(error?.description.contains("has no property “titel”") == true)
    #expect(error?.description.contains("it has: ") == true)
  }

  /// Keys that every object has are no properties of the model.
  @Test(arguments: ["entity == 'Novel'", "SELF != nil", "tags.@count > 0", "author.name != nil"])
  func keysOfEveryObjectAreNoUnknownProperties(_ condition: String) throws {
    let library = try Library()
    #expect(throws: Never.self) { try library.lines("Book") { $0.condition = condition } }
  }

  @Test func explainShowsTheStatementAndItsPlan() throws {
    var query = Query(entity: "Book")
    query.condition = "author.name == 'Austen'"
    query.columns = "title"
    let found = try query.explain(in: Library().open())
    #expect(found.sql.hasPrefix("SELECT t0.ZTITLE FROM ZBOOK t0"))
    #expect(found.parameters == ["'Austen'"])
    #expect(found.plan.contains { $0.contains("ZBOOK") || $0.contains("t0") })
  }

  @Test(arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
  func storesOfEveryTypeAnswerAlike(_ type: String) throws {
    let library = try Library(type: type)
    var request = StoreRequest(store: library.url)
    request.model = library.modelURL
    let bytes = ByteWriter(descriptor: nil)
    var query = Query(entity: "Book")
    query.columns = "title,isRead,published,author.name,price"
    query.sort = "pages"
    try query.run(in: OpenedStore(request), format: .ndjson, to: bytes)
    #expect(
      bytes.collected.split(separator: "\n").first.map(String.init)
        == #"{"title":"Emma","isRead":true,"published":"2001-01-01T00:00:00Z","author.name":"Austen","price":9.99}"#
    )
  }
}
