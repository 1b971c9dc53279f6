import CoreData

/// Notes with a unique code and a photo that may be a file, and counters.
enum WriterModel {
  static func make() -> NSManagedObjectModel {
    let note = NSEntityDescription()
    note.name = "Note"
    let code = attribute("code", .stringAttributeType)
    code.preservesValueInHistoryOnDeletion = true
    let photo = attribute("photo", .binaryDataAttributeType)
    photo.allowsExternalBinaryDataStorage = true
    note.properties = [
      code, attribute("text", .stringAttributeType), attribute("writer", .stringAttributeType),
      photo,
    ]
    note.uniquenessConstraints = [["code"]]
    let counter = NSEntityDescription()
    counter.name = "Counter"
    counter.properties = ["number", "first", "second", "shared"].map {
      let attribute = attribute($0, .integer64AttributeType)
      attribute.defaultValue = 0
      return attribute
    }
    let model = NSManagedObjectModel()
    model.entities = [note, counter]
    return model
  }

  private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    return attribute
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
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    context.transactionAuthor = author
    return context
  }
}

extension NSManagedObjectContext {
  func insert(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
    for (key, value) in values { object.setValue(value, forKey: key) }
    return object
  }

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
