import CoreData

/// Inserts objects into a store that ``Export`` or another program has written: one validated save,
/// after a backup.
///
/// Every object is inserted as a new one. With `merges`, an object whose unique values exist in the
/// store changes the existing object.
package enum Import {
  package static func run(
    _ source: URL, into store: OpenedStore, merges: Bool = false, isDryRun: Bool = false,
    makesBackup: Bool = true
  ) throws -> EditReport {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: source.path, isDirectory: &isFolder) else {
      throw ToolError(.noInput, description: "There is nothing at \(source.path).")
    }
    let reader = ObjectReader(store: store)
    let objects = isFolder.boolValue ? try reader.folder(source) : try reader.lines(source)
    return try insert(
      objects, into: store, merges: merges, isDryRun: isDryRun, makesBackup: makesBackup,
      title: "import \(source.lastPathComponent)")
  }

  /// Inserts all objects of another store, merging those with equal unique values.
  package static func merge(
    _ source: OpenedStore, into store: OpenedStore, isDryRun: Bool = false, makesBackup: Bool = true
  ) throws -> EditReport {
    var objects: [ExchangedObject] = []
    let pages = ObjectPages(store: source)
    for entity in pages.entities { try pages.forEach(of: entity) { objects.append($0) } }
    return try insert(
      objects, into: store, merges: true, isDryRun: isDryRun, makesBackup: makesBackup,
      title: "merge \(source.url.lastPathComponent)")
  }

  private static func insert(
    _ objects: [ExchangedObject], into store: OpenedStore, merges: Bool, isDryRun: Bool,
    makesBackup: Bool,
    title: String
  ) throws -> EditReport {
    try store.withContext { context in
      if merges { context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump }
      var made: [String: NSManagedObject] = [:]
      var known = KnownObjects(context: context)
      // In the order of `objects`; those without an id are known by their place alone.
      var all: [NSManagedObject] = []
      let objects = try objects.map { try $0.sorted(by: store.entity(named: $0.entity)) }
      for object in objects {
        let entity = try store.entity(named: object.entity)
        guard !entity.isAbstract else {
          throw ToolError(.badData, description: "\(object.id): \(object.entity) is abstract.")
        }
        var new = NSManagedObject(entity: entity, insertInto: context)
        try apply(object, to: new, store: store)
        if merges, let known = known.object(like: new, object) {
          context.delete(new)
          new = known
          try apply(object, to: new, store: store)
        }
        guard object.id.isEmpty || made.updateValue(new, forKey: object.id) == nil else {
          throw ToolError(.badData, description: "The id \(object.id) is there twice.")
        }
        all.append(new)
      }
      for (object, new) in zip(objects, all) {
        try relate(object, new: new, made: made, merges: merges)
      }
      context.processPendingChanges()
      return try Saving.save(
        context, of: store, as: title, isDryRun: isDryRun, makesBackup: makesBackup,
        resolvesConflicts: merges)
    }
  }

  /// Sets what the object names, and nothing else.
  private static func apply(
    _ object: ExchangedObject, to target: NSManagedObject, store: OpenedStore
  ) throws {
    for (key, text) in object.attributes {
      try Assignment(setting: key, to: text).apply(to: target, in: store)
    }
    // Relationships of a new object are empty anyway.
    for key in object.cleared ?? []
    where target.entity.attributesByName[key]?.defaultValue != nil || !target.isInserted {
      guard target.entity.attributesByName[key] != nil else { continue }
      try Assignment(clearing: key).apply(to: target, in: store)
    }
  }

  /// - Parameter merges: whether an object of the store keeps the members that it has.
  private static func relate(
    _ object: ExchangedObject, new: NSManagedObject, made: [String: NSManagedObject],
    merges: Bool
  ) throws {
    for (key, names) in object.relationships {
      guard let relationship = new.entity.relationshipsByName[key] else {
        throw ToolError(
          .badData, description: "\(object.id): \(object.entity) has no relationship “\(key)”.")
      }
      let members = try names.map { name in
        guard let member = made[name] else {
          throw ToolError(
            .badData,
            description: "\(object.id): “\(key)” leads to \(name), which is not among the objects.")
        }
        guard let target = relationship.destinationEntity, member.entity.isKindOf(entity: target)
        else {
          throw ToolError(.badData, description: "\(object.id): \(name) cannot be in “\(key)”.")
        }
        return member
      }
      if !relationship.isToMany {
        guard members.count <= 1 else {
          throw ToolError(.badData, description: "\(object.id): “\(key)” leads to one object.")
        }
        new.setValue(members.first, forKey: key)
      } else if merges, !new.isInserted {
        for member in members where !new.mutableSetValue(forKey: key).contains(member) {
          if relationship.isOrdered {
            new.mutableOrderedSetValue(forKey: key).add(member)
          } else {
            new.mutableSetValue(forKey: key).add(member)
          }
        }
      } else if relationship.isOrdered {
        new.setValue(NSOrderedSet(array: members), forKey: key)
      } else if relationship.storedInverse?.isOrdered != true
        || relationship.storedInverse?.isToMany == false
      {
        new.setValue(NSSet(array: members), forKey: key)
      }
    }
  }
}

extension ExchangedObject {
  /// Separates references from attribute values by the entity's properties: CSV does not
  /// distinguish them.
  fileprivate func sorted(by entity: NSEntityDescription) -> ExchangedObject {
    var sorted = self
    for (key, text) in attributes where entity.relationshipsByName[key] != nil {
      sorted.attributes[key] = nil
      sorted.relationships[key] = text.split(separator: " ").map(String.init)
    }
    return sorted
  }
}

/// Objects with the unique values of one that is imported: in the store, or imported before it.
private struct KnownObjects {
  let context: NSManagedObjectContext
  private var imported: [Key: NSManagedObject] = [:]

  private struct Key: Hashable {
    let entity: String
    let names: [String]
    /// Values as they are printed: Foundation's decimals cannot be hashed.
    let texts: [String]
  }

  init(context: NSManagedObjectContext) { self.context = context }

  /// The object that has the same values in one of the entity's uniqueness constraints, as far as
  /// the imported object names them all. A store that cannot be read says so at the save.
  mutating func object(like new: NSManagedObject, _ object: ExchangedObject) -> NSManagedObject? {
    var keys: [Key] = []
    var found: NSManagedObject?
    for (owner, constraint) in Self.constraints(of: new.entity) {
      let values = constraint.compactMap { name in
        object.attributes[name] == nil ? nil : new.value(forKey: name)
      }
      guard values.count == constraint.count, let entity = owner.name else { continue }
      let texts = values.map { CellText.text(of: $0) }
      let key = Key(entity: entity, names: constraint, texts: texts)
      keys.append(key)
      found = found ?? imported[key] ?? stored(key, values: values)
    }
    guard let found, found.entity.isKindOf(entity: new.entity) else {
      for key in keys { imported[key] = new }
      return nil
    }
    for key in keys { imported[key] = found }
    return found
  }

  private func stored(_ key: Key, values: [Any]) -> NSManagedObject? {
    let model = context.persistentStoreCoordinator?.managedObjectModel
    guard let entity = model?.entitiesByName[key.entity] else { return nil }
    return try? context.objects(
      of: entity, with: zip(key.names, values).map { (name: $0, value: $1) }, limit: 1,
      includesPendingChanges: false
    ).first
  }

  /// The constraints of an entity and its superentities, each with the entity that has it.
  private static func constraints(
    of entity: NSEntityDescription
  ) -> [(NSEntityDescription, [String])] {
    var found: [(NSEntityDescription, [String])] = []
    var next: NSEntityDescription? = entity
    while let current = next {
      for constraint in current.uniquenessConstraints {
        let names = constraint.compactMap {
          ($0 as? String) ?? ($0 as? NSAttributeDescription)?.name
        }
        found.append((current, names))
      }
      next = current.superentity
    }
    return found
  }
}
