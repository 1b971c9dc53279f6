import Foundation

/// One side of a migration: a context on a store of one version of the model, whose objects are
/// plain `NSManagedObject`s.
final class MigrationStack {
  let coordinator: NSPersistentStoreCoordinator
  let context: NSManagedObjectContext

  init(model: NSManagedObjectModel) {
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.plain(model))
    // A context without a queue: the migrating thread uses it directly.
    context = NSManagedObjectContext()
    context.persistentStoreCoordinator = coordinator
    context.undoManager = nil
  }

  /// A copy of the model without the program's classes.
  private static func plain(_ model: NSManagedObjectModel) -> NSManagedObjectModel {
    let copy = model.copy() as? NSManagedObjectModel ?? model
    for entity in copy.entities { entity.managedObjectClassName = "NSManagedObject" }
    return copy
  }

  func entity(_ name: String?) -> NSEntityDescription? {
    name.flatMap { coordinator.managedObjectModel.entitiesByName[$0] }
  }

  func close() {
    context.reset()
    for store in coordinator.persistentStores {
      // Ignored: removing a store from its own coordinator does not fail.
      try? coordinator.remove(store)
    }
  }
}
