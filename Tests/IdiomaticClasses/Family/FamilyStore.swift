import CoreData
import Foundation

/// A SQLite store of the family, in memory.
func makeFamilyContext() throws -> NSManagedObjectContext {
  let url = Bundle.module.url(forResource: "Family", withExtension: "momd")!
  let model = NSManagedObjectModel(contentsOf: url)!
  let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
  try coordinator.addPersistentStore(
    ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"),
    options: nil)
  let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
  context.persistentStoreCoordinator = coordinator
  return context
}

func withFamily(_ body: @Sendable (NSManagedObjectContext) throws -> Void) throws {
  let context = try makeFamilyContext()
  try context.performAndWait { try body(context) }
}

/// The same object, fetched anew after a save.
func reread<Object: NSManagedObject>(_ object: Object) throws -> Object {
  let context = object.managedObjectContext!
  try context.save()
  let id = object.objectID
  context.reset()
  return try context.existingObject(with: id) as! Object
}
