import CoreData
import CoreDataSupport

/// Notes with a unique code and a photo that may be a file, and counters.
enum WriterModel {
  static func make() -> NSManagedObjectModel {
    let note = NSEntityDescription()
    note.name = "Note"
    let code = ModelPart.attribute("code")
    code.preservesValueInHistoryOnDeletion = true
    let photo = ModelPart.attribute("photo", .binaryDataAttributeType)
    photo.allowsExternalBinaryDataStorage = true
    note.properties = [
      code, ModelPart.attribute("text"), ModelPart.attribute("writer"),
      photo,
    ]
    note.uniquenessConstraints = [["code"]]
    let counter = NSEntityDescription()
    counter.name = "Counter"
    counter.properties = ["number", "first", "second", "shared"].map {
      ModelPart.attribute($0, .integer64AttributeType, default: 0)
    }
    return ModelPart.model([note, counter])
  }

  /// With a history, and told of changes.
  static func coordinator(
    _ store: URL, type: NSPersistentStore.StoreType = .sqlite,
    _ options: [AnyHashable: Any] = [:]
  ) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: make())
    try coordinator.addPersistentStore(
      type: type, at: store,
      options: options.merging([
        NSPersistentHistoryTrackingKey: true,
        NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
      ]) { own, _ in own })
    return coordinator
  }

  static func context(
    _ coordinator: NSPersistentStoreCoordinator, author: String
  ) -> NSManagedObjectContext {
    let context = coordinator.makeContext()
    context.transactionAuthor = author
    return context
  }
}

extension NSManagedObjectContext {
  func all(
    _ entity: String, sortedBy key: String, _ predicate: NSPredicate? = nil
  ) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = predicate
    request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
    return try fetch(request)
  }

  func note(_ code: String) throws -> NSManagedObject? {
    try all("Note", sortedBy: "code", NSPredicate(format: "code == %@", code)).first
  }
}
