extension NSEntityDescription {
  /// The entity with this name in the context's model; nil if there is none. Traps for a context
  /// without a coordinator.
  public class func entity(
    forEntityName entityName: String, in context: NSManagedObjectContext
  ) -> NSEntityDescription? {
    guard let model = context.rootCoordinator?.managedObjectModel else {
      fatalError(
        "+entityForName: nil is not a legal NSPersistentStoreCoordinator for searching for entity "
          + "name '\(entityName)'")
    }
    return model.entitiesByName[entityName]
  }

  /// Makes an object of the entity with this name and inserts it into the context. Traps if there
  /// is no such entity.
  public class func insertNewObject(
    forEntityName entityName: String, into context: NSManagedObjectContext
  ) -> NSManagedObject {
    guard let entity = entity(forEntityName: entityName, in: context) else {
      fatalError(
        "+entityForName: could not locate an entity named '\(entityName)' in this model.")
    }
    return entity.layout.objectClass.make(entity, in: context)
  }
}
