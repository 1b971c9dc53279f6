import CoreData
import Foundation
import Testing

/// The article on migration: its models are compiled, and every step is run on the store that the application ships. That its
/// code is the code here is what `make articles` looks after.
struct MigrationArticleTests {
  private static let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
    url.deletingLastPathComponent()
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The blocks of one language.
  private static func blocks(_ language: String) throws -> [String] {
    let article = try text("Documentation/OpenCoreData.docc/Migration.md")
    return article.components(separatedBy: "\n```\(language)\n").dropFirst().map { part in
      part.components(separatedBy: "\n```").first ?? ""
    }
  }

  @Test func theArticleHasTheModelsOfTheTests() throws {
    let folder = "Tests/Articles/Migration/BookCollection.xcdatamodeld"
    let models = try ["", " 2", " 3"].map {
      try Self.text("\(folder)/BookCollection\($0).xcdatamodel/contents")
    }
    let blocks = try Self.blocks("xml")
    #expect(blocks.count == 3)
    for (block, model) in zip(blocks, models) {
      for line in block.split(separator: "\n") {
        #expect(model.contains(line.drop { $0 == " " }), "\(line)")
      }
    }
  }

  /// Calls `body` with a copy of the store that the application ships, of version 1.
  private func withShippedBooks(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("MigrationArticleTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // What stays behind lies in the system's folder for temporary files.
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("Books.sqlite")
    try FileManager.default.copyItem(
      at: Self.root.appendingPathComponent("Examples/Books/Books.sqlite"), to: url)
    try body(url)
  }

  /// What the store says in SQLite's own words.
  private func columns(_ url: URL) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "sqlite3", url.path,
      "SELECT m.name || ': ' || group_concat(c.name, ' ') FROM sqlite_master m, "
        + "pragma_table_info(m.name) c WHERE m.name IN ('ZBOOK', 'ZAUTHOR') GROUP BY m.name "
        + "ORDER BY m.name DESC",
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private struct Line: Equatable {
    var title: String
    var author: String
    var date: Date
  }

  /// Every book by title, with its author as a text or as an object.
  private func lines(_ container: NSPersistentContainer, date: String) throws -> [Line] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
    request.sortDescriptors = [
      NSSortDescriptor(key: "title", ascending: true, selector: "compare:")
    ]
    return try container.viewContext.fetch(request).map { book in
      let isText = book.entity.attributesByName["author"] != nil
      return Line(
        title: try #require(book.value(forKey: "title") as? String),
        author: try #require(
          book.value(forKeyPath: isText ? "author" : "writer.name") as? String),
        date: try #require(book.value(forKey: date) as? Date))
    }
  }

  private func close(_ container: NSPersistentContainer) throws {
    for store in container.persistentStoreCoordinator.persistentStores {
      try container.persistentStoreCoordinator.remove(store)
    }
  }

  @MainActor @Test func theSecondVersionIsInferred() throws {
    let (before, after) = (try Self.blocks("text")[0], try Self.blocks("text")[1])
    try withShippedBooks { url in
      let beforeColumns = try columns(url)
      #expect(beforeColumns == before)
      let old = try openBooks(at: url, BookVersions.first)
      let books = try lines(old, date: "copyright")
      try close(old)

      let new = try openBooks(at: url, BookVersions.second)
      #expect(try lines(new, date: "published") == books)
      try close(new)
      let afterColumns = try columns(url)
      #expect(afterColumns == after)
    }
  }

  @MainActor @Test func stagesMakeAuthorsOfTexts() throws {
    let third = try Self.blocks("text")[2]
    try withShippedBooks { url in
      let old = try openBooks(at: url, BookVersions.first)
      let books = try lines(old, date: "copyright")
      try close(old)

      let new = try openBooks(at: url, BookVersions.third, stages: bookStages())
      #expect(try lines(new, date: "published") == books)
      #expect(try authorNames(new) == Set(books.map(\.author)).sorted())
      try close(new)
      let thirdColumns = try columns(url)
      #expect(thirdColumns == third)
    }
  }

  @MainActor @Test func aStageMayBeInterrupted() throws {
    try withShippedBooks { url in
      let middle = try openBooks(at: url, BookVersions.second)
      try makeAuthors(in: middle)
      let names = try authorNames(middle)
      try close(middle)
      let new = try openBooks(at: url, BookVersions.third, stages: bookStages())
      #expect(try authorNames(new) == names)
      try close(new)
    }
  }

  @MainActor @Test(arguments: [1, 2]) func aMappingModelMakesAuthorsOfTexts(version: Int) throws {
    try withShippedBooks { url in
      let old = try openBooks(at: url, BookVersions.first)
      let books = try lines(old, date: "copyright")
      try close(old)
      let source = version == 1 ? BookVersions.first : BookVersions.second
      try close(try openBooks(at: url, source))

      let copy = url.deletingLastPathComponent().appendingPathComponent("Copy.sqlite")
      try copyBooks(at: url, from: source, to: copy)
      let new = try openBooks(at: copy, BookVersions.third)
      #expect(try lines(new, date: "published") == books)
      #expect(try authorNames(new) == Set(books.map(\.author)).sorted())
      try close(new)
    }
  }

  @MainActor private func authorNames(_ container: NSPersistentContainer) throws -> [String] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
    return try container.viewContext.fetch(request)
      .compactMap { $0.value(forKey: "name") as? String }.sorted()
  }

  @Test func theShippedStoreIsOfTheFirstVersion() throws {
    try withShippedBooks { url in
      let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
        type: .sqlite, at: url)
      #expect(
        BookVersions.first.isConfiguration(
          withName: nil, compatibleWithStoreMetadata: metadata))
      #expect(
        !BookVersions.third.isConfiguration(
          withName: nil, compatibleWithStoreMetadata: metadata))
    }
  }
}
