import CoreData
import CoreDataSupport
import Foundation
import PostgreSQLServer
import StoreTool
import TestSupport

/// A store of books in a folder of its own, with relationships of every kind, a hierarchy and a history.
final class Library {
  let folder: URL
  let url: URL

  /// - Parameter type: that of a server is in a schema of its own.
  init(history: Bool = true, type: String = NSSQLiteStoreType) throws {
    folder = try TestFolder.make()
    let file = folder.appendingPathComponent("Library.sqlite")
    let isOnServer = type == LibraryKind.server.rawValue
    url = isOnServer ? try PostgreSQLServer.url(insteadOf: file) : file
    let model = Self.makeModel()
    try model.write(to: folder.appendingPathComponent("Library.xcdatamodeld"))
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let options: [AnyHashable: Any]? =
      history && (type == NSSQLiteStoreType || isOnServer)
      ? [NSPersistentHistoryTrackingKey: true] : nil
    let store = try coordinator.addPersistentStore(
      ofType: type, configurationName: nil, at: url, options: options)
    try Self.fill(coordinator)
    try coordinator.remove(store)
  }

  /// Another store with what this one has, in the same folder.
  init(of other: Library, at url: URL) {
    folder = other.folder
    self.url = url
  }

  var modelURL: URL { folder.appendingPathComponent("Library.xcdatamodeld") }

  func open(isWriting: Bool = false) throws -> OpenedStore {
    try OpenedStore(StoreRequest(store: url), isWriting: isWriting)
  }

  /// The lines that a query prints.
  func lines(
    _ entity: String, _ format: RowFormat = .ndjson, _ change: (inout Query) -> Void = { _ in }
  ) throws -> [String] {
    var query = Query(entity: entity)
    change(&query)
    let bytes = ByteWriter(descriptor: nil)
    let store = try open()
    try query.run(in: store, format: format, to: bytes)
    store.close()
    return bytes.collected.split(whereSeparator: \.isNewline).map(String.init)
  }

  /// Changes the file behind Core Data's back.
  func sql(_ statements: String...) throws {
    let inspector = try StoreInspector(url: url, isWriting: true)
    for statement in statements { _ = try inspector.rows(statement) }
  }

  // MARK: - Undo

  /// What is needed to undo changes of a server's store is kept in the library's folder.
  func withStates(_ body: () throws -> Void) throws {
    try StoreBackup.$states.withValue(folder.path, operation: body)
  }

  func undo(isDryRun: Bool = false) throws -> EditReport {
    let store = try open(isWriting: true)
    defer { store.close() }
    return try Undo.run(in: store, isDryRun: isDryRun)
  }

  // MARK: - Contents

  private static func makeModel() -> NSManagedObjectModel {
    let (author, book, novel, tag) = (
      ModelPart.entity("Author"), ModelPart.entity("Book"), ModelPart.entity("Novel"),
      ModelPart.entity("Tag")
    )
    book.subentities = [novel]
    let (books, writer) = ModelPart.relate(author, "books", 0, book, "author", 1)
    books.deleteRule = .cascadeDeleteRule
    let (tags, tagged) = ModelPart.relate(book, "tags", 0, tag, "books", 0)
    tags.isOrdered = true
    author.properties = [ModelPart.attribute("name", isOptional: false), books]
    author.uniquenessConstraints = [["name"]]
    book.properties = [
      ModelPart.attribute("title", isOptional: false),
      ModelPart.attribute("pages", .integer32AttributeType),
      ModelPart.attribute("price", .decimalAttributeType),
      ModelPart.attribute("published", .dateAttributeType),
      ModelPart.attribute("isRead", .booleanAttributeType),
      ModelPart.attribute("cover", .binaryDataAttributeType),
      ModelPart.attribute("code", .UUIDAttributeType), writer, tags,
    ]
    novel.properties = [ModelPart.attribute("genre")]
    tag.properties = [ModelPart.attribute("word"), tagged]
    return ModelPart.model([author, book, novel, tag])
  }

  private static func fill(_ coordinator: NSPersistentStoreCoordinator) throws {
    let context = coordinator.makeContext()
    context.transactionAuthor = "test"
    try context.performAndWait {
      let austen = context.insert("Author", ["name": "Austen"])
      let melville = context.insert("Author", ["name": "Melville"])
      let sea = context.insert("Tag", ["word": "sea"])
      let love = context.insert("Tag", ["word": "love"])
      try context.save()
      let dates = [0.0, 86400.5].map { Date(timeIntervalSinceReferenceDate: $0) }
      _ = context.insert(
        "Book",
        [
          "title": "Emma", "pages": 474, "price": NSDecimalNumber(string: "9.99"),
          "published": dates[0],
          "isRead": true, "author": austen, "tags": NSOrderedSet(array: [love]),
        ])
      try context.save()
      _ = context.insert(
        "Novel",
        [
          "title": "Moby \"Dick\"\n", "pages": 635, "published": dates[1], "isRead": false,
          "author": melville,
          "genre": "adventure", "tags": NSOrderedSet(array: [sea, love]), "cover": Data([1, 2, 3]),
          "code": UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")!,
        ])
      try context.save()
    }
  }
}
