import CoreData

extension NSPersistentContainer {
  /// A container whose store keeps a history, and is open.
  package static func open(
    _ name: String, _ model: NSManagedObjectModel, at url: URL
  ) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: name, managedObjectModel: model)
    let description = NSPersistentStoreDescription(url: url)
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    container.persistentStoreDescriptions = [description]
    try container.open()
    return container
  }

  /// Opens the stores, which no description asks to be opened later.
  package func open() throws {
    nonisolated(unsafe) var failure: (any Error)?
    loadPersistentStores { failure = $1 ?? failure }
    if let failure { throw failure }
  }

  /// Runs `body` in a new context, and saves what it changed.
  @discardableResult
  package func write<Result>(
    _ body: (NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    let context = newBackgroundContext()
    return try context.performAndWait {
      let result = try body(context)
      if context.hasChanges { try context.save() }
      return result
    }
  }
}
