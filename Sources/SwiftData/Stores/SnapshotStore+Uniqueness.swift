import CoreData

/// A custom store need not know what is unique: it is asked before a save for the models that have the same values, and
/// the merge policy settles what is found, as it does for Core Data's own stores.
extension SnapshotStore {
  /// Throws what has the context find the models that share values which should be unique.
  func checkUniqueness(_ changes: ChangedModels, _ context: NSManagedObjectContext?) throws {
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
      if keys.count < holders.count { throw violation(entity, names) }
      if keys.isEmpty { continue }
      for id in try candidates(entity, names, holders.map(\.0), context)
      where !known.contains(id) {
        let values = try values(of: id, context)
        if let key = Self.key(names.map { Self.value($0, in: values) }), keys.contains(key) {
          throw violation(entity, names)
        }
      }
    }
  }

  /// The constraints of the objects' classes, and of those that these inherit from.
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

  /// What may have the same values: asked for by the first of the properties that a predicate can name.
  private func candidates(
    _ entity: NSEntityDescription, _ names: [String], _ objects: [ManagedModelObject],
    _ context: NSManagedObjectContext?
  ) throws -> [NSManagedObjectID] {
    guard let type = modelType(of: entity) else { return [] }
    let question = names.lazy.compactMap(type.property(named:))
      .compactMap { StoreQuestion.sharing($0, with: objects, type.type) }.first
    let answer = try (question ?? .everything(of: type.type)).fetch(
      StoreQuestion.Limits(limit: 0, offset: 0), access, editingState(of: context))
    return try note(answer.result, entity, isFetch: false)
  }

  private static func has(_ name: String, changedIn object: NSManagedObject) -> Bool {
    object.changedValues()[name.split(separator: ".").first.map(String.init) ?? name] != nil
  }

  /// Of a property, or of an element of a composite attribute, `size.width`.
  private static func value(_ path: String, in values: [String: Any]) -> Any? {
    path.split(separator: ".").reduce(values as Any?) { found, name in
      (found as? [String: Any])?[String(name)]
    }
  }

  /// nil where a value is nil, which is no value that could be there twice.
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

  private func violation(_ entity: NSEntityDescription, _ names: [String]) -> ConstraintViolation {
    ConstraintViolation(
      NSError(
        domain: NSCocoaErrorDomain, code: NSManagedObjectConstraintMergeError,
        userInfo: [
          NSLocalizedDescriptionKey:
            "Two models \(entity.name ?? "") have the same \(names.joined(separator: ", ")), which is to be unique"
        ]))
  }
}
