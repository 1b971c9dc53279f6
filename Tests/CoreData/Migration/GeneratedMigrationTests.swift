import Foundation
import Testing

@testable import CoreData

/// Pairs of models that are some edits apart, with filled stores: an inferred migration keeps what plain values
/// say. `GENERATED_MIGRATIONS` sets how many, `MIGRATION_SEED` where they begin.
struct GeneratedMigrationTests {
  static let count =
    Int(ProcessInfo.processInfo.environment["GENERATED_MIGRATIONS"] ?? "") ?? 60
  static let firstSeed =
    UInt64(ProcessInfo.processInfo.environment["MIGRATION_SEED"] ?? "") ?? 1

  @Test(arguments: [false, true]) func inferredMigrationsKeepWhatTheEditsSay(_ isByObjects: Bool)
    throws
  {
    for seed in Self.firstSeed..<Self.firstSeed + UInt64(Self.count) {
      var random = SplitMix64(seed: seed)
      let old = PlainModel(random: &random)
      var new = old
      var edits: [String] = []
      for _ in 0..<Int.random(in: 1...5, using: &random) { edits.append(new.edit(&random)) }
      let comment: Comment = "seed \(seed): \(edits)"
      try check(from: old, to: new, isByObjects: isByObjects, &random, comment)
    }
  }

  private func check(
    from old: PlainModel, to new: PlainModel, isByObjects: Bool, _ random: inout SplitMix64,
    _ comment: Comment
  ) throws {
    let folder = try StoreFixture.makeFolder()
    let before = try StoreFixture(old.model(), in: folder)
    let contents = try PlainContents(filling: before, old, &random)
    try before.close()
    let expected = contents.migrated(from: old, to: new)
    if isByObjects {
      try migrateByObjects(folder, old, new)
    }
    let after = try StoreFixture(
      new.model(), in: folder,
      options: [
        NSMigratePersistentStoresAutomaticallyOption: true,
        NSInferMappingModelAutomaticallyOption: true,
      ])
    let found = try PlainContents(reading: after, new).withoutNewOrder(from: old, to: new)
    #expect(found.lines == expected.lines, comment)
    try after.close()
    guard !isByObjects else { return }
    let fresh = try StoreFixture(new.model())
    #expect(try SchemaText(after.url).statements == SchemaText(fresh.url).statements, comment)
    let checked = try StoreChecker.checkRows(after.url)
    #expect(checked.status == 0, "\(comment): \(checked.text)")
  }

  /// Into a new store by the same mappings, which then takes the place of the old one.
  private func migrateByObjects(
    _ folder: URL, _ old: PlainModel, _ new: PlainModel
  ) throws {
    let url = folder.appendingPathComponent("Store.sqlite")
    let target = folder.appendingPathComponent("New.sqlite")
    let (source, destination) = (old.model(), new.model())
    let mapping = try NSMappingModel.inferredMappingModel(
      forSourceModel: source, destinationModel: destination)
    let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
    manager.usesStoreSpecificMigrationManager = false
    try manager.migrateStore(
      from: url, sourceType: NSSQLiteStoreType, options: nil, with: mapping,
      toDestinationURL: target, destinationType: NSSQLiteStoreType, destinationOptions: nil)
    try StoreFiles(url).replace(with: StoreFiles(target))
  }
}
