import CoreDataSupport
import Foundation
import Testing

@testable import CoreData

/// Books on shelves: a book has a title, a place, and a group by which lists make sections.
enum BookModel {
  static func make() -> NSManagedObjectModel {
    let (shelf, book) = (ModelPart.entity("Shelf"), ModelPart.entity("Book"))
    let atlas = ModelPart.entity("Atlas")
    let books = ModelPart.relationship("books", to: book, maxCount: 0)
    let ownShelf = ModelPart.relationship("shelf", to: shelf, maxCount: 1)
    ModelPart.connect(books, ownShelf)
    shelf.properties = [ModelPart.attribute("name"), books]
    book.properties = [
      ModelPart.attribute("title"), ModelPart.attribute("place", .integer64AttributeType),
      ModelPart.attribute("group"), ModelPart.attribute("note"),
      ModelPart.attribute("weight", .doubleAttributeType),
      ModelPart.attribute("rank", .integer32AttributeType),
      ModelPart.attribute("added", .dateAttributeType), ownShelf,
    ]
    book.subentities = [atlas]
    return ModelPart.model([shelf, book, atlas])
  }
}

/// A store, in memory or in a file of its own, and a context in which ``with(_:)`` runs a test.
final class FetchedStack: @unchecked Sendable {
  // Sound: the coordinator and the context are thread-safe to hand on, and are used on one queue.
  let coordinator: NSPersistentStoreCoordinator
  let context: NSManagedObjectContext
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("FetchedResults-\(UUID().uuidString)")

  init(_ storeType: String) throws {
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: BookModel.make())
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try coordinator.addPersistentStore(
      ofType: storeType, configurationName: nil, at: folder.appendingPathComponent("Books.sqlite"))
    context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
  }

  deinit {
    // A folder that cannot be removed is left to the system.
    try? FileManager.default.removeItem(at: folder)
  }

  static func with(
    _ storeType: String = NSInMemoryStoreType, _ body: (FetchedStack) throws -> Void
  ) throws {
    let stack = try FetchedStack(storeType)
    try stack.context.performAndWait { try body(stack) }
  }

  /// Runs `body` in another context and saves it.
  func elsewhere(
    merging isMerged: Bool = true, _ body: (NSManagedObjectContext) throws -> Void
  ) throws {
    let other = coordinator.makeContext()
    try other.performAndWait {
      try body(other)
      let changes = [
        NSInsertedObjectsKey: other.insertedObjects, NSUpdatedObjectsKey: other.updatedObjects,
        NSDeletedObjectsKey: other.deletedObjects,
      ]
      try other.save()
      guard isMerged else { return }
      let identities = changes.mapValues { $0.map(\.objectID.resolved) }
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: identities, into: [context])
    }
  }

  @discardableResult
  func makeBook(
    _ title: String, group: String? = nil, place: Int? = nil, entity: String = "Book"
  ) -> NSManagedObject {
    context.makeBook(title, group: group, place: place, entity: entity)
  }

  func request(
    _ keys: [String] = ["title"], predicate: String? = nil
  ) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
    request.sortDescriptors = keys.map {
      $0.hasPrefix("-")
        ? NSSortDescriptor(key: String($0.dropFirst()), ascending: false)
        : NSSortDescriptor(key: $0, ascending: true)
    }
    request.predicate = predicate.map { NSPredicate(format: $0) }
    return request
  }

  func controller(
    _ keys: [String] = ["title"], sections: String? = nil, predicate: String? = nil
  ) -> NSFetchedResultsController<NSManagedObject> {
    NSFetchedResultsController(
      fetchRequest: request(keys, predicate: predicate), managedObjectContext: context,
      sectionNameKeyPath: sections, cacheName: nil)
  }
}

extension NSManagedObjectContext {
  @discardableResult
  func makeBook(
    _ title: String, group: String? = nil, place: Int? = nil, entity: String = "Book"
  ) -> NSManagedObject {
    let model = persistentStoreCoordinator!.managedObjectModel
    let book = NSManagedObject(entity: model.entitiesByName[entity]!, insertInto: self)
    book.setValue(title, forKey: "title")
    if let group { book.setValue(group, forKey: "group") }
    if let place { book.setValue(place, forKey: "place") }
    return book
  }

  func book(_ title: String) throws -> NSManagedObject {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
    request.predicate = NSPredicate(format: "title == %@", title)
    return try #require(try fetch(request).first)
  }
}

extension FetchedStack {
  /// The books by title, fetched before a test makes its changes: a fetch processes them.
  func books() throws -> [String: NSManagedObject] {
    let books = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book"))
    return Dictionary(books.map { ($0.bookTitle, $0) }, uniquingKeysWith: { $1 })
  }
}

extension NSManagedObject {
  var bookTitle: String { value(forKey: "title") as? String ?? "-" }
}

extension NSFetchedResultsController<NSManagedObject> {
  var titles: [String] { (fetchedObjects ?? []).map(\.bookTitle) }

  /// "name: title title" of each section.
  var outline: [String] {
    (sections ?? []).map { section in
      let titles = (section.objects ?? []).map { ($0 as? NSManagedObject)?.bookTitle ?? "?" }
      return "\(section.name): \(titles.joined(separator: " "))"
    }
  }
}
