import CoreData

/// Carries out a plan in the context, without saving it.
struct GraphWriter {
  let graph: GraphContext
  let state: ReplicaState
  private(set) var made: [RecordID: NSManagedObject] = [:]
  /// Objects without rows that others referred to: nothing of them is to be saved.
  private var dangling: [NSManagedObject] = []

  init(graph: GraphContext, state: ReplicaState) {
    self.graph = graph
    self.state = state
  }

  mutating func write(_ plan: inout GraphPlan) throws {
    // Before anything is edited: a fetch looks at every edit.
    graph.read(Set(plan.mentioned.compactMap { state[$0]?.object }))
    for id in plan.inserted { try insert(id) }
    let changes = plan.updated.sorted { $0.key < $1.key }
    for (id, change) in changes { setAttributes(of: id, change) }
    for (id, change) in changes { setReferences(of: id, change) }
    for (id, change) in changes { setMembers(of: id, change) }
    for (id, change) in changes { setLists(of: id, change) }
    let deleted = plan.deleted.compactMap { object(of: $0) }
    let going = Set(deleted)
    for object in deleted { release(from: object, besides: going) }
    for object in deleted { graph.context.delete(object) }
    graph.context.processPendingChanges()
    for object in dangling { graph.context.refresh(object, mergeChanges: false) }
    removeExtra()
    addDeletions(to: &plan)
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

  private mutating func setReferences(of id: RecordID, _ change: DesiredGraph.Object) {
    guard let object = object(of: id) else { return }
    for (name, target) in change.references.sorted(by: { $0.key < $1.key }) {
      let target = target.flatMap { self.object(of: $0) }
      let former = object.value(forKey: name) as? NSManagedObject
      guard former !== target else { continue }
      if let former, isDangling(former, name, of: object) {
        dangling.append(former)
        set(name, of: object, to: nil)
      }
      if target != nil || object.value(forKey: name) != nil {
        object.setValue(target, forKey: name)
      }
    }
  }

  /// Whether an object is only a name, of a row that a rule without action has left behind: its
  /// members are not there to be edited.
  private func isDangling(
    _ target: NSManagedObject, _ name: String, of object: NSManagedObject
  ) -> Bool {
    object.entity.relationshipsByName[name]?.inverseRelationship?.deleteRule == .noActionDeleteRule
      && !target.isInserted && graph.object(GraphContext.uri(of: target)) == nil
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
    let known = Set(kept)
    return NSOrderedSet(array: kept + members.filter { !known.contains($0) })
  }

  private func setLists(of id: RecordID, _ change: DesiredGraph.Object) {
    guard let object = object(of: id) else { return }
    for (name, row) in change.lists {
      let row = row.compactMap { self.object(of: $0) }
      let shown = graph.objects(of: name, of: object)
      let wanted = Set(row)
      // Who leaves the list with its own reference, or is deleted, is not named here.
      let leaving = shown.filter { !wanted.contains($0) }
      if row != shown.filter(wanted.contains) || row.count + leaving.count != shown.count {
        object.setValue(NSOrderedSet(array: row + leaving), forKey: name)
      }
    }
  }

  // MARK: - Checks

  /// Lets go of synced objects that stay, before a delete rule takes them along, or keeps the
  /// object for their sake: what was added to a list that has no end to hang it on lives.
  private func release(from object: NSManagedObject, besides going: Set<NSManagedObject>) {
    let sides = graph.entity(of: object)?.sides ?? [:]
    for (name, relationship) in object.entity.relationshipsByName
    where relationship.deleteRule == .cascadeDeleteRule
      || relationship.deleteRule == .denyDeleteRule && sides[name] != nil
    {
      guard relationship.isToMany else {
        if let other = object.value(forKey: name) as? NSManagedObject,
          graph.entity(of: other) != nil, !going.contains(other)
        {
          object.setValue(nil, forKey: name)
        }
        continue
      }
      let members = graph.objects(of: name, of: object)
      let taken = members.filter { graph.entity(of: $0) == nil || going.contains($0) }
      guard taken.count < members.count else { continue }
      object.setValue(
        relationship.isOrdered ? NSOrderedSet(array: taken) : NSSet(array: taken), forKey: name)
    }
  }

  /// Takes back what the application's classes have inserted.
  private func removeExtra() {
    let extra = graph.context.insertedObjects.subtracting(made.values)
    for object in extra { graph.context.delete(object) }
    if !extra.isEmpty { graph.context.processPendingChanges() }
  }

  /// What went besides, by the application's classes, or since it cannot be without an object that
  /// only this device has: its record waits.
  private func addDeletions(to plan: inout GraphPlan) {
    let planned = Set(plan.deleted)
    let others = graph.context.deletedObjects.filter { graph.entity(of: $0) != nil }
      .compactMap { state.record(ofObject: GraphContext.uri(of: $0)) }
    plan.taken = others.filter { !planned.contains($0) }.sorted()
    plan.deleted += plan.taken
    for id in plan.taken { plan.updated[id] = nil }
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

  /// What the store would refuse of a plan.
  struct Refusals {
    /// Objects with what the plan gives them, and why.
    var objects: [RecordID: String] = [:]
    /// Records whose part of the plan makes another object invalid: one that has lost too many
    /// members, or has too many.
    var causes: [RecordID: String] = [:]

    var isEmpty: Bool { objects.isEmpty && causes.isEmpty }
  }

  func refusals(_ plan: GraphPlan) -> Refusals {
    var refusals = Refusals()
    let ids = Dictionary(made.map { ($1, $0) }) { $1 }
    func check(_ objects: Set<NSManagedObject>, _ validate: (NSManagedObject) throws -> Void) {
      for object in objects {
        do { try validate(object) } catch {
          guard let id = ids[object] ?? state.record(ofObject: GraphContext.uri(of: object)) else {
            continue
          }
          let reason = error.localizedDescription
          if object.isDeleted {
            refusals.causes[id] = reason
          } else if ids[object] != nil || plan.updated[id] != nil {
            refusals.objects[id] = reason
          } else {
            for cause in causes(of: id, in: plan) { refusals.causes[cause] = reason }
          }
        }
      }
    }
    check(graph.context.insertedObjects) { try $0.validateForInsert() }
    check(graph.context.updatedObjects) { try $0.validateForUpdate() }
    check(graph.context.deletedObjects) { try $0.validateForDelete() }
    return refusals
  }

  /// What of a plan concerns an object that is not in it.
  private func causes(of id: RecordID, in plan: GraphPlan) -> [RecordID] {
    func leads(_ record: RecordID, to id: RecordID) -> Bool {
      state[record]?.shown.values.contains { shown in
        switch shown {
        case .reference(let target): target == id
        case .members(let members): members.contains(id)
        case .print, .total: false
        }
      } ?? false
    }
    let changed = plan.updated.filter { cause, change in
      change.references.values.contains(id)
        || change.members.values.contains { $0.contains(id) }
        || !(change.references.isEmpty && change.members.isEmpty) && leads(cause, to: id)
    }
    return changed.keys.filter { $0 != id }
      + plan.deleted.filter { leads($0, to: id) || leads(id, to: $0) }
  }
}
