import CoreData

/// A context of the main queue on a store in memory, for the model of an application.
@MainActor
func makeMemoryContext(model: String) throws -> NSManagedObjectContext {
  let container = NSPersistentContainer(name: model)
  let description = NSPersistentStoreDescription()
  description.type = NSInMemoryStoreType
  container.persistentStoreDescriptions = [description]
  var failure: (any Error)?
  container.loadPersistentStores { failure = $1 }
  if let failure { throw failure }
  return container.viewContext
}
