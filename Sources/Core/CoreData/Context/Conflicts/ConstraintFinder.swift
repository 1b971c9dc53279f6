import Predicates

/// Finds the objects that violate uniqueness constraints, after the store has refused a save for
/// that reason. Used on the context's queue.
///
/// Runs one query for each constraint of the changed objects.
struct ConstraintFinder {
  let context: NSManagedObjectContext

  private typealias Key = UniqueKey

  func conflicts() throws -> [NSConstraintConflict] {
    let changed = context.inserted.objects + context.updated.objects
    var constraints: [(entity: NSEntityDescription, names: [String])] = []
    for entity in changed.map(\.entity) {
      for declaring in entity.lineage {
        for names in declaring.uniquenessConstraintNames
        where !constraints.contains(where: { $0.entity === declaring && $0.names == names }) {
          constraints.append((declaring, names))
        }
      }
    }
    return try constraints.flatMap { try conflicts(changed, entity: $0.entity, names: $0.names) }
  }

  private func conflicts(
    _ changed: [NSManagedObject], entity: NSEntityDescription, names: [String]
  ) throws -> [NSConstraintConflict] {
    let slots = names.compactMap { entity.layout.slot(of: $0) }
    var groups: [Key: [NSManagedObject]] = [:]
    var order: [Key] = []
    for object in changed where object.entity.isKindOf(entity: entity) {
      guard let key = UniqueKey(object.readableRow, slots: slots) else { continue }
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append(object)
    }
    let stored = try storedObjects(entity, name: names[0], slots: slots, groups: groups)
    return order.compactMap { key in
      let objects = groups[key] ?? []
      let database = stored[key]
      guard database != nil || objects.count > 1 else { return nil }
      return NSConstraintConflict(constraint: names, database: database, conflicting: objects)
    }
  }

  /// The stored objects with the same values that the context neither changes nor deletes.
  private func storedObjects(
    _ entity: NSEntityDescription, name: String, slots: [Int],
    groups: [Key: [NSManagedObject]]
  ) throws -> [Key: NSManagedObject] {
    var plan = FetchPlan(layout: entity.layout)
    let values = groups.values.compactMap { $0.first?.value(forKey: name) }
    plan.predicate = NSComparisonPredicate(
      leftExpression: NSExpression(forKeyPath: name),
      rightExpression: NSExpression(forConstantValue: values), modifier: .direct, type: .in,
      options: [])
    var found: [Key: NSManagedObject] = [:]
    for row in try context.rootCoordinator?.rows(plan) ?? [] {
      guard let key = UniqueKey(row, slots: slots), groups[key] != nil else { continue }
      let object = context.object(for: row)
      guard object.lifecycle.isPresent, !(groups[key] ?? []).contains(object) else { continue }
      object.fireFault()
      guard UniqueKey(object.readableRow, slots: slots) == key else { continue }
      found[key] = object
    }
    return found
  }
}

extension NSEntityDescription {
  /// The entity and all entities that it inherits from.
  fileprivate var lineage: [NSEntityDescription] { [self] + (superentity?.lineage ?? []) }
}
