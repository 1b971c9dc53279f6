import CoreData

/// Checks the objects of a store that is not a SQLite file against the model: values that
/// validation refuses, relationships to objects that do not exist, and inverse to-one relationships
/// that disagree.
///
/// Reads objects in pages, and the object IDs of all.
struct ObjectCheck {
  private static let size = 1000
  let store: OpenedStore

  func findings() throws -> [Finding] {
    let entities = ObjectPages(store: store).entities
    let bar = ProgressBar("Checking", total: entities.count)
    defer { bar.end() }
    return try store.withContext { context in
      let known = Set(try entities.flatMap { try identities(of: $0, context) })
      var found = Found()
      for entity in entities {
        try checkReferences(of: entity, known, in: context, found: &found)
        try checkValues(of: entity, context, found: &found)
        bar.advance()
      }
      return found.findings
    }
  }

  // MARK: - Recording

  private struct Found {
    private var keys:
      [String: (rule: Finding.Rule, place: String, problem: String, keys: [Int64])] =
        [:]

    mutating func note(
      _ rule: Finding.Rule, place: String, problem: String, object: NSManagedObjectID
    ) {
      let key = Int64(CellText.name(of: object).split(separator: "/p").last ?? "") ?? 0
      keys["\(place) \(problem)", default: (rule, place, problem, [])].keys.append(key)
    }

    var findings: [Finding] {
      keys.sorted { $0.key < $1.key }.map { _, found in
        Finding(
          rule: found.rule, place: found.place, problem: found.problem, rows: found.keys.count,
          examples: Array(found.keys.sorted().prefix(5)), repair: nil)
      }
    }
  }

  // MARK: - Checking

  private func identities(
    of entity: NSEntityDescription, _ context: NSManagedObjectContext
  ) throws -> [NSManagedObjectID] {
    let request = NSFetchRequest<NSManagedObjectID>()
    request.entity = entity
    request.includesSubentities = false
    request.resultType = .managedObjectIDResultType
    return try context.fetch(request)
  }

  /// Checks to-one relationships. Members of to-many relationships are covered by to-one inverses;
  /// those of many-to-many relationships are stored with both objects.
  private func checkReferences(
    of entity: NSEntityDescription, _ known: Set<NSManagedObjectID>,
    in context: NSManagedObjectContext, found: inout Found
  ) throws {
    for relationship in entity.relationshipsByName.values
    where !relationship.isToMany && !relationship.isTransient {
      let place = "\(entity.name ?? "").\(relationship.name)"
      let targets = try targets(of: relationship, entity, in: context)
      for (object, target) in targets where !known.contains(target) {
        found.note(
          .references, place: place, problem: "leads to objects that are not there", object: object)
      }
      guard let inverse = relationship.storedInverse, !inverse.isToMany,
        let destination = relationship.destinationEntity
      else { continue }
      let back = Dictionary(
        try self.targets(of: inverse, destination, in: context, includesSubentities: true),
        uniquingKeysWith: { first, _ in first })
      for (object, target) in targets where known.contains(target) && back[target] != object {
        found.note(
          .inverses, place: place, problem: "leads to objects whose “\(inverse.name)” is another",
          object: object)
      }
    }
  }

  private func targets(
    of relationship: NSRelationshipDescription, _ entity: NSEntityDescription,
    in context: NSManagedObjectContext, includesSubentities: Bool = false
  ) throws -> [(NSManagedObjectID, NSManagedObjectID)] {
    let request = NSFetchRequest<NSDictionary>()
    request.entity = entity
    request.includesSubentities = includesSubentities
    request.resultType = .dictionaryResultType
    let identity = NSExpressionDescription()
    identity.name = "identity"
    identity.expression = NSExpression.expressionForEvaluatedObject()
    identity.expressionResultType = .objectIDAttributeType
    request.propertiesToFetch = [identity, relationship.name]
    return try context.fetch(request).compactMap { row in
      guard let object = row["identity"] as? NSManagedObjectID,
        let target = row[relationship.name] as? NSManagedObjectID
      else { return nil }
      return (object, target)
    }
  }

  private func checkValues(
    of entity: NSEntityDescription, _ context: NSManagedObjectContext, found: inout Found
  ) throws {
    let all = try identities(of: entity, context)
    for start in stride(from: 0, to: all.count, by: Self.size) {
      let request = NSFetchRequest<NSManagedObject>()
      request.entity = entity
      request.includesSubentities = false
      request.predicate = NSPredicate(
        format: "self IN %@", Array(all[start..<min(start + Self.size, all.count)]))
      for object in try context.fetch(request) {
        do { try object.validateForUpdate() } catch {
          note(error as NSError, object: object, found: &found)
        }
      }
      context.reset()
    }
  }

  private func note(_ error: NSError, object: NSManagedObject, found: inout Found) {
    if let errors = error.userInfo[NSDetailedErrorsKey] as? [NSError], !errors.isEmpty {
      for error in errors { note(error, object: object, found: &found) }
      return
    }
    let property = error.userInfo[NSValidationKeyErrorKey] as? String
    let name = object.entity.name ?? ""
    found.note(
      .values, place: property.map { "\(name).\($0)" } ?? name,
      problem: "values that validation refuses (\(error.code))", object: object.objectID)
  }
}
