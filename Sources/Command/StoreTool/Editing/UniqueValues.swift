import CoreData

/// Finds duplicates of unique values before a save. A save would find them too, but only after
/// opening the file for writing.
struct UniqueValues {
  /// The maximum number of objects to check. More are left to the save.
  private static let most = 1000
  let context: NSManagedObjectContext

  /// Throws an error with the status 65 for a duplicate.
  func check() throws {
    let objects = context.insertedObjects.union(context.updatedObjects)
    guard objects.count <= Self.most else { return }
    for object in objects {
      for names in object.entity.allUniquenessConstraints where try isTaken(names, object: object) {
        throw ToolError(
          .badData,
          description:
            "Nothing was saved: another object has the same value of \(names.joined(separator: " and ")), which must be "
            + "unique.")
      }
    }
  }

  private func isTaken(_ names: [String], object: NSManagedObject) throws -> Bool {
    let values = names.compactMap { name in
      object.value(forKeyPath: name).map { (name: name, value: $0) }
    }
    // Nil does not equal nil.
    guard let entity = owner(of: names, object.entity), values.count == names.count else {
      return false
    }
    return try context.objects(of: entity, with: values, limit: 2).contains {
      $0 !== object && !$0.isDeleted
    }
  }

  /// The entity that declares the constraint, which applies to all of its subentities.
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
