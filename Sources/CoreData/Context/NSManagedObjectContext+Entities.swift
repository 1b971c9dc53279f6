extension NSEntityDescription {
  /// The entity of this name in the context's model; nil when it has none.
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

  /// A new object of the entity of this name, inserted into the context.
  public class func insertNewObject(
    forEntityName entityName: String, into context: NSManagedObjectContext
  ) -> NSManagedObject {
    guard let entity = entity(forEntityName: entityName, in: context) else {
      fatalError(
        "+entityForName: could not locate an entity named '\(entityName)' in this model.")
    }
    return entity.layout.objectClass.make(entity, context)
  }
}
