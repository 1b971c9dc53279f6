import CoreData

/// Carries out a plan in the context, without saving it.
struct GraphWriter {
  let graph: GraphContext
  let state: ReplicaState
  private(set) var made: [RecordID: NSManagedObject] = [:]

  init(graph: GraphContext, state: ReplicaState) {
    self.graph = graph
    self.state = state
  }

  mutating func write(_ plan: GraphPlan) throws {
    // Before anything is edited: a fetch looks at every edit.
    graph.read(Set(plan.mentioned.compactMap { state[$0]?.object }))
    for id in plan.inserted { try insert(id) }
    let changes = plan.updated.sorted { $0.key < $1.key }
    for (id, change) in changes { setAttributes(of: id, change) }
    for (id, change) in changes { setReferences(of: id, change) }
    for (id, change) in changes { setMembers(of: id, change) }
    for (id, change) in changes { setLists(of: id, change) }
    for id in plan.deleted {
      if let object = object(of: id) { graph.context.delete(object) }
    }
    graph.context.processPendingChanges()
    try check(plan)
    takeBackSideEffects(plan)
  }

  private mutating func insert(_ id: RecordID) throws {
    guard let record = state[id], let entity = state.entity(of: record) else { return }
    let object = NSEntityDescription.insertNewObject(
      forEntityName: entity.description.name ?? "", into: graph.context)
    graph.context.assign(object, to: graph.store)
    made[id] = object
  }

  func object(of id: RecordID) -> NSManagedObject? {
    made[id] ?? state[id]?.object.flatMap { graph.object($0) }
  }

  // MARK: - Properties

  private func setAttributes(of id: RecordID, _ change: DesiredGraph.Object) {
    guard let object = object(of: id), let entity = graph.entity(of: object) else { return }
    for (name, value) in change.attributes.merging(change.totals, uniquingKeysWith: { $1 }) {
      guard let attribute = entity.attributes[name] ?? entity.counters[name] else { continue }
      set(name, of: object, to: AttributeCoding.any(value, for: attribute))
    }
  }

  /// Past setters of the object's class, whose side effects are not the person's.
  private func set(_ name: String, of object: NSManagedObject, to value: Any?) {
    object.willChangeValue(forKey: name)
    object.setPrimitiveValue(value, forKey: name)
    object.didChangeValue(forKey: name)
  }

  private func setReferences(of id: RecordID, _ change: DesiredGraph.Object) {
    guard let object = object(of: id) else { return }
    for (name, target) in change.references.sorted(by: { $0.key < $1.key }) {
      let target = target.flatMap { self.object(of: $0) }
      if object.value(forKey: name) as? NSManagedObject !== target {
        object.setValue(target, forKey: name)
      }
    }
  }

  private func setMembers(of id: RecordID, _ change: DesiredGraph.Object) {
    guard let object = object(of: id) else { return }
    for (name, members) in change.members {
      let members = members.sorted().compactMap { self.object(of: $0) }
      guard Set(members) != Set(graph.objects(of: name, of: object)) else { continue }
      let isOrdered = object.entity.relationshipsByName[name]?.isOrdered ?? false
      object.setValue(
        isOrdered
          ? order(members, like: graph.objects(of: name, of: object)) : NSSet(array: members),
        forKey: name)
    }
  }

  /// Members that were there stay in their places.
  private func order(_ members: [NSManagedObject], like row: [NSManagedObject]) -> NSOrderedSet {
    let wanted = Set(members)
    let kept = row.filter(wanted.contains)
    return NSOrderedSet(array: kept + members.filter { !kept.contains($0) })
  }

  private func setLists(of id: RecordID, _ change: DesiredGraph.Object) {
    guard let object = object(of: id) else { return }
    for (name, row) in change.lists {
      let row = row.compactMap { self.object(of: $0) }
      let shown = graph.objects(of: name, of: object)
      // Who leaves the list with its own reference, or is deleted, is not named here.
      let leaving = shown.filter { !row.contains($0) }
      if row != shown.filter(row.contains) || row.count + leaving.count != shown.count {
        object.setValue(NSOrderedSet(array: row + leaving), forKey: name)
      }
    }
  }

  // MARK: - Checks

  /// That nothing else was inserted or deleted: by the application's classes, or by a delete rule
  /// of what should stay.
  private func check(_ plan: GraphPlan) throws {
    let extra = graph.context.insertedObjects.subtracting(made.values)
    for object in extra { graph.context.delete(object) }
    if !extra.isEmpty { graph.context.processPendingChanges() }
    let planned = Set(plan.deleted.compactMap { object(of: $0) })
    let wrong = graph.context.deletedObjects.subtracting(planned).subtracting(extra)
    guard wrong.isEmpty else {
      throw SyncError.unplannedDeletion(wrong.map { $0.entity.name ?? "" }.sorted())
    }
  }

  /// Attributes that the application's classes have set, as in `prepareForDeletion()`: on the
  /// device where the person did it, that was an edit, which is in the plan or comes yet.
  private func takeBackSideEffects(_ plan: GraphPlan) {
    let ids = Dictionary(made.map { ($1, $0) }) { $1 }
    for object in graph.context.updatedObjects.union(graph.context.insertedObjects) {
      guard let entity = graph.entity(of: object),
        let id = ids[object] ?? state.record(ofObject: GraphContext.uri(of: object))
      else { continue }
      let change = plan.updated[id]
      let isNew = made[id] != nil
      let attributes = entity.attributes.merging(entity.counters) { first, _ in first }
      let committed = isNew ? [:] : object.committedValues(forKeys: Array(attributes.keys))
      for (name, attribute) in attributes {
        let planned = change?.attributes[name] ?? change?.totals[name]
        guard planned != nil || !isNew else { continue }
        let wanted = planned.map { AttributeCoding.any($0, for: attribute) } ?? committed[name]
        let value = AttributeCoding.value(object.primitiveValue(forKey: name), of: attribute)
        guard AttributeCoding.value(wanted, of: attribute) != value else { continue }
        set(name, of: object, to: wanted is NSNull ? nil : wanted)
      }
    }
    graph.context.processPendingChanges()
  }

  /// Objects that would be refused with what the plan gives them, and why.
  func refusals(_ plan: GraphPlan) -> [RecordID: String] {
    var refusals: [RecordID: String] = [:]
    let inserted = Set(plan.inserted)
    for id in inserted.union(plan.updated.keys) {
      guard let object = object(of: id), !object.isDeleted else { continue }
      do {
        if inserted.contains(id) {
          try object.validateForInsert()
        } else if object.isUpdated {
          try object.validateForUpdate()
        }
      } catch {
        refusals[id] = error.localizedDescription
      }
    }
    return refusals
  }
}
