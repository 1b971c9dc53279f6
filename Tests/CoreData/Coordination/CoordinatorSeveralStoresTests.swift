import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Fetching from, and saving to, several stores of one coordinator.
@Suite struct CoordinatorSeveralStoresTests {
  private let coordinator: NSPersistentStoreCoordinator
  private let first: any RowStore
  private let second: any RowStore

  init() throws {
    let model = PeopleModel.make()
    let entities = model.entitiesByName
    model.setEntities(
      [try #require(entities["Tag"]), try #require(entities["Task"])],
      forConfigurationName: "Small")
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    first = try Self.addStore(coordinator)
    second = try Self.addStore(coordinator)
  }

  private static func addStore(
    _ coordinator: NSPersistentStoreCoordinator, configuration: String? = nil,
    options: [AnyHashable: Any]? = nil
  ) throws -> any RowStore {
    let store = try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: configuration, at: nil, options: options)
    return try #require(store as? any RowStore)
  }

  private func layout(_ name: String) throws -> EntityLayout {
    try #require(coordinator.managedObjectModel.entitiesByName[name]).layout
  }

  @discardableResult
  private func insert(_ names: String..., into store: any RowStore) throws -> [NSManagedObjectID] {
    let layout = try layout("Tag")
    let identities = try coordinator.reserveIdentities(
      count: names.count, layout: layout, store: store)
    var changes = StoreChanges()
    changes.inserted = zip(identities, names).map { identity, name in
      let row = Row.empty(identity)
      row[0] = .text(name)
      return row
    }
    try coordinator.save([(store: store, changes: changes)])
    return identities
  }

  private func names(_ rows: [Row]) -> [Value] { rows.map { $0[0] } }

  private func texts(_ texts: String...) -> [Value] { texts.map(Value.text) }

  @Test func aFetchUnitesTheStoresInTheirOrder() throws {
    try insert("b", into: second)
    try insert("a", into: first)
    var plan = FetchPlan(layout: try layout("Tag"))
    #expect(names(try coordinator.rows(plan)) == texts("a", "b"))
    #expect(try coordinator.count(plan) == 2)
    plan.limit = 1
    #expect(names(try coordinator.rows(plan)) == texts("a"))
  }

  @Test func affectedStoresLimitAFetch() throws {
    try insert("a", into: first)
    try insert("b", into: second)
    let plan = FetchPlan(layout: try layout("Tag"))
    #expect(names(try coordinator.rows(plan, in: [second])) == texts("b"))
    #expect(try coordinator.identities(plan, in: [second]).count == 1)
    #expect(try coordinator.count(plan, in: []) == 0)
  }

  @Test func sortDescriptorsMergeTheStores() throws {
    try insert("a", "d", "e", into: first)
    try insert("c", "b", "f", into: second)
    var plan = FetchPlan(layout: try layout("Tag"))
    plan.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
    #expect(names(try coordinator.rows(plan)) == texts("f", "e", "d", "c", "b", "a"))
    plan.offset = 1
    plan.limit = 3
    #expect(names(try coordinator.rows(plan)) == texts("e", "d", "c"))
    #expect(try coordinator.count(plan) == 3)
    let rows = try coordinator.rows(plan)
    #expect(try coordinator.identities(plan) == ContiguousArray(rows.map(\.identity.packed)))
  }

  @Test func rowsOfObjectsOfSeveralStoresAreFound() throws {
    let all = try insert("a", into: first) + insert("b", into: second)
    #expect(Set(try coordinator.rows(of: all).map(\.identity)) == Set(all))
    #expect(try coordinator.row(of: all[1])?[0] == .text("b"))
    #expect(all[0].packed != all[1].packed)
    for identity in all { #expect(coordinator.identity(identity.packed) === identity) }
  }

  @Test func anUnassignedObjectGoesToTheFirstStoreThatHasItsEntity() throws {
    #expect(try coordinator.store(for: layout("Tag"), assigned: nil) === first)
    #expect(try coordinator.store(for: layout("Tag"), assigned: second) === second)
  }

  @Test func readOnlyStoresTakeNoNewObjects() throws {
    first.isReadOnly = true
    #expect(try coordinator.store(for: layout("Tag"), assigned: nil) === second)
    second.isReadOnly = true
    #expect(throws: NSError.self) { try coordinator.store(for: layout("Tag"), assigned: nil) }
    #expect(throws: NSError.self) { try coordinator.store(for: layout("Tag"), assigned: first) }
    #expect(throws: NSError.self) { try insert("a", into: first) }
  }

  @Test func aStoreTakesTheEntitiesOfItsConfigurationAlone() throws {
    try coordinator.remove(first)
    try coordinator.remove(second)
    let small = try Self.addStore(coordinator, configuration: "Small")
    #expect(try coordinator.store(for: layout("Tag"), assigned: nil) === small)
    #expect(throws: NSError.self) { try coordinator.store(for: layout("Person"), assigned: nil) }
    #expect(throws: NSError.self) {
      try coordinator.store(for: layout("Person"), assigned: small)
    }
    #expect(try coordinator.rows(FetchPlan(layout: layout("Person"))).isEmpty)
  }

  @Test func aCoordinatorWithoutStoresSaysSo() throws {
    try coordinator.remove(first)
    try coordinator.remove(second)
    let error = #expect(throws: NSError.self) {
      try coordinator.store(for: layout("Tag"), assigned: nil)
    }
    let reason = error?.userInfo[CoreDataError.reasonKey] as? String
    #expect(reason?.contains("no persistent stores") == true)
    #expect(try coordinator.rows(FetchPlan(layout: layout("Tag"))).isEmpty)
  }

  @Test func aConflictInOneStoreKeepsTheOtherFromBeingWritten() throws {
    let identity = try insert("a", into: second)[0]
    let old = try #require(try coordinator.row(of: identity))
    func update() -> StoreChanges {
      var changes = StoreChanges()
      changes.updated = [StoreChanges.Update(row: old.copy(), snapshot: old, slots: [])]
      return changes
    }
    try coordinator.save([(store: second, changes: update())])
    var insertion = StoreChanges()
    insertion.inserted = [
      Row.empty(
        try coordinator.reserveIdentities(count: 1, layout: layout("Tag"), store: first)[0])
    ]
    #expect(throws: SaveConflicts.self) {
      try coordinator.save([
        (store: first, changes: insertion), (store: second, changes: update()),
      ])
    }
    #expect(try coordinator.count(FetchPlan(layout: layout("Tag")), in: [first]) == 0)
  }

  @Test func objectsPointToTheirOwnStoreAlone() throws {
    let stranger = try coordinator.reserveIdentities(
      count: 1, layout: layout("Person"), store: second)[0]
    let task = Row.empty(
      try coordinator.reserveIdentities(count: 1, layout: layout("Task"), store: first)[0])
    task[try #require(task.layout.slot(of: "owner"))] = .identity(stranger)
    var changes = StoreChanges()
    changes.inserted = [task]
    let error = #expect(throws: NSError.self) {
      try coordinator.save([(store: first, changes: changes)])
    }
    #expect(error?.code == NSManagedObjectExternalRelationshipError)
  }
}
