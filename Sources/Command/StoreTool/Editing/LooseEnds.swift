import CoreData

/// References to deleted objects that no delete rule reaches.
///
/// Delete rules follow the deleted object's own relationships. In files of Apple's applications a
/// one-to-one relationship may be stored at one end alone, and a relationship may have no inverse:
/// what leads to the object would lead to nothing.
enum LooseEnds {
  private static let page = 500

  /// Empties to-one relationships that lead to objects which the context is going to delete.
  static func cut(in context: NSManagedObjectContext, of model: NSManagedObjectModel) throws {
    let deleted = Dictionary(grouping: context.deletedObjects, by: \.entity)
    for (entity, objects) in deleted {
      for (owner, relationship) in relationships(to: entity, in: model) {
        for start in stride(from: 0, to: objects.count, by: page) {
          let some = Array(objects[start..<min(start + page, objects.count)])
          try cut(relationship, of: owner, to: some, in: context)
        }
      }
    }
  }

  /// The to-one relationships, with the entities that declare them, whose other end is stored apart
  /// or not at all.
  private static func relationships(
    to entity: NSEntityDescription, in model: NSManagedObjectModel
  ) -> [(NSEntityDescription, NSRelationshipDescription)] {
    model.entities.flatMap { owner in
      owner.relationshipsByName.values.compactMap { relationship in
        guard !relationship.isTransient, !relationship.isToMany,
          relationship.inverseRelationship?.isToMany != true,
          owner.superentity?.relationshipsByName[relationship.name] == nil,
          let destination = relationship.destinationEntity, entity.isKindOf(entity: destination)
        else { return nil }
        return (owner, relationship)
      }
    }
  }

  private static func cut(
    _ relationship: NSRelationshipDescription, of owner: NSEntityDescription,
    to objects: [NSManagedObject], in context: NSManagedObjectContext
  ) throws {
    let request = NSFetchRequest<NSManagedObject>()
    request.entity = owner
    request.predicate = NSPredicate(format: "%K IN %@", relationship.name, objects)
    for found in try context.fetch(request) where !found.isDeleted {
      let value = found.value(forKey: relationship.name) as? NSManagedObject
      if value?.isDeleted == true { found.setValue(nil, forKey: relationship.name) }
    }
  }
}
