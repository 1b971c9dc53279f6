import CoreData

/// Uniqueness checks for custom stores, which need not enforce constraints. Before a save, the
/// store is asked for models with equal values; the merge policy resolves conflicts as it does for
/// Core Data's own stores.
extension SnapshotStore {
  /// Throws `ConstraintViolation` if models share values that must be unique. The context then
  /// finds these models and resolves the conflict.
  func checkUniqueness(_ changes: ChangedModels, in context: NSManagedObjectContext?) throws {
    let saved = changes.inserted + changes.updated
    let known = Set((saved + changes.deleted).map(\.objectID))
    for (entity, names) in constraints(of: saved) {
      let concerned = saved.filter { object in
        object.entity.isKindOf(entity: entity)
          && (object.isInserted || names.contains { Self.has($0, changedIn: object) })
      }
      let holders = concerned.compactMap { object in
        Self.key(names.map { object.value(forKeyPath: $0) }).map { (object, $0) }
      }
      let keys = Set(holders.map(\.1))
      if keys.count < holders.count { throw violation(entity, names: names) }
      if keys.isEmpty { continue }
      for id in try candidates(entity, names: names, objects: holders.map(\.0), in: context)
      where !known.contains(id) {
        let values = try values(of: id, context)
        if let key = Self.key(names.map { Self.value($0, in: values) }), keys.contains(key) {
          throw violation(entity, names: names)
        }
      }
    }
  }

  /// The constraints of the objects' entities and of all their superentities.
  private func constraints(
    of objects: [ManagedModelObject]
  ) -> [(NSEntityDescription, [String])] {
    var entities: [NSEntityDescription] = []
    for object in objects {
      var next: NSEntityDescription? = object.entity
      while let entity = next, !entities.contains(where: { $0 === entity }) {
        entities.append(entity)
        next = entity.superentity
      }
    }
    return entities.flatMap { entity in
      entity.uniquenessConstraints.map { (entity, $0.compactMap { $0 as? String }) }
    }
  }

  /// The models that may have equal values, fetched by the first property of the constraint that a
  /// predicate can name.
  private func candidates(
    _ entity: NSEntityDescription, names: [String], objects: [ManagedModelObject],
    in context: NSManagedObjectContext?
  ) throws -> [NSManagedObjectID] {
    guard let type = modelType(of: entity) else { return [] }
    let question = names.lazy.compactMap(type.property(named:))
      .compactMap { StoreQuestion.sharing($0, with: objects, type: type.type) }.first
    let answer = try (question ?? .everything(of: type.type)).fetch(
      StoreQuestion.Limits(limit: 0, offset: 0), store: access, state: editingState(of: context))
    return try note(answer.result, entity: entity, isFetch: false)
  }

  private static func has(_ name: String, changedIn object: NSManagedObject) -> Bool {
    object.changedValues()[name.split(separator: ".").first.map(String.init) ?? name] != nil
  }

  /// The value of a property, or of an element of a composite attribute such as `size.width`.
  private static func value(_ path: String, in values: [String: Any]) -> Any? {
    path.split(separator: ".").reduce(values as Any?) { found, name in
      (found as? [String: Any])?[String(name)]
    }
  }

  /// The key of a constraint; nil if a value is nil, since nil never violates a constraint.
  private static func key(_ values: [Any?]) -> [AnyHashable]? {
    var key: [AnyHashable] = []
    for value in values {
      guard let value else { return nil }
      switch value {
      case let object as NSManagedObject: key.append(object.objectID)
      case let value as AnyHashable where !(value is NSNull): key.append(value)
      default: return nil
      }
    }
    return key
  }

  private func violation(_ entity: NSEntityDescription, names: [String]) -> ConstraintViolation {
    ConstraintViolation(
      NSError(
        domain: NSCocoaErrorDomain, code: NSManagedObjectConstraintMergeError,
        userInfo: [
          NSLocalizedDescriptionKey:
            "Two models \(entity.name ?? "") have the same \(names.joined(separator: ", ")), which is to be unique"
        ]))
  }
}
