import Foundation

/// Leads a store over several versions of its model, with code between them where it takes some.
///
/// Set as the option `NSPersistentStoreStagedMigrationManagerOptionKey` of a store. Custom stages are fixed points:
/// between them the store goes from where it is to the stage's current model by one inferred step, and at last to
/// the model of the coordinator. Each step is whole before the next begins; a handler that throws ends the
/// migration with its error, and the store stays as the last step has left it.
///
/// Source: developer.apple.com/documentation/coredata/nsstagedmigrationmanager
open class NSStagedMigrationManager: NSObject {
  /// In the order of the versions.
  public final let stages: [NSMigrationStage]
  /// A container with the store, for the handlers of custom stages; nil at any other time.
  public final private(set) var container: NSPersistentContainer?

  /// Traps when two stages know the same version, but for a custom stage that begins where the one before it ends.
  public init(_ stages: [NSMigrationStage]) {
    self.stages = stages
    var known: Set<String> = []
    var last: String?
    for stage in stages {
      let checksums = stage.checksums
      for (index, checksum) in checksums.enumerated() {
        let goesOn = index == 0 && checksum == last && stage is NSCustomMigrationStage
        if !known.insert(checksum).inserted && !goesOn {
          fatalError("Duplicate version checksums across stages detected.")
        }
      }
      last = stage is NSCustomMigrationStage ? checksums.last : nil
    }
  }

  // MARK: - Migrating

  func migrate(_ migration: StoreMigration) throws {
    let target = migration.destination.versionChecksum
    let start = try position(of: Self.checksum(of: migration.metadata()))
    let end = try position(of: target)
    guard end >= start else {
      throw CoreDataError.make(
        code: NSStagedMigrationBackwardMigrationError,
        reason: "A store file cannot be migrated backwards with staged migration.")
    }
    try pass(stages[start...end], migration, to: target)
    do { try step(migration, to: migration.destination, checksum: target) } catch let error
      as NSError
      where error.code == NSMigrationMissingMappingModelError && end + 1 < stages.count
    {
      // A version of a lightweight stage may come after the custom ones that follow it.
      try pass(stages[(end + 1)...], migration, to: target)
      try step(migration, to: migration.destination, checksum: target)
    }
  }

  private func pass(
    _ stages: ArraySlice<NSMigrationStage>, _ migration: StoreMigration, to target: String
  ) throws {
    for stage in stages {
      guard let stage = stage as? NSCustomMigrationStage,
        stage.currentModel.versionChecksum != target
      else { continue }
      try migrate(migration, through: stage)
    }
  }

  /// The stage that a version belongs to; a store that a custom stage has made is past it.
  private func position(of checksum: String) throws -> Int {
    let positions = stages.indices.filter { stages[$0].checksums.contains(checksum) }
    guard let position = positions.last else {
      throw CoreDataError.make(
        code: NSManagedObjectModelReferenceNotFoundError,
        reason:
          "Cannot use staged migration with an unknown model version. No stage has the checksum "
          + "\(checksum).")
    }
    return position
  }

  private static func checksum(of metadata: [String: Any]) -> String {
    if let checksum = metadata[NSPersistentStoreModelVersionChecksumKey] as? String {
      return checksum
    }
    // Stores of frameworks before 2023 do not note it.
    let hashes = NSManagedObjectModel.versionHashes(inStoreMetadata: metadata) ?? [:]
    return VersionHash.checksum(of: hashes)
  }

  private func migrate(_ migration: StoreMigration, through stage: NSCustomMigrationStage) throws {
    let next = stage.nextModel.versionChecksum
    guard try Self.checksum(of: migration.metadata()) != next else { return }
    let model = try stage.currentModel.resolve()
    try step(migration, to: model, checksum: stage.currentModel.versionChecksum)
    try run(stage.willMigrateHandler, of: stage, model, migration)
    let nextModel = try stage.nextModel.resolve()
    try step(migration, to: nextModel, checksum: next)
    try run(stage.didMigrateHandler, of: stage, nextModel, migration)
  }

  /// One inferred migration, unless the store is there already.
  private func step(
    _ migration: StoreMigration, to model: NSManagedObjectModel, checksum: String
  ) throws {
    guard try Self.checksum(of: migration.metadata()) != checksum else { return }
    try migration.migrate(from: source(of: migration), to: model)
  }

  /// A model that some stage refers to may be in no bundle.
  private func source(of migration: StoreMigration) throws -> NSManagedObjectModel {
    let checksum = try Self.checksum(of: migration.metadata())
    for stage in stages.compactMap({ $0 as? NSCustomMigrationStage }) {
      for reference in [stage.currentModel, stage.nextModel]
      where reference.versionChecksum == checksum {
        return try reference.resolve()
      }
    }
    return try migration.sourceModel()
  }

  private func run(
    _ handler: NSCustomMigrationStage.Handler?, of stage: NSCustomMigrationStage,
    _ model: NSManagedObjectModel, _ migration: StoreMigration
  ) throws {
    guard let handler else { return }
    let name = migration.url.deletingPathExtension().lastPathComponent
    let container = NSPersistentContainer(name: name, managedObjectModel: model)
    var options = migration.options
    for key in [
      NSMigratePersistentStoresAutomaticallyOption, NSInferMappingModelAutomaticallyOption,
      NSPersistentStoreStagedMigrationManagerOptionKey,
      NSPersistentStoreRemoteChangeNotificationPostOptionKey,
    ] {
      options[key] = nil
    }
    let coordinator = container.persistentStoreCoordinator
    let store = try coordinator.addPersistentStore(
      ofType: migration.type, configurationName: migration.configuration, at: migration.url,
      options: options)
    self.container = container
    defer {
      self.container = nil
      // Removing a store that its own coordinator has does not fail.
      try? coordinator.remove(store)
    }
    try handler(self, stage)
  }
}
