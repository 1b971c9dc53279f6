import CoreData
import Foundation
import StoreTool
import Testing

struct EditTests {
  private func names(_ library: Library) throws -> [String] {
    try library.lines("Author", .csv) {
      $0.columns = "name"
      $0.sort = "name"
    }.dropFirst().map { $0 }
  }

  private func run(
    _ library: Library, _ action: Edit.Action, _ entity: String, where condition: String? = nil,
    _ assignments: [String] = [], isDryRun: Bool = false
  ) throws -> EditReport {
    var edit = Edit(action, entity: entity)
    edit.condition = condition
    edit.assignments = try assignments.map { try Assignment($0) }
    edit.isDryRun = isDryRun
    let store = try library.open(isWriting: true)
    defer { store.close() }
    return try edit.run(in: store)
  }

  @Test func anInsertedObjectHasItsValuesAndGoesByUndo() throws {
    let library = try Library()
    let report = try run(library, .insert, "Author", ["name=Brontë"])
    #expect(report.isSaved && report.backup != nil)
    #expect(try names(library) == ["Austen", "Brontë", "Melville"])
    _ = try library.undo()
    #expect(try names(library) == ["Austen", "Melville"])
  }

  /// Between its reading and its saving somebody else changes the same row.
  @Test func aSetThatMeetsAnothersIsDoneAnewOnWhatIsThere() throws {
    let library = try Library()
    var edit = Edit(.set, entity: "Book")
    edit.assignments = [try Assignment("isRead=true")]
    var tries = 0
    let report = try Editing.run(StoreRequest(store: library.url), isDryRun: false) {
      store, isTrial in
      edit.isDryRun = isTrial
      if isTrial { return try edit.run(in: store) }
      tries += 1
      let isFirst = tries == 1
      // Called on this thread.
      nonisolated(unsafe) let (library, store) = (library, store)
      let observer = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextWillSave, object: nil, queue: nil
      ) { note in
        let context = note.object as? NSManagedObjectContext
        guard isFirst, context?.persistentStoreCoordinator === store.coordinator else { return }
        do { _ = try self.run(library, .set, "Book", ["pages=7"]) } catch { Issue.record(error) }
      }
      defer { NotificationCenter.default.removeObserver(observer) }
      return try edit.run(in: store)
    }
    #expect(tries == 2 && report.isSaved)
    let lines = try library.lines("Book", .csv) { $0.columns = "pages,isRead" }.dropFirst()
    #expect(Set(lines) == ["7,true"])
  }

  @Test func commandsAtOnceAllInsert() throws {
    let library = try Library()
    let path = library.url.path
    DispatchQueue.concurrentPerform(iterations: 6) { number in
      do {
        let run = try ToolRun("insert", path, "Author", "name=N\(number)")
        #expect(run.status == 0, "\(run.errors)")
      } catch { Issue.record(error) }
    }
    #expect(
      try names(library) == ["Austen", "Melville"] + (0..<6).map { "N\($0)" })
  }

  @Test func aDryRunChangesNoFile() throws {
    let library = try Library()
    let before = try library.lines("Book")
    let report = try run(library, .set, "Book", ["pages=1"], isDryRun: true)
    #expect(!report.isSaved)
    #expect(report.changes.map { $0.values["pages"] ?? [] }.allSatisfy { $0.last == "1" })
    #expect(try library.lines("Book") == before)
    #expect(!FileManager.default.fileExists(atPath: library.url.path + ".backups"))
  }

  @Test func everythingOfASetComesBackByUndo() throws {
    let library = try Library()
    let before = try library.lines("Book")
    let tags = try library.lines("Book") { $0.columns = "title,tags.@count as n" }
    _ = try run(
      library, .set, "Book",
      [
        "title=x", "pages=1", "price=2.5", "published=2020-02-29", "isRead=true",
        "author=Author/p1", "tags=Tag/p1",
        "code=99112233-4455-6677-8899-AABBCCDDEEFF", "cover=AA==",
      ])
    let changed = try library.lines("Book")
    #expect(
      changed != before
        && changed.allSatisfy { $0.contains(#""published":"2020-02-29T00:00:00Z""#) })
    #expect(try StoreCheck.findings(in: library.open()).isEmpty)
    _ = try library.undo()
    #expect(try library.lines("Book") == before)
    #expect(try library.lines("Book") { $0.columns = "title,tags.@count as n" } == tags)
    #expect(try StoreCheck.findings(in: library.open()).isEmpty)
  }

  @Test func whatADeletionTookAlongComesBack() throws {
    let library = try Library()
    let columns = "title,author.name,tags.@count as n,pages,price"
    let before = try library.lines("Book") {
      $0.columns = columns; $0.sort = "title"
    }
    _ = try run(library, .delete, "Author", where: "name == 'Austen'")
    #expect(try library.lines("Book").count == 1)
    _ = try library.undo()
    #expect(
      try library.lines("Book") {
        $0.columns = columns; $0.sort = "title"
      } == before)
    #expect(try StoreCheck.findings(in: library.open()).isEmpty)
  }

  @Test func undoKeepsWhatOthersChangedMeanwhile() throws {
    let library = try Library()
    _ = try run(library, .set, "Book", where: "title == 'Emma'", ["pages=1"])
    let other = try library.open(isWriting: true)
    try other.withContext { context in
      let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
      author.setValue("Other", forKey: "name")
      try context.save()
    }
    other.close()
    _ = try library.undo()
    #expect(try names(library) == ["Austen", "Melville", "Other"])
    #expect(
      try library.lines("Book", .csv) {
        $0.columns = "pages"; $0.sort = "pages"
      } == ["pages", "474", "635"])
  }

  @Test func severalUndosGoBackStepByStep() throws {
    let library = try Library()
    let before = try library.lines("Book")
    for pages in 1...3 { _ = try run(library, .set, "Book", ["pages=\(pages)"]) }
    for pages in [2, 1] {
      _ = try library.undo()
      #expect(try library.lines("Book").allSatisfy { $0.contains("\"pages\":\(pages),") })
    }
    _ = try library.undo()
    #expect(try library.lines("Book") == before)
    #expect(throws: ToolError.self) { try library.undo() }
  }

  @Test func membersAreAddedAndRemoved() throws {
    let library = try Library()
    let tags = {
      try library.lines("Book") {
        $0.columns = "tags.@count as n"; $0.condition = "title == 'Emma'"
      }
    }
    _ = try run(library, .set, "Book", where: "title == 'Emma'", ["tags+=Tag/p1"])
    let store = try library.open()
    #expect(try tags() == [#"{"n":2}"#])
    _ = try run(library, .set, "Book", where: "title == 'Emma'", ["tags-=Tag/p1,Tag/p2"])
    #expect(try tags() == [#"{"n":0}"#])
    store.close()
  }

  @Test(arguments: [
    ("pages=many", "a whole number"), ("pages=3000000000", "a whole number"),
    ("price=x", "a decimal"),
    ("published=yesterday", "a date"), ("isRead=maybe", "true or false"),
    ("author=Tag/p1", "an object of Author"),
    ("author=Author/p99", "no object Author/p99"), ("titel=x", "has no property “titel”"),
    ("nothing", "is no change"),
    ("pages+=1", "is an attribute"),
  ])
  func aWrongValueIsAnErrorAndChangesNothing(_ assignment: String, _ part: String) throws {
    let library = try Library()
    let before = try library.lines("Book")
    let error = #expect(throws: ToolError.self) { try run(library, .set, "Book", [assignment]) }
    #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    #expect(try library.lines("Book") == before)
  }

  @Test func aSaveIsValidatedAsAWhole() throws {
    let library = try Library()
    let before = try names(library)
    let error = #expect(throws: ToolError.self) { try run(library, .insert, "Author") }
    #expect(error?.status == .badData)
    #expect(throws: ToolError.self) { try run(library, .insert, "Author", ["name=Austen"]) }
    #expect(try names(library) == before)
  }

  @Test func theHistorySaysWhoItWas() throws {
    let library = try Library()
    _ = try run(library, .insert, "Author", ["name=Brontë"])
    let last = try #require(HistoryReport(library.open()).transactions.last)
    #expect(last.author == "coredata")
    #expect(last.changes.map(\.kind) == ["insert"])
  }

  @Test func objectsAreNamedOrAskedFor() throws {
    let library = try Library()
    #expect(try ToolRun("delete", library.url.path, "Book").status == 64)
    let run = try ToolRun(
      "set", library.url.path, "Book/p1", "title=Other", "--clear", "price", "--json")
    #expect(run.status == 0, "\(run.errors)")
    let got = try ToolRun("get", library.url.path, "Book/p1")
    #expect(got.output.contains("Other") && got.output.contains("tags"))
    #expect(try ToolRun("undo", library.url.path).status == 0)
    #expect(try library.lines("Book").first?.contains("Emma") == true)
  }
}
