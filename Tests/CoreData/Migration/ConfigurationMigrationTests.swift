import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// A store of one configuration, when entities leave it, or the model.
struct ConfigurationMigrationTests {
  enum Loss: CaseIterable { case nothing, fromModel, fromConfiguration }

  static let cases = [NSPersistentStore.StoreType.sqlite, .xml, .binary].flatMap { type in
    ["Main", nil].flatMap { configuration in
      Loss.allCases.map { (type, configuration, $0) }
    }
  }

  /// A configuration may be nil: then all entities are the store's.
  private func model(_ loss: Loss) -> NSManagedObjectModel {
    let entities = ["Thing", "Box", "Elsewhere"].filter { loss != .fromModel || $0 != "Box" }.map {
      let entity = NSEntityDescription()
      entity.name = $0
      let name = NSAttributeDescription()
      (name.name, name.attributeType) = ("name", .stringAttributeType)
      entity.properties = [name]
      return entity
    }
    let model = NSManagedObjectModel()
    model.entities = entities
    model.setEntities(
      entities.filter { $0.name == "Thing" || ($0.name == "Box" && loss == .nothing) },
      forConfigurationName: "Main")
    return model
  }

  private func open(
    _ url: URL, _ type: NSPersistentStore.StoreType, _ configuration: String?, _ loss: Loss,
    migrating: Bool = true
  ) throws -> StoreFixture {
    var options = migrating ? VersionFolder.migrating : [:]
    // Stores of one file do not keep the model that made them.
    let first = url.appendingPathExtension("mom")
    if migrating { try model(.nothing).write(to: first) }
    options[OpenCoreDataMigrationModelsOption] = [first]
    return try StoreFixture(
      model(loss), at: url, type: type, configuration: configuration, options: options)
  }

  @Test(arguments: cases)
  func whatTheModelHasNotIsMigratedAway(
    _ type: NSPersistentStore.StoreType, _ configuration: String?, _ loss: Loss
  ) throws {
    let url = try StoreFixture.makeFolder().appendingPathComponent("Store")
    let before = try open(url, type, configuration, .nothing)
    for name in ["Thing", "Box"] { try before.insert(name, [["name": .text(name)]]) }
    try before.close()
    if loss == .fromModel {
      // Not of its own accord.
      #expect(throws: CocoaError.self) {
        try open(url, type, configuration, loss, migrating: false)
      }
    }
    let after = try open(url, type, configuration, loss)
    #expect(try after.store.count(after.plan("Thing")) == 1)
    let entities = model(loss).entities(forConfigurationName: configuration) ?? []
    let noted = try after.coordinator.metadata(
      for: #require(after.coordinator.persistentStores.first))
    let hashes = try #require(NSManagedObjectModel.versionHashes(inStoreMetadata: noted))
    // What only left the configuration stays in the file, for whoever opens it with another one.
    let kept = loss == .fromConfiguration && configuration != nil ? ["Box"] : []
    #expect(Set(hashes.keys) == Set(entities.compactMap(\.name) + kept))
    try after.close()
    let again = try open(url, type, configuration, loss, migrating: false)
    #expect(try again.store.count(again.plan("Thing")) == 1)
    try again.close()
  }
}
