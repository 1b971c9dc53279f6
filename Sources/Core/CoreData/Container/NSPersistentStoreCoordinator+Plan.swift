import Foundation

extension NSPersistentStoreCoordinator {
  /// The migration that adding a store with these options would run, if the store has another
  /// version of the model. A dry run: changes no byte of the store's files and makes none beside
  /// them.
  ///
  /// For a migration in place, the rows are checked for missing mandatory values and for values
  /// that violate a uniqueness constraint. With `rehearsing`, the migration also runs on a copy in
  /// a temporary folder. That takes as much time and space as the migration itself, and finds
  /// errors of policies, handlers and validation. Problems are part of the plan. Throws only errors
  /// of reading the store, those of ``metadataForPersistentStore(type:at:options:)``. Not part of
  /// Apple's API.
  public final func migrationPlan(
    forStoreAt url: URL, type: NSPersistentStore.StoreType = .sqlite,
    configuration: String? = nil, options: [AnyHashable: Any]? = nil, rehearsing: Bool = false
  ) throws -> StoreMigrationPlan {
    try checkConfiguration(configuration)
    let migration = StoreMigration(
      url: url, type: type.rawValue, configuration: configuration, options: options ?? [:],
      destination: managedObjectModel, progress: MigrationProgress.Part(progress: nil))
    return try MigrationPlanner(migration: migration).plan(rehearsing: rehearsing)
  }
}

extension NSPersistentContainer {
  /// The migrations that ``loadPersistentStores(completionHandler:)`` would run for existing
  /// stores, in the order of the descriptions; see
  /// `migrationPlan(forStoreAt:type:configuration:options:rehearsing:)` of
  /// ``NSPersistentStoreCoordinator``.
  public final func migrationPlans(rehearsing: Bool = false) throws -> [StoreMigrationPlan] {
    try persistentStoreDescriptions.compactMap { description in
      guard let url = description.url, FileManager.default.fileExists(atPath: url.path),
        url.path != "/dev/null"
      else { return nil }
      return try persistentStoreCoordinator.migrationPlan(
        forStoreAt: url, type: NSPersistentStore.StoreType(rawValue: description.type),
        configuration: description.configuration, options: description.options,
        rehearsing: rehearsing)
    }
  }
}
