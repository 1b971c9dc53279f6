import CoreData

/// What a save does where a new model has the unique values of a stored one: the stored row takes the new model's
/// attributes, those that are nil too, and the relationships that the new model sets; those that it leaves empty stay.
/// Then the new model is one of that row, with its identifier.
///
/// Everything else is as by `mergeByPropertyObjectTrump`.
///
/// Source: developer.apple.com/documentation/swiftdata/schema/attribute/option/unique; the rule for relationships,
/// which Apple does not state, is ours.
final class UpsertPolicy: NSMergePolicy, @unchecked Sendable {
  static let shared = UpsertPolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)

  override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
    let upserts = list.flatMap(Self.upserts)
    for (new, stored) in upserts {
      for property in new.modelType.properties where !property.isRelationship {
        if new.value(forKey: property.name) == nil {
          stored.setValue(nil, forKey: property.name)
        }
      }
    }
    try super.resolve(constraintConflicts: list)
    for (new, stored) in upserts {
      guard let model = new.presentFace else { continue }
      let isKnown = stored.hasFace
      stored.becomeBacking(of: model)
      if !isKnown { stored.adopt(model) }
    }
  }

  /// The new objects that lose against a stored row of their own class.
  private static func upserts(
    _ conflict: NSConstraintConflict
  ) -> [(new: ManagedModelObject, stored: ManagedModelObject)] {
    guard let stored = conflict.databaseObject as? ManagedModelObject, !stored.isDeleted else {
      return []
    }
    return conflict.conflictingObjects.compactMap { object in
      guard let new = object as? ManagedModelObject, new.isInserted,
        new.modelType === stored.modelType
      else { return nil }
      return (new, stored)
    }
  }
}
