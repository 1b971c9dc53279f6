import Foundation

/// Migrates a store over several versions of its model, with code between them where required.
///
/// Set as the option `NSPersistentStoreStagedMigrationManagerOptionKey` of a store. Custom stages
/// are fixed points: before each, the store is migrated to the stage's current model in one
/// inferred step; at the end, to the model of the coordinator. Stages with code run on a copy of
/// the store beside it, which replaces the store at the end: if a handler throws or the process
/// ends meanwhile, the store is unchanged. So the store of ``container`` has the UUID and the
/// contents of the store that is migrated, but another URL. A store on a server is not copied: each
/// step is a transaction there, and after an error the next opening continues from the last step.
///
/// Source: developer.apple.com/documentation/coredata/nsstagedmigrationmanager
open class NSStagedMigrationManager: NSObject {
  /// The stages in the order of the versions.
  open private(set) var stages: [NSMigrationStage]
  /// A container with the store, for the handlers of custom stages; nil at any other time.
  open private(set) var container: NSPersistentContainer?
  /// Steps of the current migration, for its progress: the maximum number and the completed ones.
  private var steps = (total: 1, taken: 0)

  /// Makes a manager. Traps if two stages have the same version, except for a custom stage that
  /// begins where the previous one ends.
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
    let range = try range(of: migration)
    let custom = stages[range.lowerBound...].count { $0 is NSCustomMigrationStage }
    steps = (total: 2 * custom + 1, taken: 0)
    guard custom > 0 else {
      return try step(migration, to: migration.destination, checksum: target)
    }
    if try migration.isOnServer {
      return try migrate(migration, from: range.lowerBound, through: range.upperBound, to: target)
    }
    let replacement = StoreReplacement(
      url: migration.url, type: migration.type, timeout: migration.storeOptions.timeout)
    try replacement.run { beside in
      try replacement.copy(to: beside)
      steps.taken = 0
      let draft = migration.draft(at: beside)
      try migrate(draft, from: range.lowerBound, through: range.upperBound, to: target)
      try migration.progress.checkCancelled()
    }
  }

  /// The stages from the store's version to the coordinator's. Throws 134504 for a version that no
  /// stage has, 134506 for a store of a later version.
  func range(of migration: StoreMigration) throws -> ClosedRange<Int> {
    let start = try position(of: checksum(of: migration))
    let end = try position(of: migration.destination.versionChecksum)
    guard end >= start else {
      throw CoreDataError.make(
        code: NSStagedMigrationBackwardMigrationError,
        reason: "A store file cannot be migrated backwards with staged migration.")
    }
    return start...end
  }

  private func migrate(
    _ migration: StoreMigration, from start: Int, through end: Int, to target: String
  ) throws {
    try pass(stages[start...end], migration: migration, to: target)
    do { try step(migration, to: migration.destination, checksum: target) } catch let error
      as NSError
      where error.code == NSMigrationMissingMappingModelError && end + 1 < stages.count
    {
      // A version of a lightweight stage may come after the custom stages that follow it.
      try pass(stages[(end + 1)...], migration: migration, to: target)
      try step(migration, to: migration.destination, checksum: target)
    }
  }

  private func pass(
    _ stages: ArraySlice<NSMigrationStage>, migration: StoreMigration, to target: String
  ) throws {
    for stage in stages {
      guard let stage = stage as? NSCustomMigrationStage,
        stage.currentModel.versionChecksum != target
      else { continue }
      try migrate(migration, through: stage)
    }
  }

  /// The index of the last stage that has a version: a store that a custom stage has made is past
  /// that stage. Throws 134504 for a version that no stage has.
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

  /// The checksum of the version of a store.
  func checksum(of migration: StoreMigration) throws -> String {
    let metadata = try migration.metadata()
    if let configuration = migration.configuration {
      // A store of a configuration has only the hashes of that configuration: its version is a
      // model that has them.
      let storeClass = try StoreRegistry.storeClass(ofType: migration.type)
      let cached = try? storeClass.keptModel(at: migration.url)
      let models = try references.map { try $0.resolve() } + [migration.destination]
      let model = ((cached.map { [$0] } ?? []) + models).first {
        $0.isConfiguration(withName: configuration, compatibleWithStoreMetadata: metadata)
      }
      if let model { return model.versionChecksum }
    }
    if let checksum = metadata[NSPersistentStoreModelVersionChecksumKey] as? String {
      return checksum
    }
    // Stores of frameworks before 2023 do not have the checksum in their metadata.
    let hashes = NSManagedObjectModel.versionHashes(inStoreMetadata: metadata) ?? [:]
    return VersionHash.checksum(of: hashes)
  }

  private var references: [NSManagedObjectModelReference] {
    stages.compactMap { $0 as? NSCustomMigrationStage }.flatMap { [$0.currentModel, $0.nextModel] }
  }

  private func migrate(_ migration: StoreMigration, through stage: NSCustomMigrationStage) throws {
    let next = stage.nextModel.versionChecksum
    guard try checksum(of: migration) != next else { return }
    let model = try stage.currentModel.resolve()
    try step(migration, to: model, checksum: stage.currentModel.versionChecksum)
    try run(stage.willMigrateHandler, of: stage, model: model, migration: migration)
    let nextModel = try stage.nextModel.resolve()
    try step(migration, to: nextModel, checksum: next)
    try run(stage.didMigrateHandler, of: stage, model: nextModel, migration: migration)
  }

  /// One inferred migration, unless the store already has the version.
  private func step(
    _ migration: StoreMigration, to model: NSManagedObjectModel, checksum: String
  ) throws {
    guard try self.checksum(of: migration) != checksum else { return }
    var part = migration
    part.progress = migration.progress.part(min(steps.taken, steps.total - 1), of: steps.total)
    steps.taken += 1
    try part.migrate(from: source(of: migration), to: model)
  }

  /// The model of the store. A model to which a stage refers may be in no bundle.
  func source(of migration: StoreMigration) throws -> NSManagedObjectModel {
    let checksum = try checksum(of: migration)
    if let reference = references.first(where: { $0.versionChecksum == checksum }) {
      return try reference.resolve()
    }
    return try migration.sourceModel()
  }

  private func run(
    _ handler: NSCustomMigrationStage.Handler?, of stage: NSCustomMigrationStage,
    model: NSManagedObjectModel, migration: StoreMigration
  ) throws {
    guard let handler else { return }
    let container = NSPersistentContainer(name: migration.name, managedObjectModel: model)
    let coordinator = container.persistentStoreCoordinator
    let store = try coordinator.addPersistentStore(
      ofType: migration.type, configurationName: migration.configuration, at: migration.url,
      options: migration.options.forMigratedStore)
    self.container = container
    defer {
      self.container = nil
      // Ignored: removing a store from its own coordinator does not fail.
      try? coordinator.remove(store)
    }
    try handler(self, stage)
  }
}
