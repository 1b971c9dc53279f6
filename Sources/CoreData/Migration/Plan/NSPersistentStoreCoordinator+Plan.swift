import Foundation

extension NSPersistentStoreCoordinator {
  /// What adding a store with these options would do to it, if it is of another version of the model: a dry run,
  /// which changes no byte of the store's files and makes none beside them.
  ///
  /// What is in the rows is looked at for a migration in place: mandatory values that are missing, values that a
  /// uniqueness constraint forbids. With `rehearsing` the migration is also carried out on a copy in a temporary
  /// folder, which takes as long and as much room as the migration itself, and finds what policies, handlers and
  /// the validation of objects would throw. Problems are part of the plan; thrown is only what keeps the store
  /// from being read, as ``metadataForPersistentStore(type:at:options:)`` throws it. Not Apple's.
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
  /// What ``loadPersistentStores(completionHandler:)`` would do to the stores that are there already, in the order
  /// of the descriptions; see
  /// ``NSPersistentStoreCoordinator/migrationPlan(forStoreAt:type:configuration:options:rehearsing:)``.
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
