import Testing

@testable import CoreData
@testable import CoreDataSamples

/// The numbers that entities have in a fresh store.
@Suite struct EntityNumberingTests {
  private func entity(_ name: String, _ children: [NSEntityDescription] = []) -> NSEntityDescription
  {
    let entity = NSEntityDescription()
    entity.name = name
    entity.subentities = children
    return entity
  }

  @Test func rootsAreNumberedByNameWithoutCaseEachFollowedByItsSubentities() {
    let model = NSManagedObjectModel()
    model.entities = [
      entity("SyncFeatureEntity"), entity("SyncableSettingsMetadata"),
      entity("B", [entity("Z", [entity("Deep")]), entity("a")]), entity("c"),
    ]
    let layouts = model.entityLayouts()
    #expect(
      layouts.map(\.entity.name) == [
        "B", "a", "Z", "Deep", "c", "SyncableSettingsMetadata", "SyncFeatureEntity",
      ])
    #expect(layouts.map(\.number) == [1, 2, 3, 4, 5, 6, 7])
    #expect(layouts.map(\.rootNumber) == [1, 1, 1, 1, 5, 6, 7])
  }

  @Test func layoutsAreMadeOnce() throws {
    let model = PeopleModel.make()
    let person = try #require(model.entitiesByName["Person"])
    let layout = person.layout
    #expect(model.isFrozen)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    #expect(coordinator.layouts.contains { $0 === layout })
  }

  @Test func aSubentityKeepsTheSlotsOfItsSuperentity() throws {
    let entities = PeopleModel.make()
    let person = try #require(entities.entitiesByName["Person"]).layout
    let employee = try #require(entities.entitiesByName["Employee"]).layout
    for slot in person.slots { #expect(employee.slot(of: slot.name) == person.slot(of: slot.name)) }
    #expect(employee.slots.count == person.slots.count + 1)
  }
}
