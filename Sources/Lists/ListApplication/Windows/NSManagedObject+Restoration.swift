import CoreData

// Identifiers of objects in paths of windows: their numbers in the store, such as p12.
extension NSManagedObject {
  /// The identifier; nil for an object that is not saved yet.
  package var restorationIdentifier: String? {
    objectID.isTemporaryID ? nil : objectID.uriRepresentation().lastPathComponent
  }
}

extension NSManagedObjectContext {
  /// The object of an entity with an identifier; nil if there is none.
  package func object<Object: NSManagedObject>(
    withRestorationIdentifier identifier: Substring, entity: String,
    as type: Object.Type = Object.self
  ) -> Object? {
    guard identifier.wholeMatch(of: /p[0-9]{1,18}/) != nil,
      let store = persistentStoreCoordinator?.persistentStores.first?.identifier,
      let url = URL(string: "x-coredata://\(store)/\(entity)/\(identifier)"),
      let id = persistentStoreCoordinator?.managedObjectID(forURIRepresentation: url)
    else { return nil }
    // nil if the object was deleted.
    return try? existingObject(with: id) as? Object
  }
}
