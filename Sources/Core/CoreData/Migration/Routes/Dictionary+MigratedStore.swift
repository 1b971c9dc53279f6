import Foundation

extension [AnyHashable: Any] {
  /// A store's options without those for migration and remote change notifications.
  var forMigratedStore: [AnyHashable: Any] {
    var options = self
    for key in [
      NSMigratePersistentStoresAutomaticallyOption, NSInferMappingModelAutomaticallyOption,
      NSPersistentStoreStagedMigrationManagerOptionKey, OpenCoreDataMigrationModelsOption,
      OpenCoreDataRemovesEntitiesOption,
      NSPersistentStoreRemoteChangeNotificationPostOptionKey,
    ] {
      options[key] = nil
    }
    return options
  }
}
