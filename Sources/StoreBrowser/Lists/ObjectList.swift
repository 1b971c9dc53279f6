import CoreData

/// Which objects a screen lists: all of an entity, or the members of an object's relationship.
@MainActor
struct ObjectList {
  let entity: NSEntityDescription
  let title: String
  /// What the list is called in an address.
  let identifier: String
  /// Nil for all.
  let condition: NSPredicate?

  static func all(_ entity: NSEntityDescription) -> ObjectList {
    ObjectList(
      entity: entity, title: entity.name ?? "", identifier: entity.name ?? "", condition: nil)
  }

  /// Nil for a relationship that leads to no entity.
  static func members(
    of relationship: NSRelationshipDescription, in owner: NSManagedObject
  ) -> ObjectList? {
    guard let entity = relationship.destinationEntity else { return nil }
    return ObjectList(
      entity: entity, title: "\(relationship.name) of \(ObjectTitle.text(of: owner))",
      identifier: relationship.name, condition: condition(relationship, owner))
  }

  /// By the inverse, so that members are found however many there are. Objects are named by their IDs: another queue
  /// has objects of its own.
  private static func condition(
    _ relationship: NSRelationshipDescription, _ owner: NSManagedObject
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
