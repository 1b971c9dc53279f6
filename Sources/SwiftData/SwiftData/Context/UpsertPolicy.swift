import CoreData

/// Merge policy for uniqueness conflicts: a save in which a new model has the unique values of a
/// stored model, or of another new one, updates the stored row, as `mergeByPropertyObjectTrump`
/// does. The row gets all attributes of the new model, nil ones too, and the relationships that the
/// new model sets; relationships that it leaves empty stay. Of several new models the last wins.
///
/// Afterwards all of these models are faces of that row, with its identifier.
///
/// Source: developer.apple.com/documentation/swiftdata/schema/attribute/option/unique; the rule for
/// relationships, which Apple does not document, is our own.
///
/// Sendable: it has no state but its superclass's constant type.
final class UpsertPolicy: NSMergePolicy, @unchecked Sendable {
  static let shared = UpsertPolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)

  override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
    let new = list.map { $0.conflictingObjects.compactMap(Self.newObject) }
    try super.resolve(constraintConflicts: list)
    var successors: [ObjectIdentifier: ManagedModelObject] = [:]
    for (conflict, objects) in zip(list, new) {
      guard let survivor = conflict.survivor as? ManagedModelObject else { continue }
      for object in objects where object !== survivor && object.modelType === survivor.modelType {
        successors[ObjectIdentifier(object)] = survivor
      }
    }
    for object in new.joined() {
      guard var survivor = successors[ObjectIdentifier(object)] else { continue }
      while let next = successors[ObjectIdentifier(survivor)] { survivor = next }
      Self.join(object, survivor: survivor)
    }
  }

  private static func newObject(_ object: NSManagedObject) -> ManagedModelObject? {
    (object as? ManagedModelObject).flatMap { $0.isInserted ? $0 : nil }
  }

  private static func join(_ object: ManagedModelObject, survivor: ManagedModelObject) {
    guard let model = object.presentFace else { return }
    let isKnown = survivor.hasFace
    survivor.becomeBacking(of: model)
    if !isKnown { survivor.adopt(model) }
  }
}
