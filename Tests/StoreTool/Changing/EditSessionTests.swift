import CoreData
import Foundation
import StoreTool
import Testing

/// The saves of one sitting, as `browse --edit` makes them, and `undo` of all of them.
struct EditSessionTests {
  private static let kinds = LibraryKind.all.filter(\.isDatabase)

  private func edit(
    _ library: Library, _ body: (EditSession, NSManagedObjectContext) throws -> Void
  ) throws {
    try library.withStates {
      let store = try library.open(isWriting: true)
      defer { store.close() }
      let session = EditSession(store, title: "test", makesBackup: true)
      try store.withContext { try body(session, $0) }
    }
  }

  private func state(_ library: Library) throws -> [String] {
    try library.lines("Author", .csv) {
      $0.columns = "name,books.@count as n"
      $0.sort = "name"
    } + library.lines("Tag", .csv) { $0.columns = "word" }
  }

  private func backups(_ library: Library) throws -> Int {
    var folder = library.url.path + ".backups"
    if !library.url.isFileURL {
      let store = try library.open()
      defer { store.close() }
      let uuid = try #require(store.metadata[NSStoreUUIDKey] as? String)
      folder = library.folder.path + "/coredata/\(uuid).backups"
    }
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
    let form = library.url.isFileURL ? ".sqlite" : ".json"
    return names?.filter { $0.hasSuffix(form) }.count ?? 0
  }

  private func undo(_ library: Library) throws {
    try library.withStates { _ = try library.undo() }
  }

  private func make(
    _ entity: String, _ key: String, _ value: String, _ context: NSManagedObjectContext
  ) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    object.setValue(value, forKey: key)
    return object
  }

  @Test(arguments: kinds) func manySavesHaveOneBackupAndOneUndo(_ kind: LibraryKind) throws {
    let library = try kind.library()
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
    #expect(try backups(library) == 1)
    try undo(library)
    #expect(try state(library).sorted() == before.sorted())
    #expect(try backups(library) == 0)
  }

  @Test(arguments: kinds) func valuesThatMustBeUniqueAreNamed(_ kind: LibraryKind) throws {
    let library = try kind.library()
    try edit(library) { session, context in
      context.mergePolicy = NSMergePolicy.error
      _ = make("Author", "name", "Austen", context)
      let error = #expect(throws: (any Error).self) { try session.save(context) }
      let text = error.map { ToolError($0).description } ?? ""
      #expect(text.contains("same value of name"), "\(text)")
      #expect(session.backup == nil)
    }
    #expect(try backups(library) == 0)
  }

  @Test(arguments: kinds) func whatCannotBeSavedLeavesNoBackup(_ kind: LibraryKind) throws {
    let library = try kind.library()
    let before = try state(library)
    try edit(library) { session, context in
      try session.save(context)
      _ = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
      #expect(throws: (any Error).self) { try session.save(context) }
      #expect(session.backup == nil)
    }
    #expect(try backups(library) == 0)
    #expect(try state(library) == before)
  }
}
