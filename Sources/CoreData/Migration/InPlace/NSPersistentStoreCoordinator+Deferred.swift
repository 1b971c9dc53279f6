import Foundation

// What a migration with NSPersistentStoreDeferredLightweightMigrationOptionKey has left for later: columns that
// nothing needs any more. As long as there are any, the metadata of the store have the same key.
extension NSPersistentStoreCoordinator {
  /// Removes everything that migrations of this coordinator's stores have left for later; nothing to be done is no
  /// error.
  ///
  /// Source: developer.apple.com/documentation/coredata/nspersistentstorecoordinator/finishdeferredlightweightmigration()
  public final func finishDeferredLightweightMigration() throws {
    for store in deferringStores { try finish(store) }
  }

  /// Does a part of what ``finishDeferredLightweightMigration()`` does: one store's.
  ///
  /// Source: developer.apple.com/documentation/coredata/nspersistentstorecoordinator/finishdeferredlightweightmigrationtask()
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
