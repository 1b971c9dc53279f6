import CoreData
import CoreDataSupport
import Foundation
import Testing

/// A store, of SQLite or another kind, that notes its history, with one coordinator or several on the same store.
final class HistoryStack {
  static var tracking: [AnyHashable: Any] { [NSPersistentHistoryTrackingKey: true] }

  let kind: StoreKind
  let folder: URL
  let model: NSManagedObjectModel
  let coordinator: NSPersistentStoreCoordinator
  var url: URL { folder.appendingPathComponent("Store.sqlite") }
  var plain: PlainSQL { PlainSQL(url: url) }

  convenience init(_ kind: StoreKind, options: [AnyHashable: Any] = tracking) throws {
    try self.init(HistoryStack.shops(), kind: kind, options: options)
  }

  init(
    _ model: NSManagedObjectModel = HistoryStack.shops(), kind: StoreKind = .sqlite,
    options: [AnyHashable: Any] = tracking
  ) throws {
    self.kind = kind
    folder = try StoreFixture.makeFolder()
    self.model = model
    coordinator = try Self.coordinator(
      kind, model, folder.appendingPathComponent("Store.sqlite"), options)
  }

  /// Shops with goods, of which code and title outlive a good.
  static func shops() -> NSManagedObjectModel {
    let model = BatchModel.make()
    let good = model.entitiesByName["Good"]
    for name in ["code", "title"] {
      good?.attributesByName[name]?.preservesValueInHistoryOnDeletion = true
    }
    return model
  }

  private static func coordinator(
    _ kind: StoreKind, _ model: NSManagedObjectModel, _ url: URL, _ options: [AnyHashable: Any]
  ) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let url = try #require(try kind.url(url))
    try coordinator.addPersistentStore(
      ofType: kind.rawValue, configurationName: nil, at: url, options: options)
    return coordinator
  }

  func secondCoordinator(
    options: [AnyHashable: Any] = tracking
  ) throws -> NSPersistentStoreCoordinator {
    try Self.coordinator(kind, model, url, options)
  }

  var store: NSPersistentStore {
    get throws { try #require(coordinator.persistentStores.first) }
  }

  func close() throws {
    try coordinator.removeStores()
  }

  func context(
    author: String? = nil, name: String? = nil, of coordinator: NSPersistentStoreCoordinator? = nil
  ) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator ?? self.coordinator
    context.transactionAuthor = author
    context.name = name
    return context
  }

  /// Runs `body` with a context of an author's and saves it.
  @discardableResult
  func write<Result>(
    _ author: String? = nil, name: String? = nil,
    _ body: (NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    let context = context(author: author, name: name)
    return try context.performAndWait {
      let result = try body(context)
      try context.save()
      return result
    }
  }

  func execute(_ request: NSPersistentHistoryChangeRequest) throws -> Any? {
    let context = context()
    return try context.performAndWait {
      let result = try context.execute(request)
      return try #require(result as? NSPersistentHistoryResult).result
    }
  }

  func transactions(
    _ request: NSPersistentHistoryChangeRequest = .fetchHistory(
      after: nil as NSPersistentHistoryToken?)
  ) throws -> [NSPersistentHistoryTransaction] {
    try #require(execute(request) as? [NSPersistentHistoryTransaction])
  }

  /// The numbers of the transactions that a predicate for transactions finds.
  func numbers(_ format: String, _ arguments: Any...) throws -> [Int64] {
    let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
    fetch.predicate = NSPredicate(format: format, argumentArray: arguments)
    return try transactions(.fetchHistory(withFetch: fetch)).map(\.transactionNumber)
  }
}

extension NSPersistentHistoryTransaction {
  /// `insert Good 1, update Shop 2 (name)`
  var text: String {
    (changes ?? []).map { change in
      let names = (change.updatedProperties ?? []).map(\.name).sorted()
      let properties = names.isEmpty ? "" : " (\(names.joined(separator: " ")))"
      let key = change.changedObjectID.uriRepresentation().lastPathComponent.dropFirst()
      return "\(change.changeType) \(change.changedObjectID.entity.name ?? "") \(key)\(properties)"
    }.joined(separator: ", ")
  }
}
