import Foundation

/// One side of a migration: a context on a store of one version of the model, whose objects are plain
/// `NSManagedObject`s.
final class MigrationStack {
  let coordinator: NSPersistentStoreCoordinator
  let context: NSManagedObjectContext

  init(model: NSManagedObjectModel) {
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.plain(model))
    // Whoever migrates uses it, on whatever thread that is.
    context = NSManagedObjectContext()
    context.persistentStoreCoordinator = coordinator
    context.undoManager = nil
  }

  /// The same model without the classes of the program.
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
      // A store that its own coordinator has is always removed.
      try? coordinator.remove(store)
    }
  }
}
