import CoreDataSupport
import Foundation
import Testing

@testable import CoreData

/// A coordinator with one store over ``PeopleModel``, in a directory of its own that goes with it.
final class StoreStack {
  let coordinator: NSPersistentStoreCoordinator
  let store: any RowStore
  let directory: URL
  private let kind: StoreKind

  init(_ kind: StoreKind) throws {
    self.kind = kind
    StoreKind.registerClients()
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("StoreStack-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: PeopleModel.make())
    let store = try coordinator.addPersistentStore(
      ofType: kind.rawValue, configurationName: nil,
      at: kind.url(directory.appendingPathComponent("people.store")))
    self.store = try #require(store as? any RowStore)
  }

  deinit {
    // A directory that cannot be removed is left to the system.
    try? FileManager.default.removeItem(at: directory)
  }

  func layout(_ entity: String) throws -> EntityLayout {
    try #require(coordinator.managedObjectModel.entitiesByName[entity]).layout
  }

  func plan(
    _ entity: String, _ format: String? = nil, _ arguments: [Any] = [], sortedBy: [String] = []
  ) throws -> FetchPlan {
    var plan = FetchPlan(layout: try layout(entity))
    if let format { plan.predicate = NSPredicate(format: format, argumentArray: arguments) }
    plan.sortDescriptors = sortedBy.map {
      $0.hasPrefix("-")
        ? NSSortDescriptor(key: String($0.dropFirst()), ascending: false)
        : NSSortDescriptor(key: $0, ascending: true)
    }
    return plan
  }

  /// A row to insert, with a permanent identity.
  func makeRow(_ entity: String, _ values: [String: Value] = [:]) throws -> Row {
    let layout = try layout(entity)
    let identity = try makeIdentity(layout)
    let row = Row.empty(identity)
    for (name, value) in values { row[try #require(layout.slot(of: name))] = value }
    return row
  }

  @discardableResult
  func insert(_ rows: Row...) throws -> [NSManagedObjectID] {
    var changes = StoreChanges()
    changes.inserted = rows
    try save(changes)
    return rows.map(\.identity)
  }

  /// What a context does when an object is edited: a copy of the snapshot with other values.
  func update(_ snapshot: Row, _ values: [String: Value]) throws -> StoreChanges {
    let row = snapshot.copy()
    for (name, value) in values { row[try #require(row.layout.slot(of: name))] = value }
    var changes = StoreChanges()
    changes.updated = [
      StoreChanges.Update(row: row, snapshot: snapshot, slots: row.differences(from: snapshot))
    ]
    return changes
  }

  func values(_ plan: FetchPlan, of property: String) throws -> [Value] {
    try store.rows(plan).map { row in row[try #require(row.layout.slot(of: property))] }
  }

  func names(_ plan: FetchPlan) throws -> [String] {
    try values(plan, of: "name").map { value in
      guard case .text(let text) = value else { return "nil" }
      return text
    }
  }

  func relationship(_ entity: String, _ name: String) throws -> NSRelationshipDescription {
    let entity = try #require(coordinator.managedObjectModel.entitiesByName[entity])
    return try #require(entity.relationshipsByName[name])
  }

  func change(
    _ relationship: NSRelationshipDescription, of owner: NSManagedObjectID,
    adding added: [NSManagedObjectID] = [], removing removed: [NSManagedObjectID] = [],
    order: [NSManagedObjectID]? = nil
  ) throws {
    var changes = StoreChanges()
    changes.members = [
      StoreChanges.MemberChange(
        relationship: relationship, owner: owner, added: added, removed: removed, order: order)
    ]
    try save(changes)
  }

  /// A client's store gives IDs to objects.
  private func makeIdentity(_ layout: EntityLayout) throws -> NSManagedObjectID {
    if kind.givesKeys {
      return try coordinator.reserveIdentities(count: 1, layout: layout, store: store)[0]
    }
    return try withContext { context in
      let object = NSManagedObject(entity: layout.entity, insertInto: context)
      return try store.identities.identity(store.permanentIdentities(for: [object])[0])
    }
  }

  private func withContext<Result>(
    _ body: (NSManagedObjectContext) throws -> Result
  ) rethrows -> Result {
    return try coordinator.withContext(body)
  }

  /// A client's store looks at the objects of a context: here at ones that have these changes.
  func save(_ changes: StoreChanges) throws {
    guard kind.isClients else { return try store.save(changes) }
    try withContext { context in
      var changes = changes
      changes.context = context
      let objects = ChangedObjects(context: context)
      let kept = objects.make(changes)
      try store.save(changes)
      withExtendedLifetime(kept) {}
    }
  }
}

/// Makes objects of rows that were changed without any.
private struct ChangedObjects {
  let context: NSManagedObjectContext

  func make(_ changes: StoreChanges) -> [NSManagedObject] {
    let inserted = changes.inserted.map(insert)
    let updated = changes.updated.map { update in
      let object = context.object(with: update.row.identity)
      object.snapshot = update.snapshot
      object.current = update.row.copy()
      object.flags.remove(.fault)
      return object
    }
    for change in changes.members { apply(change) }
    let others = changes.members.map { context.object(with: $0.owner) }
    return inserted + updated + others + changes.deleted.map { context.object(with: $0.identity) }
  }

  private func insert(_ row: Row) -> NSManagedObject {
    let object = NSManagedObject(entity: row.layout.entity, insertInto: context)
    context.register(object, packed: row.packed, space: row.space)
    object.current = row.copy()
    return object
  }

  private func apply(_ change: StoreChanges.MemberChange) {
    let owner = context.object(with: change.owner)
    let name = change.relationship.name
    if let order = change.order {
      let members = order.map(context.object(with:))
      return owner.setValue(NSOrderedSet(array: members), forKey: name)
    }
    let members = owner.mutableSetValue(forKey: name)
    for member in change.removed { members.remove(context.object(with: member)) }
    for member in change.added { members.add(context.object(with: member)) }
  }
}
