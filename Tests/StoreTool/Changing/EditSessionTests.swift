import CoreData
import Foundation
import StoreTool
import Testing

/// The saves of one sitting, as `browse --edit` makes them, and `undo` of all of them.
struct EditSessionTests {
  private func edit(
    _ library: Library, _ body: (EditSession, NSManagedObjectContext) throws -> Void
  ) throws {
    let store = try library.open(isWriting: true)
    defer { store.close() }
    let session = EditSession(store, title: "test", makesBackup: true)
    try store.withContext { try body(session, $0) }
  }

  private func state(_ library: Library) throws -> [String] {
    try library.lines("Author", .csv) {
      $0.columns = "name,books.@count as n"
      $0.sort = "name"
    } + library.lines("Tag", .csv) { $0.columns = "word" }
  }

  private func backups(_ library: Library) -> Int {
    let names = try? FileManager.default.contentsOfDirectory(atPath: library.url.path + ".backups")
    return names?.filter { $0.hasSuffix(".sqlite") }.count ?? 0
  }

  private func undo(_ library: Library) throws {
    let store = try library.open(isWriting: true)
    defer { store.close() }
    _ = try Undo.run(in: store, isDryRun: false)
  }

  private func make(
    _ entity: String, _ key: String, _ value: String, _ context: NSManagedObjectContext
  ) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    object.setValue(value, forKey: key)
    return object
  }

  @Test func manySavesHaveOneBackupAndOneUndo() throws {
    let library = try Library()
    let before = try state(library)
    try edit(library) { session, context in
      let author = make("Author", "name", "Woolf", context)
      try session.save(context)
      author.setValue("Wolfe", forKey: "name")
      try session.save(context)
      let austen = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Author"))
        .first { $0.value(forKey: "name") as? String == "Austen" }
      try #require(austen).setValue("Jane Austen", forKey: "name")
      try session.save(context)
      let passing = make("Tag", "word", "passing", context)
      try session.save(context)
      context.delete(passing)
      try session.save(context)
      for tag in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")) {
        context.delete(tag)
      }
      try session.save(context)
    }
    #expect(try state(library) != before)
    #expect(backups(library) == 1)
    try undo(library)
    #expect(try state(library).sorted() == before.sorted())
    #expect(backups(library) == 0)
  }

  @Test func valuesThatMustBeUniqueAreNamed() throws {
    let library = try Library()
    try edit(library) { session, context in
      context.mergePolicy = NSMergePolicy.error
      _ = make("Author", "name", "Austen", context)
      let error = #expect(throws: (any Error).self) { try session.save(context) }
      let text = error.map { ToolError($0).description } ?? ""
      #expect(text.contains("same value of name"), "\(text)")
      #expect(session.backup == nil)
    }
    #expect(backups(library) == 0)
  }

  @Test func whatCannotBeSavedLeavesNoBackup() throws {
    let library = try Library()
    let before = try state(library)
    try edit(library) { session, context in
      try session.save(context)
      _ = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
      #expect(throws: (any Error).self) { try session.save(context) }
      #expect(session.backup == nil)
    }
    #expect(backups(library) == 0)
    #expect(try state(library) == before)
  }
}
