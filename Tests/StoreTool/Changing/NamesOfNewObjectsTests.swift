import CoreData
import Foundation
import StoreTool
import Testing

/// What a report calls objects that are not saved, or were not when it was begun: names that a
/// person can use.
struct NamesOfNewObjectsTests {
  private func edit(
    _ library: Library, _ action: Edit.Action, _ entity: String, object: String? = nil,
    _ assignments: [String] = [], isDryRun: Bool
  ) throws -> EditReport {
    var edit = Edit(action, entity: entity)
    edit.object = object
    edit.assignments = try assignments.map { try Assignment($0) }
    edit.isDryRun = isDryRun
    let store = try library.open(isWriting: true)
    defer { store.close() }
    return try edit.run(in: store)
  }

  /// All texts that a report shows.
  private func texts(_ report: EditReport) -> [String] {
    report.changes.flatMap { change in
      [change.object] + change.values.values.flatMap { $0.compactMap { $0 } }
    }
  }

  private func expectNoTemporaryNames(_ report: EditReport) {
    for text in texts(report) {
      #expect(text.range(of: "[A-Za-z]/t[0-9A-F]", options: .regularExpression) == nil, "\(text)")
    }
  }

  /// An author and what leads to it: undone, both ends of the relationship name the other.
  @Test(arguments: LibraryKind.all.filter(\.isDatabase), ["Author/p1", "Book/p1", "Tag/p2"])
  func anUndoOfADeletion(_ kind: LibraryKind, object: String) throws {
    let library = try kind.library()
    try library.withStates {
      let entity = String(object.prefix { $0 != "/" })
      _ = try edit(library, .delete, entity, object: object, isDryRun: false)
      let trial = try library.undo(isDryRun: true)
      expectNoTemporaryNames(trial)
      let label = ["Author": "new Author “Austen”", "Book": "new Book “Emma”"][entity]
      #expect(trial.changes.contains { $0.object == label ?? "new Tag “love”" })
      let report = try library.undo(isDryRun: false)
      expectNoTemporaryNames(report)
      try expectFound(names(report), in: library)
    }
  }

  /// The objects that a report names as the next command would.
  private func names(_ report: EditReport) -> [String] {
    var names: [String] = []
    for change in report.changes {
      if change.kind == "insert" { names.append(change.object) }
      guard change.kind == "update" else { continue }
      for texts in change.values.values {
        guard let text: String = texts[1] else { continue }
        names += text.split(separator: ",").map(String.init).filter { $0.contains("/p") }
      }
    }
    return names
  }

  private func expectFound(_ names: [String], in library: Library) throws {
    #expect(!names.isEmpty)
    let store = try library.open()
    for name in names { _ = try ObjectReport.of(name, in: store) }
    store.close()
  }

  @Test(arguments: LibraryKind.all.filter(\.isDatabase), [true, false])
  func anInsertion(_ kind: LibraryKind, isDryRun: Bool) throws {
    let library = try kind.library()
    try library.withStates {
      let assignments = ["title=Persuasion", "author=Author/p1", "tags=Tag/p1"]
      let report = try edit(library, .insert, "Book", assignments, isDryRun: isDryRun)
      expectNoTemporaryNames(report)
      #expect(texts(report).contains("new Book “Persuasion”") == isDryRun)
      guard !isDryRun else { return }
      expectNoTemporaryNames(try library.undo(isDryRun: true))
    }
  }
}
