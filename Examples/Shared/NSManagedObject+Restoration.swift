import CoreData

// An object in an address: its number in the store, such as p12.
extension NSManagedObject {
  /// Nil for an object that is not saved yet.
  package var restorationIdentifier: String? {
    objectID.isTemporaryID ? nil : objectID.uriRepresentation().lastPathComponent
  }
}

extension NSManagedObjectContext {
  /// The object of an entity with this identifier; nil when there is none, or no longer.
  package func object<Object: NSManagedObject>(
    withRestorationIdentifier identifier: Substring, entity: String,
    as type: Object.Type = Object.self
  ) -> Object? {
    guard identifier.wholeMatch(of: /p[0-9]{1,18}/) != nil,
      let store = persistentStoreCoordinator?.persistentStores.first?.identifier,
      let url = URL(string: "x-coredata://\(store)/\(entity)/\(identifier)"),
      let id = persistentStoreCoordinator?.managedObjectID(forURIRepresentation: url)
    else { return nil }
    // An object that is gone is none.
    return try? existingObject(with: id) as? Object
  }
}
