/// Reads related objects together with a fetch: one query per relationship of a key path, two if
/// the relationship is ordered or has a join table, for any number of objects.
///
/// Used on the context's queue.
struct Prefetcher {
  private let context: NSManagedObjectContext
  private var rows: [Row] = []

  init(context: NSManagedObjectContext) { self.context = context }

  /// Prefetches the objects along key paths. Throws error 134060 for a key that is no relationship.
  mutating func prefetch(_ keyPaths: [String], of objects: [NSManagedObject]) throws {
    for keyPath in keyPaths {
      var related = objects
      for key in keyPath.split(separator: ".").map(String.init) where !related.isEmpty {
        related = try self.related(key, of: related)
        rows += related.compactMap(\.snapshot)
      }
    }
    let kept = PrefetchedRows(rows)
    for object in objects { object.prefetched = kept }
  }

  /// The objects that a relationship leads to, with their values read.
  private mutating func related(_ key: String, of objects: [NSManagedObject]) throws
    -> [NSManagedObject]
  {
    let groups = Dictionary(grouping: objects) { ObjectIdentifier($0.layout) }
    var found: [NSManagedObject] = []
    for objects in groups.values {
      let layout = objects[0].layout
      switch layout.place(of: key) {
      case .slot(let slot) where layout.slots[slot].kind == .toOne:
        found += objects.compactMap { $0.destination(slot) }
      case .toMany(let index): found += try members(index, of: objects)
      default:
        throw CoreDataError.make(
          .coreData,
          reason: "Invalid keypath \(key) passed to setRelationshipKeyPathsForPrefetching: "
            + "of the entity \(layout.entity.name ?? "")")
      }
    }
    let unique = Array(Set(found))
    try context.fillFaultsAtOnce(unique)
    return unique
  }

  private mutating func members(_ index: Int, of owners: [NSManagedObject]) throws
    -> [NSManagedObject]
  {
    let relationship = owners[0].layout.toMany[index]
    let faults = owners.filter {
      $0.lifecycle == .live && !$0.packedIdentity.isTemporary && $0.memberStore(index).isFault
    }
    for (owner, members) in try storedMembers(relationship, of: faults) {
      owner.memberStore(index).fill(members)
    }
    return owners.flatMap { $0.memberObjects(index) }
  }

  private mutating func storedMembers(
    _ relationship: NSRelationshipDescription, of owners: [NSManagedObject]
  ) throws -> [(NSManagedObject, [NSManagedObjectID])] {
    guard !owners.isEmpty else { return [] }
    guard !relationship.isOrdered, let inverse = relationship.storedInverse,
      !inverse.isToMany, let members = relationship.destinationEntity?.layout,
      let slot = members.slot(of: inverse)
    else {
      let lists = try context.source?.members(
        of: relationship, owners: owners.map(\.packedIdentity))
      return Array(zip(owners, lists ?? []))
    }
    let found = try rows(of: members, pointingBy: inverse.name, to: owners)
    rows += found
    var byOwner: [PackedIdentity: [NSManagedObjectID]] = [:]
    for row in found {
      guard let owner = row.permanentIdentity(slot) else { continue }
      byOwner[owner, default: []].append(row.identity)
    }
    return owners.map { ($0, byOwner[$0.packedIdentity] ?? []) }
  }

  private func rows(
    of members: EntityLayout, pointingBy inverse: String, to owners: [NSManagedObject]
  ) throws -> [Row] {
    var plan = FetchPlan(layout: members)
    plan.predicate = NSComparisonPredicate(
      leftExpression: NSExpression(forKeyPath: inverse),
      rightExpression: NSExpression(forConstantValue: owners.map(\.objectID)),
      modifier: .direct, type: .in, options: [])
    return try context.source?.rows(plan, stores: nil) ?? []
  }
}

extension NSManagedObjectContext {
  /// Reads the rows of many faults with one query per entity.
  final func fillFaultsAtOnce(_ objects: [NSManagedObject]) throws {
    let empty = objects.filter { $0.isFault && $0.current == nil && !$0.packedIdentity.isTemporary }
    for object in empty { if let row = sharedRow(of: object) { object.adopt(row) } }
    let missing = Dictionary(grouping: empty.filter { $0.current == nil }) {
      ObjectIdentifier($0.layout)
    }
    for objects in missing.values {
      for row in try source?.rows(planForObjects(objects), stores: nil) ?? [] {
        registry.object(row.packed)?.adopt(row)
      }
    }
  }

  private func planForObjects(_ objects: [NSManagedObject]) -> FetchPlan {
    var plan = FetchPlan(layout: objects[0].layout)
    plan.predicate = NSComparisonPredicate(
      leftExpression: NSExpression.expressionForEvaluatedObject(),
      rightExpression: NSExpression(forConstantValue: objects.map(\.objectID)),
      modifier: .direct, type: .in, options: [])
    return plan
  }
}
