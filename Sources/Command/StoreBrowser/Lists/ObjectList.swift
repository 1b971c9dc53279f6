import CoreData

/// The objects that a screen lists: all of an entity, or the members of an object's relationship.
@MainActor
struct ObjectList {
  let entity: NSEntityDescription
  let title: String
  /// The list's identifier in an address.
  let identifier: String
  /// The condition of membership; nil for all objects of the entity.
  let condition: NSPredicate?

  static func all(_ entity: NSEntityDescription) -> ObjectList {
    ObjectList(
      entity: entity, title: entity.name ?? "", identifier: entity.name ?? "", condition: nil)
  }

  /// The members of a to-many relationship; nil for a relationship without a destination entity.
  static func members(
    of relationship: NSRelationshipDescription, in owner: NSManagedObject
  ) -> ObjectList? {
    guard let entity = relationship.destinationEntity else { return nil }
    return ObjectList(
      entity: entity, title: "\(relationship.name) of \(ObjectTitle.text(of: owner))",
      identifier: relationship.name, condition: condition(relationship, owner: owner))
  }

  /// The condition for members, by the inverse relationship, so that their number does not matter.
  /// It contains object IDs instead of objects: the fetch may run in a context on another queue.
  private static func condition(
    _ relationship: NSRelationshipDescription, owner: NSManagedObject
  ) -> NSPredicate {
    guard let inverse = relationship.storedInverse else {
      let members = owner.mutableSetValue(forKey: relationship.name).allObjects
      return NSPredicate(
        format: "SELF IN %@", members.compactMap { ($0 as? NSManagedObject)?.objectID })
    }
    return NSPredicate(
      format: inverse.isToMany ? "ANY %K == %@" : "%K == %@", inverse.name, owner.objectID)
  }

  func request(
    where found: NSPredicate? = nil, sortedBy order: [NSSortDescriptor] = []
  ) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>()
    request.entity = entity
    let conditions = [condition, found].compactMap { $0 }
    request.predicate =
      conditions.isEmpty ? nil : NSCompoundPredicate(andPredicateWithSubpredicates: conditions)
    request.sortDescriptors = order
    return request
  }
}
