import CoreData
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

  // MARK: - Contents

  private static func makeModel() -> NSManagedObjectModel {
    let (author, book, novel, tag) = (
      entity("Author"), entity("Book"), entity("Novel"), entity("Tag")
    )
    book.subentities = [novel]
    let (books, writer) = relate(author, "books", 0, book, "author", 1)
    books.deleteRule = .cascadeDeleteRule
    let (tags, tagged) = relate(book, "tags", 0, tag, "books", 0)
    tags.isOrdered = true
    author.properties = [attribute("name", .stringAttributeType, isOptional: false), books]
    author.uniquenessConstraints = [["name"]]
    book.properties = [
      attribute("title", .stringAttributeType, isOptional: false),
      attribute("pages", .integer32AttributeType),
      attribute("price", .decimalAttributeType), attribute("published", .dateAttributeType),
      attribute("isRead", .booleanAttributeType), attribute("cover", .binaryDataAttributeType),
      attribute("code", .UUIDAttributeType), writer, tags,
    ]
    novel.properties = [attribute("genre", .stringAttributeType)]
    tag.properties = [attribute("word", .stringAttributeType), tagged]
    let model = NSManagedObjectModel()
    model.entities = [author, book, novel, tag]
    return model
  }

  private static func entity(_ name: String) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    return entity
  }

  private static func attribute(
    _ name: String, _ type: NSAttributeType, isOptional: Bool = true
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = isOptional
    return attribute
  }

  private static func relate(
    _ source: NSEntityDescription, _ name: String, _ count: Int, _ destination: NSEntityDescription,
    _ inverse: String, _ inverseCount: Int
  ) -> (NSRelationshipDescription, NSRelationshipDescription) {
    let (forward, back) = (NSRelationshipDescription(), NSRelationshipDescription())
    (forward.name, back.name) = (name, inverse)
    (forward.destinationEntity, back.destinationEntity) = (destination, source)
    (forward.maxCount, back.maxCount) = (count, inverseCount)
    (forward.inverseRelationship, back.inverseRelationship) = (back, forward)
    (forward.deleteRule, back.deleteRule) = (.nullifyDeleteRule, .nullifyDeleteRule)
    return (forward, back)
  }

  private static func fill(_ coordinator: NSPersistentStoreCoordinator) throws {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    context.transactionAuthor = "test"
    try context.performAndWait {
      func make(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
      }
      let austen = make("Author", ["name": "Austen"])
      let melville = make("Author", ["name": "Melville"])
      let sea = make("Tag", ["word": "sea"])
      let love = make("Tag", ["word": "love"])
      try context.save()
      let dates = [0.0, 86400.5].map { Date(timeIntervalSinceReferenceDate: $0) }
      _ = make(
        "Book",
        [
          "title": "Emma", "pages": 474, "price": NSDecimalNumber(string: "9.99"),
          "published": dates[0],
          "isRead": true, "author": austen, "tags": NSOrderedSet(array: [love]),
        ])
      try context.save()
      _ = make(
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
