extension NSStagedMigrationManager {
  /// The versions to which ``migrate(_:)`` would migrate a store, one after the other, with their
  /// custom stages. A dry run.
  func goals(
    _ migration: StoreMigration, from source: NSManagedObjectModel, routing: MigrationRouting
  ) throws -> [(model: NSManagedObjectModel, stage: NSCustomMigrationStage?)] {
    let range = try self.range(of: migration)
    var path = Path(checksum: try checksum(of: migration), model: source)
    let target = migration.destination
    try path.pass(stages[range], to: target.versionChecksum)
    if path.checksum != target.versionChecksum {
      let isEnd = range.upperBound + 1 >= stages.count
      if !isEnd, (try? routing.route(from: path.model, to: target)) == nil {
        try path.pass(stages[(range.upperBound + 1)...], to: target.versionChecksum)
      }
      if path.checksum != target.versionChecksum { path.goals.append((target, nil)) }
    }
    return path.goals
  }

  private struct Path {
    var checksum: String
    var model: NSManagedObjectModel
    var goals: [(model: NSManagedObjectModel, stage: NSCustomMigrationStage?)] = []

    mutating func pass(_ stages: ArraySlice<NSMigrationStage>, to target: String) throws {
      for case let stage as NSCustomMigrationStage in stages
      where stage.currentModel.versionChecksum != target
        && stage.nextModel.versionChecksum != checksum
      {
        if stage.currentModel.versionChecksum != checksum {
          goals.append((try stage.currentModel.resolve(), nil))
        }
        model = try stage.nextModel.resolve()
        goals.append((model, stage))
        checksum = stage.nextModel.versionChecksum
      }
    }
  }
}
