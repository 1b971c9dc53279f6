import CoreData
import PostgreSQLServer
import Testing

@testable import PostgreSQLStore

/// Books in a schema of their own, and SQL beside the store.
final class ServerStack: Sendable {
  let url: URL
  let coordinator: NSPersistentStoreCoordinator

  /// - Parameters:
  ///   - settings: of the server, for the sessions of this address: `-cname=value`.
  ///   - name: what the server calls these sessions, so that they are told from other tests'.
  init(
    options: [AnyHashable: Any]? = nil, settings: String = "", name: String? = nil,
    server: String? = nil
  ) throws {
    let id = UUID().uuidString.lowercased().filter { $0 != "-" }
    let place =
      try server.map { try PostgreSQLServer.url(schema: "s\(id)", of: $0) }
      ?? PostgreSQLServer.url(schema: "s\(id)")
    let more = settings.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    url = try #require(
      URL(
        string: place.absoluteString + (more.isEmpty ? "" : "%20\(more)")
          + (name.map { "&application_name=\($0)" } ?? "")))
    coordinator = try Self.open(url, options)
  }

  static func open(
    _ url: URL, _ options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
    try coordinator.addPersistentStore(type: .postgreSQL, at: url, options: options)
    return coordinator
  }

  private static func model() -> NSManagedObjectModel {
    let book = NSEntityDescription()
    book.name = "Book"
    let title = NSAttributeDescription()
    title.name = "title"
    title.attributeType = .stringAttributeType
    let pages = NSAttributeDescription()
    pages.name = "pages"
    pages.attributeType = .integer64AttributeType
    let date = NSAttributeDescription()
    date.name = "date"
    date.attributeType = .dateAttributeType
    book.properties = [title, pages, date]
    book.uniquenessConstraints = [["title"]]
    let model = NSManagedObjectModel()
    model.entities = [book]
    return model
  }

  var contents: StoreContents {
    get throws { try #require(coordinator.persistentStores[0] as? PostgreSQLStore).contents }
  }

  /// A connection of its own, in the store's schema.
  func connection() throws -> PostgreSQLConnection {
    try PostgreSQLConnection(ServerAddress(url), timeout: nil)
  }

  func context(_ other: NSPersistentStoreCoordinator? = nil) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = other ?? coordinator
    return context
  }

  /// Saves new books with these titles.
  func add(_ titles: String..., in context: NSManagedObjectContext? = nil) throws {
    let context = context ?? self.context()
    try context.performAndWait {
      for title in titles {
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue(title, forKey: "title")
      }
      try context.save()
    }
  }

  func titles() throws -> [String] {
    let context = context()
    return try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      return try context.fetch(request).compactMap { $0.value(forKey: "title") as? String }
    }
  }

  /// How many books a predicate finds.
  func count(_ format: String, _ arguments: Any...) throws -> Int {
    let context = context()
    return try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      request.predicate = NSPredicate(format: format, argumentArray: arguments)
      return try context.count(for: request)
    }
  }
}
