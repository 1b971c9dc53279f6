import Foundation

// Cleanup that a migration with NSPersistentStoreDeferredLightweightMigrationOptionKey has
// deferred: removal of unused columns. While there are any, the store's metadata has that key.
extension NSPersistentStoreCoordinator {
  /// Removes the unused columns that migrations of this coordinator's stores have left. Does
  /// nothing if there are none.
  ///
  /// Source: developer.apple.com/documentation/coredata/nspersistentstorecoordinator,
  /// finishdeferredlightweightmigration()
  public final func finishDeferredLightweightMigration() throws {
    for store in deferringStores { try finish(store) }
  }

  /// Does the deferred cleanup of one store, a part of ``finishDeferredLightweightMigration()``.
  ///
  /// Source: developer.apple.com/documentation/coredata/nspersistentstorecoordinator,
  /// finishdeferredlightweightmigrationtask()
  public final func finishDeferredLightweightMigrationTask() throws {
    if let store = deferringStores.first { try finish(store) }
  }

  private var deferringStores: [NSPersistentStore] {
    persistentStores.filter {
      $0.metadata?[NSPersistentStoreDeferredLightweightMigrationOptionKey] != nil
    }
  }

  private func finish(_ store: NSPersistentStore) throws {
    guard let url = store.url, store is SQLiteStore else { return }
    let isWhole = store.configurationName == NSManagedObjectModel.defaultConfigurationName
    var options = store.options ?? [:]
    options[NSPersistentStoreDeferredLightweightMigrationOptionKey] = nil
    try SQLiteMigration(
      url: url, options: StoreOptions(options),
      layouts: layouts.filter { holds($0.entity, in: store) },
      configuration: isWhole ? nil : store.configurationName,
      match: ModelMatch(source: managedObjectModel, destination: managedObjectModel),
      isTidying: true
    ).run()
    store.metadata[NSPersistentStoreDeferredLightweightMigrationOptionKey] = nil
  }
}
