import CoreData

/// Finds values that must be unique and are there twice, before a save does: a save that is refused has opened the file
/// for writing already.
struct UniqueValues {
  /// More are left to the save, which finds the same.
  private static let most = 1000
  let context: NSManagedObjectContext

  /// Throws the error that a save would.
  func check() throws {
    let objects = context.insertedObjects.union(context.updatedObjects)
    guard objects.count <= Self.most else { return }
    for object in objects {
      for names in object.entity.allUniquenessConstraints where try isTaken(names, object) {
        throw ToolError(
          .badData,
          "Nothing was saved: another object has the same value of \(names.joined(separator: " and ")), which must be "
            + "unique.")
      }
    }
  }

  private func isTaken(_ names: [String], _ object: NSManagedObject) throws -> Bool {
    let values = names.map { object.value(forKeyPath: $0) }
    // Nil is equal to nothing.
    guard let entity = owner(of: names, object.entity), !values.contains(where: { $0 == nil })
    else {
      return false
    }
    let request = NSFetchRequest<NSManagedObject>()
    request.entity = entity
    request.predicate = NSCompoundPredicate(
      andPredicateWithSubpredicates: zip(names, values).map {
        NSPredicate(format: "%K == %@", $0, $1)
      })
    request.fetchLimit = 2
    return try context.fetch(request).contains { $0 !== object && !$0.isDeleted }
  }

  /// The entity that has the constraint: it holds for all of its subentities.
  private func owner(of names: [String], _ entity: NSEntityDescription) -> NSEntityDescription? {
    entity.ownConstraints.contains(names)
      ? entity : entity.superentity.flatMap { owner(of: names, $0) }
  }
}

extension NSEntityDescription {
  fileprivate var ownConstraints: [[String]] {
    uniquenessConstraints.map {
      $0.compactMap { ($0 as? NSAttributeDescription)?.name ?? $0 as? String }
    }
  }

  fileprivate var allUniquenessConstraints: [[String]] {
    ownConstraints + (superentity?.allUniquenessConstraints ?? [])
  }
}
